// ResultTable: rows with their totals and intervals, sorted by any column, and as CSV to take away.

import type { Row } from "../ask/question.ts";
import { compareLabels, isMeasure, type KeyColumn, type MeasureColumn, type Result } from "../ask/result.ts";
import { runSteps, type Steps } from "../engine/steps.ts";
import type { Figure } from "../engine/types.ts";
import type { Scheduler } from "../state/scheduler.ts";
import { el } from "./dom.ts";
import { digitsOf, formatNumber } from "./format.ts";
import { CSV, csvOf, saveFile } from "./menu.ts";
import { NoteLine, noteTag } from "./note.ts";
import { columnHead, scrolling, tableCell, tableRow } from "./table.ts";
import { sentence, TOO_FEW } from "./words.ts";

const FIRST_ROWS = 50;

type End = "value" | "low" | "high";

/** A column of the table that shows one end of a measure, or its value. */
interface EndColumn {
  name: string;
  of: MeasureColumn;
  end: End;
  key(row: Row): number | null;
}

type Title = KeyColumn | EndColumn;

export class ResultTable {
  readonly element: HTMLElement;
  private readonly body = el("tbody", { role: "rowgroup" });
  private readonly head = el("tr", { role: "row" });
  private readonly more: HTMLElement;
  private readonly save: HTMLElement;
  private readonly note = el("span", { class: "note" });
  private readonly foot = new NoteLine();
  private rows: Row[] = [];
  private titles: Title[] = [];
  private sorted: { title: Title; down: boolean } | null = null;
  private shown = FIRST_ROWS;
  private about = ""; // what to know of the whole result

  constructor(
    private readonly scheduler: Scheduler,
    private readonly kind: string,
    caption: string,
  ) {
    this.more = el("button", { type: "button", class: "quiet", onclick: () => this.showMore() }, "Show more");
    this.save = el("button", { type: "button", onclick: () => this.download() }, "Download CSV");
    this.element = el(
      "div",
      { class: "result" },
      scrolling(caption, this.head, this.body),
      this.foot.element,
      el("p", { class: "acts" }, this.save, this.more, this.note),
    );
    this.element.hidden = true;
  }

  /** Show {columns, rows} of a question; errors of the rows in sight are worked out soon. */
  show({ columns, rows, note = "" }: Result): void {
    Object.assign(this, { rows, sorted: null, shown: FIRST_ROWS, about: note });
    this.element.hidden = false;
    const alone = columns.filter(isMeasure).length === 1;
    this.titles = columns.flatMap((column): Title[] => (isMeasure(column) ? figureTitles(column, alone) : [column]));
    this.head.replaceChildren(
      ...this.titles.map((title) =>
        columnHead(
          { class: "text" in title ? "left" : null },
          el("button", { type: "button", onclick: () => this.sort(title) }, title.name),
        ),
      ),
    );
    this.fill();
  }

  private sort(title: Title): void {
    const down = this.sorted?.title === title ? !this.sorted.down : !("text" in title);
    this.sorted = { title, down };
    this.rows.sort((a, b) => compareLabels(title.key(a), title.key(b), { down }));
    [...this.head.children].forEach((cell, i) => {
      if (this.titles[i] === title) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    this.fill();
  }

  private showMore(): void {
    this.shown *= 4;
    this.fill();
  }

  private fill(): void {
    const rows = this.rows.slice(0, this.shown);
    const lines = rows.map((row) => tableRow(...this.titles.map((title) => cellOf(row, title))));
    this.body.replaceChildren(...lines);
    this.foot.draw(sentence(this.about));
    this.more.hidden = this.rows.length <= this.shown;
    const word = this.rows.length === 1 ? "row" : "rows";
    this.note.textContent = this.more.hidden
      ? `${formatNumber(this.rows.length)} ${word}`
      : `${formatNumber(rows.length)} of ${formatNumber(this.rows.length)} ${word}`;
    this.scheduler.start(this.kind, this.errors(rows, lines), 0);
  }

  private *errors(rows: Row[], lines: HTMLElement[]): Steps<void> {
    const noted = new Map<HTMLElement, string>();
    for (let i = 0; i < rows.length; i += 1) {
      for (let column = 0; column < this.titles.length; column += 1) {
        const title = this.titles[column];
        if ("text" in title) continue;
        const { of, end } = title;
        const figure = yield* of.figure(rows[i]);
        const cell = lines[i].children[column];
        cell.textContent = figureInPrint(figure, end, of);
        if (figure.note) noted.set(lines[i], figure.note);
      }
      yield;
    }
    const [note] = noted.values();
    this.foot.draw(sentence(note ?? this.about));
    if (noted.size === lines.length) return;
    for (const [line, words] of noted) line.firstElementChild?.append(noteTag(words));
  }

  /** All rows as CSV, with numbers in full. */
  private csv(): string {
    const lines = [this.titles.map(({ name }) => name)];
    for (const row of this.rows) {
      const cell = (title: Title) =>
        "text" in title ? title.text(row) : String(runSteps(title.of.figure(row))[title.end] ?? "");
      lines.push(this.titles.map(cell));
    }
    return csvOf(lines);
  }

  private download(): void {
    saveFile(`${this.kind}.csv`, new Blob([this.csv()], { type: CSV }));
  }
}

/** The columns of a measure: its value, and the ends of its interval. */
function figureTitles(of: MeasureColumn, alone: boolean): Title[] {
  const title = (end: End, name: string): EndColumn => ({
    name,
    of,
    end,
    key: (row) => runSteps(of.figure(row))[end],
  });
  const ends = (["low", "high"] as const).map((end) => title(end, alone ? end : `${of.name} ${end}`));
  return [{ ...title("value", of.name), key: (row) => of.value(row) }, ...ends];
}

function cellOf(row: Row, title: Title): HTMLElement {
  if ("text" in title) return tableCell("th", { class: "left" }, title.text(row) || "(empty)");
  const value = title.end === "value" && title.of.digits === 0 ? title.of.value(row) : null;
  return tableCell("td", { "data-label": title.name }, value === null ? "…" : formatNumber(value));
}

function figureInPrint(figure: Figure, end: End, { digits, print, isUntold }: MeasureColumn): string {
  if (end === "value" && isUntold?.(figure)) return TOO_FEW;
  const number = figure[end];
  if (number === null) {
    if (end === "high" && figure.low !== null) return "no limit"; // a ratio to what may be 0
    return figure.value === null && figure.low === null ? "none" : "unknown";
  }
  return print?.(number) ?? formatNumber(number, figure.low === null ? digits : digitsOf(figure));
}
