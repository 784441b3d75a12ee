// ResultTable: rows with their totals and intervals, sorted by any column, and as CSV to take away.

import { drained } from "../ask/query.js";
import { el } from "./dom.js";
import { isFormula } from "./formula.js";
import { digitsOf, inPrint } from "./format.js";
import { Footnote, noteSign } from "./note.js";

const FIRST_ROWS = 50;

export class ResultTable {
  constructor(later, kind, caption) {
    this.later = later;
    this.kind = kind;
    this.caption = caption;
    this.body = el("tbody");
    this.head = el("tr");
    this.more = el("button", { type: "button", class: "quiet", onclick: () => this.showMore() }, "Show more");
    this.save = el("button", { type: "button", onclick: () => this.download() }, "Download CSV");
    this.note = el("span", { class: "note" });
    this.foot = new Footnote();
    this.element = el(
      "div",
      { class: "result" },
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
        el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, this.head), this.body),
      ),
      this.foot.element,
      el("p", { class: "acts" }, this.save, this.more, this.note),
    );
    this.element.hidden = true;
  }

  /** Show {columns, rows} of a question; errors of the rows in sight are worked out soon. */
  show({ columns, rows }) {
    Object.assign(this, { rows, sorted: null, shown: FIRST_ROWS });
    this.element.hidden = false;
    const alone = columns.filter((column) => column.figure).length === 1;
    this.titles = columns.flatMap((column) => (column.figure ? figureTitles(column, alone) : [column]));
    this.head.replaceChildren(
      ...this.titles.map((title) =>
        el(
          "th",
          { scope: "col", class: title.text ? "left" : null },
          el("button", { type: "button", onclick: () => this.sort(title) }, title.name),
        ),
      ),
    );
    this.fill();
  }

  sort(title) {
    const down = this.sorted?.title === title ? !this.sorted.down : !title.text;
    this.sorted = { title, down };
    const sign = down ? -1 : 1;
    this.rows.sort((a, b) => sign * (title.key(a) - title.key(b)));
    [...this.head.children].forEach((cell, i) => {
      if (this.titles[i] === title) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
    this.fill();
  }

  showMore() {
    this.shown *= 4;
    this.fill();
  }

  fill() {
    const rows = this.rows.slice(0, this.shown);
    const lines = rows.map((row) => el("tr", {}, ...this.titles.map((title) => cellOf(row, title))));
    this.body.replaceChildren(...lines);
    this.foot.draw("");
    this.more.hidden = this.rows.length <= this.shown;
    const word = this.rows.length === 1 ? "row" : "rows";
    this.note.textContent = this.more.hidden
      ? `${inPrint(this.rows.length)} ${word}`
      : `${inPrint(rows.length)} of ${inPrint(this.rows.length)} ${word}`;
    this.later.start(this.kind, this.errors(rows, lines), 0);
  }

  *errors(rows, lines) {
    for (let i = 0; i < rows.length; i += 1) {
      for (let column = 0; column < this.titles.length; column += 1) {
        const { of, end } = this.titles[column];
        if (!of) continue;
        const figure = yield* of.figure(rows[i]);
        const cell = lines[i].children[column];
        cell.textContent = figureInPrint(figure, end, of.digits);
        if (end !== "value" || !figure.note) continue;
        cell.append(noteSign(figure.note));
        this.foot.draw(figure.note);
      }
      yield;
    }
  }

  /** All rows as CSV, with numbers in full. */
  csv() {
    const lines = [this.titles.map(({ name }) => field(name))];
    for (const row of this.rows) {
      lines.push(this.titles.map(({ text, of, end }) => (text ? field(text(row)) : String(drained(of.figure(row))[end] ?? ""))));
    }
    return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
  }

  download() {
    const address = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv;charset=utf-8" }));
    el("a", { href: address, download: `${this.kind}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
}

/** The columns of a measure: its value, and the ends of its interval. */
function figureTitles(of, alone) {
  const title = (end, name) => ({ name, of, end, key: (row) => drained(of.figure(row))[end] ?? -Infinity });
  const ends = ["low", "high"].map((end) => title(end, alone ? end : `${of.name} ${end}`));
  return [{ ...title("value", of.name), key: (row) => of.value(row) ?? -Infinity }, ...ends];
}

function cellOf(row, { text, of, end }) {
  if (text) return el("th", { scope: "row", class: "left" }, text(row) === "" ? "(empty)" : text(row));
  return el("td", {}, end === "value" && of.digits === 0 ? inPrint(of.value(row)) : "…");
}

function figureInPrint(figure, end, digits) {
  if (figure[end] === null) {
    if (end === "high" && figure.low !== null) return "no limit"; // a ratio to what may be 0
    return figure.value === null && figure.low === null ? "none" : "unknown";
  }
  return inPrint(figure[end], figure.low === null ? digits : digitsOf({ stderr: 0, ...figure }));
}

/** A text as a field of CSV; one that a spreadsheet would take for a formula gets an apostrophe before it. */
function field(text) {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
