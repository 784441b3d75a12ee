// DOM: elements made from text and attributes. What comes from the data is always text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Attributes that are null or false are left out; "on…" are listeners. */
export function el(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

/** Set attributes that changed; null removes one. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) element.removeAttribute(name);
    else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, value === true ? "" : value);
  }
}

let made = 0;

/** A name that no other element has. */
export function freshId(stem) {
  made += 1;
  return `${stem}-${made}`;
}

function furnish(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
