// ResultTable: rows with their totals and intervals, sorted by any column, and as CSV to take away.

import { el } from "./dom.js";
import { digitsOf, inPrint } from "./format.js";

const FIRST_ROWS = 50;
const FORMULA = /^[=+@\t\r]|^-(?!\d)/; // what a spreadsheet would run

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
    this.element = el(
      "div",
      { class: "result" },
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
        el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, this.head), this.body),
      ),
      el("p", { class: "acts" }, this.save, this.more, this.note),
    );
    this.element.hidden = true;
  }

  /** Show {columns, rows, answer(row)}; errors of the rows in sight are worked out soon. */
  show({ columns, rows, answer }) {
    Object.assign(this, { columns, rows, answer, sorted: null, shown: FIRST_ROWS });
    this.element.hidden = false;
    this.titles = [
      ...columns.map(({ name, group }) => ({
        name,
        key: group >= 0 ? (row) => row.bins[group][0] : (row) => row.value,
        group,
      })),
      { name: "low", key: (row) => this.answer(row).low ?? -1, end: "low" },
      { name: "high", key: (row) => this.answer(row).high ?? -1, end: "high" },
    ];
    this.head.replaceChildren(
      ...this.titles.map((title) =>
        el(
          "th",
          { scope: "col", class: title.group >= 0 ? "left" : null },
          el("button", { type: "button", onclick: () => this.sort(title) }, title.name),
        ),
      ),
    );
    this.fill();
  }

  sort(title) {
    const down = this.sorted?.title === title ? !this.sorted.down : !(title.group >= 0);
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
    const lines = rows.map((row) => el("tr", {}, ...this.titles.map(({ group, end }) => this.cellOf(row, group, end))));
    this.body.replaceChildren(...lines);
    this.more.hidden = this.rows.length <= this.shown;
    const word = this.rows.length === 1 ? "row" : "rows";
    this.note.textContent = this.more.hidden
      ? `${inPrint(this.rows.length)} ${word}`
      : `${inPrint(rows.length)} of ${inPrint(this.rows.length)} ${word}`;
    this.later.start(this.kind, this.errors(rows, lines), 0);
  }

  cellOf(row, group, end) {
    if (group >= 0)
      return el("th", { scope: "row", class: "left" }, row.labels[group] === "" ? "(empty)" : row.labels[group]);
    return el("td", {}, end ? "…" : inPrint(row.value));
  }

  *errors(rows, lines) {
    for (let i = 0; i < rows.length; i += 1) {
      const answer = this.answer(rows[i]);
      const digits = digitsOf(answer);
      this.titles.forEach(({ group, end }, column) => {
        if (group >= 0) return;
        const number = end ? answer[end] : answer.value;
        lines[i].children[column].textContent = number === null ? "unknown" : inPrint(number, digits);
      });
      yield;
    }
  }

  /** All rows as CSV, with numbers in full. */
  csv() {
    const lines = [this.titles.map(({ name }) => field(name))];
    for (const row of this.rows) {
      const answer = this.answer(row);
      lines.push(
        this.titles.map(({ group, end }) => {
          if (group >= 0) return field(row.labels[group]);
          return String((end ? answer[end] : answer.value) ?? "");
        }),
      );
    }
    return `${lines.map((line) => line.join(",")).join("\r\n")}\r\n`;
  }

  download() {
    const address = URL.createObjectURL(new Blob([this.csv()], { type: "text/csv;charset=utf-8" }));
    el("a", { href: address, download: `${this.kind}.csv` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
}

/** A text as a field of CSV; one that a spreadsheet would take for a formula gets an apostrophe before it. */
function field(text) {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
