"""A report is one value with two faces: both say the same, nothing in it is taken for markup, nothing is fetched."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from experiments.report.document import Command, Document, Figure, Section, Table, Text
from experiments.report.inline import html_of, markdown_of, plain_of
from experiments.report.page import STYLE, kind_of

DRAWING = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="72pt" height="36pt" id="top">
 <metadata>made by nobody</metadata><script>alert(1)</script>
 <defs><style type="text/css">*{stroke: red} #line, .b {fill: none}</style>
 <clipPath id="clip"><path id="mark"/></clipPath></defs>
 <g clip-path="url(#clip)" onclick="alert(2)" style="marker: url('#mark')"><use xlink:href="#mark"/>
 <image href="https://example.org/a.png"/><image href="data:image/png;base64,AA=="/></g>
</svg>"""
CLAIMS = Table(
    ("claim", "ratio", "verdict"),
    (("`a|b` < c", "1.2", "confirmed"), ("**d**", "0.9", "partly: at 0.1"), ("e", "-", "not confirmed")),
    verdict=2,
)
REPORT = Document(
    "Paper & `code`",
    (Text("A <b>lead</b> & *more*."), CLAIMS),
    (
        Section("One: first", (Figure("a", "The *first*", 'says "a" [x]'), Command("a <b> && c-d"))),
        Section("One first", (Figure("a", "The second", "b"),)),
    ),
)


