// Note: what a reader should know of numbers, in words beside them.

import { el } from "./dom.ts";

/** A line that is hidden while there is nothing to say. */
export class NoteLine {
  readonly element = el("p", { class: "note unmeasured", hidden: true });

  draw(words: string): void {
    this.element.hidden = words === "";
    this.element.textContent = words;
  }
}

/** Words on one row of a table, where they hold for some rows alone. */
export function noteTag(note: string): HTMLElement {
  return el("small", { class: "tag", title: note }, "taken as independent");
}
