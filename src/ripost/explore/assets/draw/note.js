// Note: what a reader should know of an answer. A mark has the sentence as its title, and shows it when it is pressed.

import { el, set } from "./dom.js";

const MARK = "†";

/** A mark that opens; hidden while there is nothing to say. */
export class NoteMark {
  constructor() {
    this.summary = el("summary", {}, MARK);
    this.words = el("span", { class: "note" });
    this.element = el("details", { class: "mark", hidden: true }, this.summary, this.words);
  }

  draw(note) {
    this.element.hidden = note === "";
    this.words.textContent = note;
    set(this.summary, { title: note, "aria-label": `Note: ${note}` });
  }
}

/** A mark in a table; what it stands for is told below the table. */
export function noteSign(note) {
  return el("abbr", { class: "mark", title: note }, MARK);
}

/** The line below a table that says what its marks stand for. */
export class Footnote {
  constructor() {
    this.element = el("p", { class: "note foot", hidden: true });
  }

  draw(note) {
    this.element.hidden = note === "";
    this.element.textContent = note && `${MARK} ${note}`;
  }
}
