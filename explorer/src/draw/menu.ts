// Menu: save a chart as a picture or its numbers as CSV.

import { el } from "./dom.ts";
import { isFormula } from "./formula.ts";

const SCALE = 2; // pixels of a PNG for one of the screen

/** What a chart can be saved as. */
interface Saved {
  name(): string; // of the file, without its ending
  picture(): SVGElement;
  table(): string[][];
}

/** A button that opens to SVG, PNG and CSV. */
export function saveMenu(title: string, saved: Saved): HTMLElement {
  const save = (end: string, run: () => void) => {
    const act = () => {
      run();
      menu.open = false;
      summary.focus();
    };
    return el("button", { type: "button", onclick: act, "aria-label": `${title}: save ${end}` }, end);
  };
  const summary = el("summary", { "aria-label": `Save ${title}` }, "Save");
  const text = () => new XMLSerializer().serializeToString(saved.picture());
  const menu: HTMLDetailsElement = el(
    "details",
    { class: "menu", onkeydown: (event: KeyboardEvent) => event.key === "Escape" && summary.click() },
    summary,
    el(
      "div",
      {},
      save("SVG", () => saveFile(`${saved.name()}.svg`, new Blob([text()], { type: "image/svg+xml" }))),
      save("PNG", () => void savePng(`${saved.name()}.png`, saved.picture())),
      save("CSV", () => saveFile(`${saved.name()}.csv`, new Blob([csvOf(saved.table())], { type: CSV }))),
    ),
  );
  return menu;
}

export const CSV = "text/csv;charset=utf-8";

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

async function savePng(name: string, picture: SVGElement): Promise<void> {
  const [width, height] = ["width", "height"].map((side) => SCALE * Number(picture.getAttribute(side)));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(picture))}`;
  await image.decode();
  const canvas = el("canvas", { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  canvas.toBlob((blob) => blob && saveFile(name, blob), "image/png");
}

/** Rows of fields as CSV. */
export function csvOf(rows: string[][]): string {
  return `${rows.map((row) => row.map(field).join(",")).join("\r\n")}\r\n`;
}

/** A text as a field of CSV; one that a spreadsheet would take for a formula gets an apostrophe before it. */
function field(text: string): string {
  const safe = isFormula(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A text as a part of a file's name. */
export function fileName(text: string): string {
  return (
    text
      .normalize("NFKD")
      .replace(/[^\w]+/g, "-")
      .replace(/^-+|-+$/g, "")
      .slice(0, 60) || "chart"
  );
}
