// Table: elements of tables. On a narrow screen style.css stacks the cells of a row, each behind its column's name, so the
// roles that browsers then forget are written down.

import { type Attributes, el } from "./dom.ts";

type Child = Node | string | null;

/** A table with its head and its rows, in a region that scrolls. */
export function tableRegion(label: string, head: HTMLElement[], rows: HTMLElement[]): HTMLElement {
  const body = el("tbody", { role: "rowgroup" }, ...rows);
  return scrolling(label, el("tr", { role: "row" }, ...head), body);
}

/** The same of a row of column heads and a body that change. */
export function scrolling(label: string, head: HTMLElement, body: HTMLElement): HTMLElement {
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    el(
      "table",
      { role: "table" },
      el("caption", { class: "unseen" }, label),
      el("thead", { role: "rowgroup" }, head),
      body,
    ),
  );
}

export function tableRow(...cells: HTMLElement[]): HTMLElement {
  return el("tr", { role: "row" }, ...cells);
}

export function columnHead(attributes: Attributes, ...children: Child[]): HTMLElement {
  return el("th", { scope: "col", role: "columnheader", ...attributes }, ...children);
}

export function tableCell(tag: "th" | "td", attributes: Attributes, ...children: Child[]): HTMLElement {
  const role = tag === "th" ? { scope: "row", role: "rowheader" } : { role: "cell" };
  return el(tag, { ...role, ...attributes }, ...children);
}
