// DOM: elements made from text and attributes. What comes from the data is always text, never markup.

/** Attributes by name: null and false leave one out, and names with "on" have listeners. */
export type Attributes = Record<string, string | number | boolean | null | undefined | Listener>;

type Listener = (() => void) | ((event: KeyboardEvent) => void);

type Child = Node | string | number | null | undefined;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return furnish(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/** Set attributes that changed; null removes one. */
export function set(element: Element, attributes: Record<string, string | number | boolean | null>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value))
      element.setAttribute(name, value === true ? "" : String(value));
  }
}

let made = 0;

/** A name that no other element has. */
export function freshId(stem: string): string {
  made += 1;
  return `${stem}-${made}`;
}

function furnish<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value !== null && value !== false && value !== undefined) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children)
    if (child !== null && child !== undefined) element.append(typeof child === "number" ? String(child) : child);
  return element;
}
