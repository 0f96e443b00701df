"""Details of ledger hours as the accounting gives them, for tests of who keeps and reads them."""

from datetime import datetime, timedelta

from telemetry.domain.details import FROZEN, HourDetails, NodeUse, PodUse, Suspect
from tests.telemetry.domain.lawful_rows import TEN, H


def node(name: str = "n1", busy: int | None = 6 * H) -> NodeUse:
    return NodeUse(name, expected=8 * H, known=7 * H, busy=busy, idle_held=H // 2, idle_free=H // 2)


def pod(
    name: str = "train-0",
    *,
    busy: int = 0,
    idle_held: int = H,
    idle_from: datetime | None = TEN,
    queue: str = "cq-b",
    uid: str | None = None,
    namespace: str = "team",
) -> PodUse:
    return PodUse(
        namespace=namespace,
        pod=name,
        uid=f"uid-{name}" if uid is None else uid,
        cluster_queue=queue,
        owner_busy=busy,
        borrower_busy=0,
        unmanaged_busy=0,
        unattributed_busy=0,
        idle_held=idle_held,
        allocated=H,
        idle_from=idle_from,
    )


def suspect(uuid: str = "GPU-1") -> Suspect:
    return Suspect("n1", uuid, FROZEN, "one value 20 times in a row: its exporter may stand still")


def behind(*pods: PodUse, nodes: tuple[NodeUse, ...] = (node(),), suspects: tuple[Suspect, ...] = ()) -> HourDetails:
    return HourDetails(nodes=nodes, pods=pods, suspects=suspects)


def at(number: float) -> datetime:
    """So many hours after ten."""
    return TEN + timedelta(hours=number)
