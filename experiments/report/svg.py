"""SVG inside a page: one drawing of many, that neither clashes with the others nor asks for anything outside."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG, XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
PIXELS = {"": 1.0, "px": 1.0, "pt": 4 / 3, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4}
_DROPPED = {f"{{{SVG}}}{name}" for name in ("metadata", "script", "foreignObject")}
_LINKS = ("href", f"{{{XLINK}}}href")


def inline_drawing(path: Path, *, prefix: str, alt: str) -> str:
    """The drawing as an element for HTML: its ids begin with prefix, its styles stay in it, its width may shrink."""
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", XLINK)
    root = ElementTree.fromstring(path.read_text("utf-8"))
    _prune(root)
    for element in root.iter():
        _rename(element, prefix)
        if element.tag == f"{{{SVG}}}style":
            element.text = _scope_rules(_references(element.text or "", prefix), prefix)
    _fit(root)
    root.attrib |= {"id": prefix, "role": "img", "aria-label": alt}
    return ElementTree.tostring(root, encoding="unicode").strip()


def _prune(parent: Element) -> None:
    for child in list(parent):
        if child.tag in _DROPPED:
            parent.remove(child)
        else:
            _prune(child)


def _rename(element: Element, prefix: str) -> None:
    for name, value in list(element.attrib.items()):
        if name == "id":
            element.set(name, f"{prefix}-{value}")
        elif name in _LINKS and value.startswith("#"):
            element.set(name, f"#{prefix}-{value[1:]}")
        elif name.startswith("on") or (name in _LINKS and not value.startswith("data:image/")):
            del element.attrib[name]
        else:
            element.set(name, _references(value, prefix))


def _references(text: str, prefix: str) -> str:
    return re.sub(r"""url\(\s*["']?#([^"')\s]+)["']?\s*\)""", rf"url(#{prefix}-\1)", text)


def _scope_rules(css: str, prefix: str) -> str:
    """Rules that hold inside this drawing only: matplotlib writes one for `*`, which would reach the whole page."""

    def scope(rule: re.Match[str]) -> str:
        parts = (part.strip().replace("#", f"#{prefix}-") for part in rule[1].split(","))
        return ", ".join(f"#{prefix} {part}" for part in parts) + rule[2]

    return re.sub(r"([^{}]+)(\{[^}]*\})", scope, css).strip()


def _fit(root: Element) -> None:
    """Leave the shape to the view box, and the width in pixels as that of a page with enough room."""
    width, height = _pixels(root.get("width")), _pixels(root.attrib.pop("height", None))
    if "viewBox" not in root.attrib:
        if not (width and height):
            raise ValueError("an SVG must have a viewBox, or a width and a height")
        root.set("viewBox", f"0 0 {width:g} {height:g}")
    width = width or float(root.attrib["viewBox"].replace(",", " ").split()[2])
    root.attrib |= {"width": f"{width:.0f}", "style": f"--natural: {width:.0f}px"}


def _pixels(length: str | None) -> float | None:
    found = re.fullmatch(r"([\d.]+)\s*([a-z]*)", (length or "").strip())
    return float(found[1]) * PIXELS[found[2]] if found and found[2] in PIXELS else None
