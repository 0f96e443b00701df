"""What the parts of a cost look like, and the axis of nodes that both curves share."""

from telemetry.charts.palette import FRAME, Ink, nodes_axis

RESERVED = Ink("reserved", "--busy-owner")
OVERFLOW = Ink("overflow on demand", "--busy-borrower", "/", size=9, solidity=0.16)
SHORTAGE = Ink("expected shortage", "--idle-held", "-", size=6, solidity=0.2)

MOST_DRAWN = 240
"""So many sizes are drawn at most: more are thinner than a pixel."""

MARGIN = {"l": 72, "r": 16, "t": 30, "b": 44}


def drawn_sizes(most: int, marked: tuple[int, ...] = ()) -> list[int]:
    """The sizes that are drawn: all of them, or every so many and those that are marked."""
    step = max(1, -(-(most + 1) // MOST_DRAWN))
    return sorted({*range(0, most + 1, step), *(size for size in marked if 0 <= size <= most)})


def nodes_frame(most: int, height_axis: dict[str, object]) -> dict[str, object]:
    """The layout of a figure over 0 … ``most`` nodes: the same room left and right, so that figures stand in line."""
    return {
        **FRAME,
        "margin": MARGIN,
        "hovermode": "x",
        "xaxis": nodes_axis("nodes held", -0.6, most + 0.6),
        "yaxis": height_axis,
    }


def upright(at: int, dash: str, *, width: float = 1.5) -> dict[str, object]:
    """A line over the whole height at a size."""
    line = {"color": "var(--ink)", "width": width, "dash": dash}
    return {"type": "line", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1, "line": line}


def words_over(at: int, text: str, most: int) -> dict[str, object]:
    """What an upright line is, above it, on the side where there is room."""
    font = {"color": "var(--ink)", "size": 12}
    side = "right" if at > most / 2 else "left"
    return {
        "x": at, "y": 1, "yref": "paper", "text": text, "showarrow": False, "xanchor": side, "yanchor": "bottom",
        "font": font,
    }  # fmt: skip


def size_marks(most: int, proposed: int | None, current: int | None) -> dict[str, list[dict[str, object]]]:
    """The proposal and today's size, named once where they are one."""
    shapes, notes = [], []
    if proposed is not None and proposed == current:
        shapes, notes = [upright(proposed, "solid")], [words_over(proposed, f"held and proposed {proposed}", most)]
    else:
        for at, dash, name in ((proposed, "solid", "proposed"), (current, "dot", "held now")):
            if at is not None:
                shapes.append(upright(at, dash))
                notes.append(words_over(at, f"{name} {at}", most))
    if len(notes) == 2 and abs((proposed or 0) - (current or 0)) < 0.25 * most:
        left, right = sorted(notes, key=lambda note: int(str(note["x"])))
        left["xanchor"], right["xanchor"] = "right", "left"
    return {"shapes": shapes, "annotations": notes}
