// Statement: what was promised, in plain words, and the ledger of what was spent on what.

import type { Facts } from "../engine/facts.ts";
import { el, freshId } from "./dom.ts";
import { formatNumber } from "./format.ts";
import { columnHead, tableCell, tableRegion, tableRow } from "./table.ts";
import { listOf as namesInWords } from "./words.ts";

/** The shout for a view that protects nobody; null for one that does. */
export function warning({ privacy }: Facts): HTMLElement | null {
  return privacy.warning
    ? el("p", { class: "warning", role: "alert" }, `${privacy.warning}. Never give this view away.`)
    : null;
}

/** The title, and what the page is in one sentence. */
export function heading(facts: Facts): HTMLElement {
  const { axes, privacy, description, notes = [], measures = [] } = facts;
  const sums = measures.length ? `, with sums and means of ${namesInWords(measures.map(({ name }) => name))}` : "";
  const what = `A summary of a table by ${axes.length} ${axes.length === 1 ? "attribute" : "attributes"}${sums}`;
  const noise = privacy.warning
    ? "with noise that protects nobody"
    : `in which noise protects ${privacy.unit} (differential privacy, epsilon ${shortNumber(privacy.epsilon)})`;
  const about = `${what}, ${noise}: every number is an estimate with a 95 % interval.`;
  const lines = [about, description, ...notes].filter(Boolean);
  return el("header", { class: "title" }, el("h1", {}, facts.title), ...lines.map((line) => el("p", {}, line ?? "")));
}

export function statement(facts: Facts): HTMLElement {
  const { privacy, periods } = facts;
  const id = freshId("privacy");
  const costliest = periods ? ", in the costliest period" : "";
  const words = [privacy.promise, ...privacy.words];
  const noise =
    "All numbers here are estimates. Noise was added on purpose, and the distribution inside a block is estimated. " +
    "The 95 % intervals allow for both. Where a method gives no error, the page says so.";
  const titles = new Map(
    facts.axes.map(({ name, label }) => [`histogram of ${name}`, `histogram of ${label || name}`]),
  );
  const named = (purpose: string) => titles.get(purpose) ?? purpose;
  const independent =
    "Some attributes were measured together. Where the page says that this was not close enough, the numbers mostly " +
    "assume that they are independent.";
  return el(
    "section",
    { class: "panel privacy", "aria-labelledby": id },
    el("header", {}, el("h2", { id }, "Privacy")),
    ...[...words, noise, ...(hasNotes(facts) ? [independent] : [])].map((sentence) => el("p", {}, sentence)),
    listOf(facts),
    periods ? periodTable(periods) : null,
    el(
      "details",
      {},
      el("summary", {}, "What the budget was spent on"),
      el("p", {}, `Along the path from the whole table to a block with the largest privacy loss${costliest}.`),
      ledger(
        "What the budget was spent on",
        ["spent on", "by", privacy.currency],
        privacy.ledger.map(([purpose, by, price]) => [named(purpose), by, shortNumber(price)]),
      ),
    ),
    el(
      "details",
      {},
      el("summary", {}, `All ${formatNumber(privacy.entries.length)} entries of the ledger${costliest}`),
      ledger(
        "All entries of the ledger",
        ["purpose", "mechanism", "statistic", "sensitivity", privacy.currency, "blocks"],
        privacy.entries.map(([purpose, mechanism, statistic, sensitivity, price, blocks]) => [
          named(purpose),
          mechanism,
          statistic,
          String(sensitivity),
          price,
          formatNumber(blocks),
        ]),
      ),
    ),
  );
}

function hasNotes({ content }: Facts): boolean {
  return [content, ...(content.periods ?? [])].some(
    (part) => part.mixture || (part.errorModel?.note_share ?? null) !== null,
  );
}

/** What each period of a series was published with. */
function periodTable({ rule, lines }: NonNullable<Facts["periods"]>): HTMLElement {
  const head = ["period", "method", "digest", "epsilon", "delta", "debit"];
  const rows = lines.map((line) => [
    line.period,
    line.method,
    line.digest.slice(0, 16),
    shortNumber(line.epsilon),
    shortNumber(line.delta),
    line.debit,
  ]);
  const label = `The ${formatNumber(lines.length)} periods of ${rule}`;
  return el("details", {}, el("summary", {}, label), ledger(label, head, rows, 3));
}

function listOf(facts: Facts): HTMLElement {
  const { privacy } = facts;
  const pairs = [
    ["definition", privacy.definition],
    ["epsilon", `${shortNumber(privacy.epsilon)}, of which ${shortNumber(privacy.spent)} was spent`],
    ...(privacy.delta ? [["delta", shortNumber(privacy.delta)]] : []),
    ["protects", privacy.unit],
    ["noise from", privacy.entropy],
    ["method", facts.method],
    ["holds", `${formatNumber(facts.rows)} ${facts.noun} for ${groupedDigits(facts.cells)} cells`],
    ["made by", facts.software],
  ];
  return el("dl", {}, ...pairs.flatMap(([name, fact]) => [el("dt", {}, name), el("dd", {}, fact)]));
}

function ledger(
  label: string,
  head: string[],
  rows: string[][],
  right = Math.max(2, head.indexOf("sensitivity")),
): HTMLElement {
  const side = (i: number) => (i < right ? "left" : null);
  const line = (cells: string[]) =>
    tableRow(...cells.map((text, i) => tableCell("td", { class: side(i), "data-label": head[i] }, text)));
  return tableRegion(
    label,
    head.map((text, i) => columnHead({ class: side(i) }, text)),
    rows.map(line),
  );
}

function shortNumber(number: number): string {
  return String(Number(number.toPrecision(6)));
}

function groupedDigits(text: string): string {
  if (text.length > 15) return `about 10^${text.length - 1}`;
  return text.replace(/\B(?=(\d{3})+$)/g, ",");
}
