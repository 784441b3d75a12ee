// Legend: what the bars of all charts stand for.

import { el, svg } from "./dom.ts";

export function legend(hasMeans: boolean): HTMLElement {
  const sign = (...parts: SVGElement[]) =>
    svg("svg", { width: 22, height: 16, viewBox: "0 0 22 16", "aria-hidden": "true" }, ...parts);
  const bar = svg("rect", { class: "column", x: 6, y: 2, width: 10, height: 14 });
  const out = svg("rect", { class: "column out", x: 6, y: 2, width: 10, height: 14 });
  const errorBar = svg("path", { class: "band bars", d: "M11,2V14M7,2h8M7,14h8" });
  const band = svg("rect", { class: "band", x: 2, y: 4, width: 18, height: 8 });
  const items: [...SVGElement[], string][] = [
    [sign(bar), "estimate"],
    [sign(errorBar), sign(band), "95 % interval: it holds the true number in 95 of 100 cases"],
    [sign(out), "not selected"],
  ];
  const untold = svg("rect", { class: "column untold", x: 6, y: 0, width: 10, height: 16 });
  if (hasMeans) items.push([sign(untold), "too few rows to tell a mean"]);
  return el(
    "ul",
    { class: "key", "aria-label": "Legend of the charts" },
    ...items.map((item) => el("li", {}, ...item)),
  );
}
