"""A pool none of whose nodes is found names the label it was looked for by."""

from tests.telemetry.domain.accounting.hours import gpu, held, node, row_of, usage

LABEL = "label_pool = serve-h100, serve-h200"


def test_an_hour_without_a_matching_node_names_the_label() -> None:
    row = row_of(usage(node_match=LABEL), held())
    assert row.expected == 0
    assert dict(row.notes)["no_node_matches"] == (f"no node carries {LABEL}: nothing of what was reserved is expected")


def test_a_node_that_was_found_is_no_doubt() -> None:
    assert "no_node_matches" not in row_of(usage(node(gpu("GPU-1")), node_match=LABEL), held()).flags
