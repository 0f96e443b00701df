from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.site_path import LONGEST, UnableToKeepPath, site_path

HERE = "https://moorage.example.com/where/ever/?x=1"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("/", "/"),
        ("/pools/serve-h100/2026-03/?day=2026-03-03&zone=Europe%2FBerlin", None),
        ("/pools/serve-h100/2026-03/?day=2026-03-03#hours", "/pools/serve-h100/2026-03/?day=2026-03-03"),
        ("/search/?q=//evil.example.com", None),
        ("/fleet/?", "/fleet/"),
    ],
)
def test_an_address_of_ours_is_kept_without_its_fragment(text: str, kept: str | None) -> None:
    assert site_path(text) == (text if kept is None else kept)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "pools/",
        "//evil.example.com/",
        "///evil.example.com/",
        "/\\evil.example.com/",
        "\\\\evil.example.com",
        "https://evil.example.com/",
        "javascript:alert(1)",
        "/a\r\nLocation: https://evil.example.com/",
        "/a\nb",
        "/\t/evil.example.com",
        " /fleet/",
        "/fleet/ ",
        "/\x00",
        "/" + "a" * LONGEST,
    ],
)
def test_an_address_that_leads_away_or_cannot_be_one_is_refused(text: str) -> None:
    with pytest.raises(UnableToKeepPath):
        site_path(text)


@given(st.text(st.sampled_from("/\\:@?#.ae\t\r\n %"), max_size=12) | st.text(max_size=40))
def test_whatever_is_kept_leads_a_browser_to_this_site(text: str) -> None:
    try:
        kept = site_path(text)
    except UnableToKeepPath:
        return
    # a browser reads a backslash as a slash and drops tabs and line ends
    read = kept.replace("\\", "/").translate({9: None, 10: None, 13: None}).strip()
    assert urlsplit(urljoin(HERE, read)).netloc == "moorage.example.com"
    assert site_path(kept) == kept
