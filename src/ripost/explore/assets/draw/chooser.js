// Chooser: a list to pick one dimension from.

import { el, freshId } from "./dom.js";

export function chooser(store, label, choose, { none = null, only = () => true } = {}) {
  const options = store.engine.attributes
    .filter(only)
    .map((attribute) => el("option", { value: attribute.axis }, attribute.title));
  if (none !== null) options.unshift(el("option", { value: "" }, none));
  const id = freshId("choose");
  const select = el(
    "select",
    { id, onchange: () => choose(select.value === "" ? null : Number(select.value)) },
    ...options,
  );
  return {
    element: el("span", { class: "chooser" }, el("label", { for: id }, label), select),
    draw: (axis) => (select.value = axis ?? ""),
  };
}