class Page(HTMLParser):
    """Collects attributes and checks that elements are closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, *names: str) -> list[str]:
        return [value for _, name, value in self.attributes if name in names]


@pytest.fixture
def drawings(tmp_path: Path) -> Path:
    (tmp_path / "a.svg").write_text(DRAWING, "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "page", "markdown"),
    [
        ("a **b *c*** d", "a <strong>b <em>c</em></strong> d", "a **b *c*** d"),
        ("2 * 3 * 4", "2 * 3 * 4", r"2 \* 3 \* 4"),
        ("`**a** <b>`", "<code>**a** &lt;b&gt;</code>", "`**a** <b>`"),
        ("``a ` b``", "<code>a ` b</code>", "``a ` b``"),
        ("[`m[a=1]`](x.md)", '<a href="x.md"><code>m[a=1]</code></a>', "[`m[a=1]`](x.md)"),
        ("[a](https://b/c_(d)?e&f)", '<a href="https://b/c_(d)?e&amp;f">a</a>', "[a](https://b/c_(d)?e&f)"),
        ("ripost[a=1] _x_ a_b", "ripost[a=1] _x_ a_b", r"ripost[a=1] \_x\_ a_b"),
        ("a < b, <i> &amp;\n c", "a &lt; b, &lt;i&gt; &amp;amp; c", "a < b, &lt;i> &amp;amp; c"),
    ],
)
def test_marks_are_kept_and_all_else_is_escaped(words: str, page: str, markdown: str) -> None:
    assert html_of(words) == page
    assert markdown_of(words) == markdown


def test_plain_words_have_no_marks() -> None:
    assert plain_of("a **b *c*** `d*e` [f](g)") == "a b c d*e f"


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "JavaScript:x"])
def test_a_link_that_runs_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="a link must be http"):
        html_of(f"[a]({url})")


def test_markdown_in_full() -> None:
    assert REPORT.markdown() == (
        "# Paper & `code`\n\nA &lt;b>lead&lt;/b> & *more*.\n\n"
        "| claim | ratio | verdict |\n| --- | ---: | --- |\n"
        "| `a\\|b` < c | 1.2 | confirmed |\n| **d** | 0.9 | partly: at 0.1 |\n| e | - | not confirmed |\n\n"
        "## Contents\n\n- [One: first](#one-first)\n- [One first](#one-first-1)\n\n"
        '## One: first\n\n![says "a" \\[x\\]](figures/a.svg)\n\n**Figure 1.** The *first*\n\n'
        "```console\n$ a <b> && c-d\n```\n\n"
        "## One first\n\n![b](figures/a.svg)\n\n**Figure 2.** The second\n"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [("# a", "\\# a"), ("- a", "\\- a"), ("12. a", "12\\. a"), ("> a", "\\> a"), ("* a", "\\* a"), ("a", "a")],
)
def test_a_paragraph_begins_no_block(words: str, expected: str) -> None:
    assert Document("t", (Text(words),), ()).markdown() == f"# t\n\n{expected}\n"


def test_a_command_with_backticks_has_a_longer_fence() -> None:
    assert "````console\n$ echo ```\n````" in Document("t", (Command("echo ```"),), ()).markdown()


def test_the_page_is_whole_and_fetches_nothing(drawings: Path) -> None:
    text = REPORT.html(drawings)
    page = Page(text)
    assert "alert" not in text and "<script" not in text and "made by nobody" not in text
    assert "<?xml" not in text and text.count("<!DOCTYPE") == 1
    assert all(value.startswith(("#", "data:")) for value in page.values("href", "xlink:href", "src"))
    assert "@import" not in text and not re.search(r"url\((?!#)", text)
    assert "A &lt;b&gt;lead&lt;/b&gt; &amp; <em>more</em>." in text
    assert "<title>Paper &amp; code</title>" in text


def test_ids_are_unique_and_every_reference_has_one(drawings: Path) -> None:
    text = REPORT.html(drawings)
    page = Page(text)
    ids = page.values("id")
    assert len(set(ids)) == len(ids)
    used = [value[1:] for value in page.values("href", "xlink:href") if value.startswith("#")]
    used += re.findall(r"url\(#([^)]+)\)", text)
    assert {"one-first", "one-first-1", "figure-1-clip", "figure-2-mark"} <= set(used) <= set(ids)


def test_the_styles_of_a_drawing_stay_in_it(drawings: Path) -> None:
    text = REPORT.html(drawings)
    assert "#figure-2 *{stroke: red}" in text and "#figure-2 #figure-2-line, #figure-2 .b{fill: none}" in text


def test_a_drawing_keeps_its_shape_and_says_what_it_shows(drawings: Path) -> None:
    page = Page(REPORT.html(drawings))
    assert ("svg", "viewbox", "0 0 96 48") in page.attributes and ("svg", "width", "96") in page.attributes
    assert ("svg", "aria-label", 'says "a" [x]') in page.attributes


def test_two_drawings_of_matplotlib_share_a_page(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    from matplotlib import pyplot

    for name in ("a", "b"):
        figure, axes = pyplot.subplots(figsize=(2, 1))
        axes.plot([1, 2], marker="o")
        figure.savefig(tmp_path / f"{name}.svg")
        pyplot.close(figure)
    text = Document("t", (Figure("a", "a", "a"), Figure("b", "b", "b")), ()).html(tmp_path)
    ids = Page(text).values("id")
    assert len(set(ids)) == len(ids) > 20
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(ids)
    assert "ns0:" not in text


def test_verdicts_are_badges_and_their_reasons_are_not(drawings: Path) -> None:
    text = REPORT.html(drawings)
    assert '<span class="badge yes">confirmed</span></td>' in text
    assert '<span class="badge partly">partly</span> at 0.1</td>' in text
    assert '<span class="badge no">not confirmed</span></td>' in text
    kinds = [kind_of(word) for word in ("Confirmed", "partly confirmed", "not tested", "no", "none", "**yes**")]
    assert kinds == ["yes", "partly", "open", "no", "open", "yes"]


def test_words_have_enough_contrast_in_light_dark_and_print() -> None:
    schemes = STYLE.read_text("utf-8").split(":root")[1:]
    assert len(schemes) == 3
    for scheme in schemes:
        colours = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", scheme))
        pairs = [(f"{kind}-ink", f"{kind}-paper") for kind in ("yes", "partly", "no", "open")]
        pairs += [(ink, paper) for ink in ("ink", "quiet", "link") for paper in ("paper", "raised")]
        for ink, paper in pairs:
            assert _contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)  # WCAG 2, level AA


def test_a_wrong_part_names_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="a row must have 2 cells, got 1"):
        Table(("a", "b"), (("c",),))
    with pytest.raises(ValueError, match="verdict must be a column from 0 to 0, got 1"):
        Table(("a",), (), verdict=1)
    with pytest.raises(ValueError, match="name must be that of a file"):
        Figure("../a", "", "")


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    levels = (channel / 255 for channel in bytes.fromhex(colour[1:]))
    linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
