// Coordinates: which two attributes are a longitude and a latitude, by their names or labels.

import type { Attribute } from "./attribute.ts";

const LATITUDE = /^(.*?)(latitude|lat)$/;
const LONGITUDE = /^(.*?)(longitude|long|lon|lng)$/;
const KILOMETERS = 111.195; // of one degree along a meridian

/** The axes of a longitude and a latitude that belong together; null if there are none. */
export function coordinatesOf(attributes: Attribute[]): [longitude: number, latitude: number] | null {
  const east = stems(attributes, LONGITUDE, 360);
  for (const [stem, latitude] of stems(attributes, LATITUDE, 90)) {
    const longitude = east.get(stem);
    if (longitude !== undefined) return [longitude, latitude];
  }
  return null;
}

/** Axes of attributes in degrees with such a name, by what stands before it. */
function stems(attributes: Attribute[], pattern: RegExp, most: number): Map<string, number> {
  const found = new Map<string, number>();
  for (const attribute of attributes) {
    const { type, count, axis } = attribute;
    if (type !== "number" && type !== "integer") continue;
    if (count < 2 || attribute.edge(0) < -most || attribute.edge(count) > most + attribute.step) continue;
    for (const name of [attribute.title, attribute.name]) {
      const match = pattern.exec(plain(name));
      if (match && !found.has(match[1])) found.set(match[1], axis);
    }
  }
  return found;
}

/** Letters in small, without signs between words and without a unit in brackets. */
function plain(name: string): string {
  return name
    .replace(/\(.*\)$/, "")
    .toLowerCase()
    .replace(/[^\p{L}]/gu, "");
}

/** Kilometers of one degree of latitude, and of one degree of longitude at a latitude. */
export function kilometers(latitude: number): [east: number, north: number] {
  return [KILOMETERS * Math.max(0.05, Math.cos((latitude * Math.PI) / 180)), KILOMETERS];
}
