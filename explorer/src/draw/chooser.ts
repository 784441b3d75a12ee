// Chooser: a list to pick one attribute from.

import type { Attribute } from "../engine/attribute.ts";
import type { Store } from "../state/store.ts";
import { el, freshId } from "./dom.ts";

export interface Chooser {
  element: HTMLElement;
  draw(axis: number | undefined): void;
}

interface Options {
  none?: string | null; // what stands for no attribute
  only?: (attribute: Attribute) => boolean;
}

export function chooser(
  store: Store,
  label: string,
  choose: (axis: number | null) => void,
  { none = null, only = () => true }: Options = {},
): Chooser {
  const options = store.engine.attributes
    .filter(only)
    .map((attribute) => el("option", { value: attribute.axis }, attribute.title));
  if (none !== null) options.unshift(el("option", { value: "" }, none));
  const id = freshId("choose");
  const select: HTMLSelectElement = el(
    "select",
    { id, onchange: () => choose(select.value === "" ? null : Number(select.value)) },
    ...options,
  );
  return {
    element: el("span", { class: "chooser" }, el("label", { for: id }, label), select),
    draw(axis) {
      select.value = String(axis ?? "");
    },
  };
}
