// Query: a question in SQL, answered; and the choice on the page, put as such a question.

import { CannotAsk } from "../engine/condition.js";
import { attributeOf, boxesOf } from "./boxes.js";
import { answerOfRow, grouped, MOST_ROWS } from "./grouped.js";
import { parse } from "./parse.js";

/** {columns, rows, answer(row)}: columns are names of dimensions and of the measure, rows as `grouped` gives them. */
export function query(engine, sql) {
  const asked = parse(sql);
  const measure = engine.facts.measure;
  const items = asked.items.map((item) => ({ ...item, attribute: item.name && attributeOf(item.name, engine) }));
  for (const item of items) checkMeasure(item, measure);
  const targets = asked.group.map((target) => itemOf(target, items, engine));
  if (targets.some((target) => !target.attribute)) throw new CannotAsk("GROUP BY takes dimensions");
  const group = [...new Set(targets.map((target) => target.attribute))];
  const lone = items.find((item) => item.attribute && !group.includes(item.attribute));
  if (lone) throw new CannotAsk(`${lone.attribute.name} must be in GROUP BY to be listed`);
  if (!items.some((item) => item.measure)) throw new CannotAsk(`list ${measure} too: a view holds totals, not rows`);
  const axes = group.map((attribute) => attribute.axis);
  const bins = group.map((attribute) => codesOf(attribute));
  const boxes = boxesOf(asked.where, engine);
  const rows = boxes.length ? grouped(engine, boxes, axes, bins) : nothing(axes);
  sortRows(
    rows,
    asked.order.map((target) => ({ ...itemOf(target, items, engine), down: target.down })),
    group,
  );
  const shown = asked.limit === null ? rows : rows.slice(0, asked.limit);
  return {
    columns: items.map((item) => ({
      name: item.alias ?? item.attribute?.name ?? item.measure,
      group: group.indexOf(item.attribute),
    })),
    rows: shown,
    answer: (row) => answerOfRow(engine, boxes, axes, row),
  };
}

/** The question that the filters and groups on the page ask. */
export function questionOf(engine, filters, group) {
  const names = group.map((axis) => nameInSql(engine.attributes[axis].name));
  const conditions = Object.entries(filters).map(([axis, intervals]) =>
    conditionOf(engine.attributes[axis], intervals),
  );
  const lines = [`SELECT ${[...names, engine.facts.measure].join(", ")}`, "FROM view"];
  if (conditions.length) lines.push(`WHERE ${conditions.join("\n  AND ")}`);
  if (names.length) lines.push(`GROUP BY ${names.join(", ")}`);
  return lines.join("\n");
}

function conditionOf(attribute, intervals) {
  const name = nameInSql(attribute.name);
  const parts = [];
  const listed = [];
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

function rangeInSql(attribute, name, low, high) {
  const write = (tick) => (attribute.isCalendar ? textInSql(attribute.text(tick)) : attribute.text(tick));
  const [from, to] = [attribute.tickAt(low), attribute.tickAt(high)];
  if (attribute.step) return `${name} BETWEEN ${write(from)} AND ${write(to - attribute.step)}`;
  return `${name} >= ${write(from)} AND ${name} < ${write(to)}`;
}

/** Values that are neither listed nor missing. */
function otherInSql(attribute, name) {
  if (!attribute.ordered) return `${name} NOT IN (${attribute.names.map(textInSql).join(", ")})`;
  return `NOT (${rangeInSql(attribute, name, 0, attribute.count)})`;
}

function nameInSql(name) {
  return /^[a-z_][a-z0-9_]*$/i.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function textInSql(text) {
  return `'${text.replaceAll("'", "''")}'`;
}

function checkMeasure(item, measure) {
  if (item.number !== undefined) throw new CannotAsk("SELECT takes dimensions and the measure, not numbers");
  if (item.measure && item.measure !== measure) throw new CannotAsk(`this view tells ${measure}, not ${item.measure}`);
}

/** What a name, an alias, the measure or a number in GROUP BY and ORDER BY means. */
function itemOf(target, items, engine) {
  if (target.number !== undefined) {
    const item = items[target.number - 1];
    if (!item) throw new CannotAsk(`there is no item ${target.number} in the list`);
    return item;
  }
  if (target.measure) {
    checkMeasure(target, engine.facts.measure);
    return target;
  }
  const named = items.find((item) => item.alias?.toLowerCase() === target.name.text.toLowerCase());
  return named ?? { attribute: attributeOf(target.name, engine) };
}

function sortRows(rows, order, group) {
  const keys = order.map((item) => {
    const place = group.indexOf(item.attribute);
    if (!item.measure && place < 0) throw new CannotAsk("ORDER BY takes what is listed: a dimension or the count");
    return { down: item.down ? -1 : 1, key: item.measure ? (row) => row.value : (row) => row.bins[place][0] };
  });
  rows.sort((a, b) => keys.reduce((found, { key, down }) => found || down * (key(a) - key(b)), 0));
}

function codesOf(attribute) {
  if (attribute.size > MOST_ROWS) {
    throw new CannotAsk(`${attribute.name} has ${attribute.size.toLocaleString("en-US")} values, too many to group by`);
  }
  return Array.from({ length: attribute.size }, (_, code) => [code, code + 1]);
}

/** The one row of a question without groups that selects nothing. */
function nothing(axes) {
  const answer = { value: 0, stderr: 0, low: 0, high: 0 };
  return axes.length ? [] : [{ labels: [], bins: [], value: 0, answer }];
}
