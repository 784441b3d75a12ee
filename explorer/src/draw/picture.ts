// Picture: a chart that stands by itself, with its title, what it shows, and the colors of the page.

import type { Quantity } from "../engine/measured.ts";
import type { Answer } from "../engine/types.ts";
import { isUntold } from "../state/quantity.ts";
import { svg } from "./dom.ts";
import { formatNumber, formatValue, truncate } from "./format.ts";
import { hasCap, placeOn, scaleOf } from "./scale.ts";
import { TOO_FEW } from "./words.ts";

const STYLES = "fill fill-opacity stroke stroke-width stroke-opacity opacity font-size visibility".split(" ");
const FONT = "system-ui, sans-serif";
const LINE = 20; // height of a named bar
const NAMES = 170; // width of names
const LETTERS = 26;
const MARGIN = 12;

/** A drawn chart with a title above and lines of text below it. */
export function framed(drawn: SVGElement, title: string, lines: string[]): SVGElement {
  const [width, height] = ["width", "height"].map((side) => Number(drawn.getAttribute(side)));
  const inner = copyWithStyles(drawn);
  for (const [name, value] of Object.entries({ x: MARGIN, y: 44, width, height })) inner.setAttribute(name, `${value}`);
  const ink = colorOf("--ink");
  const whole = { width: width + 2 * MARGIN, height: height + 56 + 18 * lines.length };
  return svg(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...whole, "font-family": FONT, "font-size": 12 },
    svg("rect", { ...whole, fill: colorOf("--paper") }),
    svg("text", { x: MARGIN, y: 28, "font-size": 16, "font-weight": 600, fill: ink }, title),
    inner,
    ...lines.map((line, i) => svg("text", { x: MARGIN, y: height + 60 + 18 * i, fill: colorOf("--quiet") }, line)),
  );
}

/** Bars with names, one below the other, with their intervals and totals. */
export function namedPicture(
  names: string[],
  values: ArrayLike<number>,
  answers: Answer[],
  quantity: Quantity,
): SVGElement {
  const width = 640;
  const most = Math.max(1e-9, ...Array.from(values), ...answers.map(({ high }) => high ?? 0));
  const scale = quantity ? scaleOf(values, answers.length ? answers : null, quantity) : { bottom: 0, top: most };
  const x = (value: number) => NAMES + placeOn(scale, value) * (width - NAMES - 90);
  const parts = names.flatMap((name, i) => {
    const y = i * LINE;
    const untold = answers[i] && isUntold(answers[i], quantity);
    const { low, high } = (!untold && answers[i]) || { low: null, high: null };
    const value = untold ? 0 : values[i];
    const [from, to] = [x(0), x(value)].sort((a, b) => a - b);
    const number = quantity && answers[i] ? formatValue(answers[i]) : formatNumber(values[i]);
    const text = (at: number, words: string, more = {}) =>
      svg("text", { x: at, y: y + 14, fill: colorOf("--ink"), "font-size": 12, ...more }, words);
    const middle = y + LINE / 2;
    const caps = low === null ? [] : [low, high].filter((end) => hasCap(scale, end, quantity));
    const ends = caps.map((end) => `M${x(end)} ${middle - 4}v8`).join("");
    const bar = low === null ? "" : `M${x(low)} ${middle}H${x(high)}${ends}`;
    return [
      text(NAMES - 8, truncate(name, LETTERS), { "text-anchor": "end" }),
      svg("rect", { x: from, y: y + 3, width: to - from, height: LINE - 6, fill: colorOf("--fill") }),
      svg("path", { d: bar, fill: "none", stroke: colorOf("--paper"), "stroke-width": 3.5 }),
      svg("path", { d: bar, fill: "none", stroke: colorOf("--band"), "stroke-width": 1.5 }),
      text(Math.max(to, x(high ?? 0)) + 8, untold ? TOO_FEW : number),
    ];
  });
  return svg("svg", { width, height: names.length * LINE + 4 }, ...parts);
}

function colorOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A copy that looks the same without the page's style. */
function copyWithStyles(drawn: SVGElement): SVGElement {
  const copy = drawn.cloneNode(true) as SVGElement;
  if (!drawn.isConnected) return copy;
  const [originals, copies] = [drawn, copy].map((one) => [one, ...one.querySelectorAll<SVGElement>("*")]);
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const name of STYLES) copies[i].setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "role", "aria-label", "aria-labelledby", "aria-describedby"])
      copies[i].removeAttribute(name);
  });
  return copy;
}
