// Compose: the choice on the page, put as a question in SQL.

import type { Attribute } from "../engine/attribute.ts";
import type { Engine } from "../engine/engine.ts";
import type { Quantity } from "../engine/measured.ts";
import type { Intervals, Selection } from "../engine/types.ts";
import { heldInSql } from "./measures.ts";

/** The question that the filters and groups on the page ask. */
export function questionOf(engine: Engine, filters: Selection, group: number[], quantity: Quantity = null): string {
  const names = group.map((axis) => nameInSql(engine.attributes[axis].name));
  const conditions = Object.entries(filters).map(([axis, intervals]) =>
    conditionOf(engine.attributes[Number(axis)], intervals),
  );
  const asked = quantity
    ? `${quantity.what === "sum" ? "SUM" : "AVG"}(${nameInSql(quantity.measure.name)})`
    : heldInSql(engine.facts.measure);
  const lines = [`SELECT ${[...names, asked].join(", ")}`, "FROM view"];
  if (conditions.length) lines.push(`WHERE ${conditions.join("\n  AND ")}`);
  if (names.length) lines.push(`GROUP BY ${names.join(", ")}`);
  return lines.join("\n");
}

function conditionOf(attribute: Attribute, intervals: Intervals): string {
  const name = nameInSql(attribute.name);
  const parts: string[] = [];
  const listed: string[] = [];
  for (const [low, high] of intervals) {
    const end = Math.min(high, attribute.count);
    if (!attribute.ordered) for (let code = low; code < end; code += 1) listed.push(textInSql(attribute.names[code]));
    else if (low < end) parts.push(rangeInSql(attribute, name, low, end));
    if (attribute.other && low <= attribute.count && attribute.count < high) parts.push(otherInSql(attribute, name));
    if (attribute.missing && low <= attribute.missingCode && attribute.missingCode < high)
      parts.push(`${name} IS NULL`);
  }
  if (listed.length) parts.unshift(`${name} IN (${listed.join(", ")})`);
  if (parts.length === 0) return `(${name} IS NULL AND ${name} IS NOT NULL)`; // nothing is selected
  return parts.length === 1 ? parts[0] : `(${parts.join(" OR ")})`;
}

function rangeInSql(attribute: Attribute, name: string, low: number, high: number): string {
  const write = (tick: number) => (attribute.isCalendar ? textInSql(attribute.text(tick)) : attribute.text(tick));
  const [from, to] = [attribute.tickAt(low), attribute.tickAt(high)];
  if (attribute.step) return `${name} BETWEEN ${write(from)} AND ${write(to - attribute.step)}`;
  return `${name} >= ${write(from)} AND ${name} < ${write(to)}`;
}

/** Values that are neither listed nor missing. */
function otherInSql(attribute: Attribute, name: string): string {
  if (!attribute.ordered) return `${name} NOT IN (${attribute.names.map(textInSql).join(", ")})`;
  return `NOT (${rangeInSql(attribute, name, 0, attribute.count)})`;
}

function nameInSql(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function textInSql(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
