// Note: what a reader should know of an answer. A mark has the sentence as its title, and shows it when it is pressed.

import { el, set } from "./dom.ts";

const MARK = "†";

/** A mark that opens; hidden while there is nothing to say. */
export class NoteMark {
  private readonly summary = el("summary", {}, MARK);
  private readonly words = el("span", { class: "note" });
  readonly element = el("details", { class: "mark", hidden: true }, this.summary, this.words);

  draw(note: string): void {
    this.element.hidden = note === "";
    this.words.textContent = note;
    set(this.summary, { title: note, "aria-label": `Note: ${note}` });
  }
}

/** A mark in a table; what it stands for is told below the table. */
export function noteSign(note: string): HTMLElement {
  return el("abbr", { class: "mark", title: note }, MARK);
}

/** The line below a table that says what its marks stand for. */
export class Footnote {
  readonly element = el("p", { class: "note foot", hidden: true });

  draw(note: string): void {
    this.element.hidden = note === "";
    this.element.textContent = note && `${MARK} ${note}`;
  }
}
