// Query: a question in SQL, answered.

import { CannotAsk } from "../engine/condition.js";
import { attributeOf, boxesOf } from "./boxes.js";
import { grouped, MOST_ROWS } from "./grouped.js";
import { kept } from "./having.js";
import { heldInSql, measureOf } from "./measures.js";
import { parse } from "./parse.js";
import { keyRead, keyValue, Question } from "./question.js";

/** {columns, rows}: a column is {name, text(row), key(row)} of a dimension, or {name, digits, value(row), figure*(row)}. */
export function query(view, sql, { simultaneous = false } = {}) {
  const asked = parse(sql);
  const engine = view.jointly(1);
  const named = asked.items.map((item) => ({ ...item, attribute: item.name && attributeOf(item.name, engine) }));
  const group = groupOf(asked.group, named, engine);
  const boxes = boxesOf(asked.where, engine);
  const question = new Question(engine, boxes, group, { filtered: asked.having !== null });
  const items = named.map((item) => listed(item, question));
  if (!items.some((item) => item.measure))
    throw new CannotAsk(`list ${heldInSql(engine.facts.measure)} too: a view holds totals, not rows`);
  const term = (target) => columnOf(target, items, question);
  let rows = rowsOf(question);
  if (simultaneous || asked.simultaneous) engine.together = rows.length * measuresOf(asked.items);
  if (asked.having) rows = kept(asked.having, rows, term);
  sortRows(rows, asked.order, term);
  const end = asked.limit === null ? rows.length : asked.offset + asked.limit;
  return { columns: items.map((item) => item.column), rows: rows.slice(asked.offset, end) };
}

/** How many different measures are listed. */
function measuresOf(items) {
  const measures = items.filter(({ measure }) => measure);
  return new Set(measures.map(({ measure, text }) => measureKey(measure, text))).size;
}

/** The same for measures that are written alike. */
function measureKey(measure, text) {
  return JSON.stringify([text, measure]);
}

function groupOf(targets, items, engine) {
  const found = targets.map((target) => {
    const item = target.number === undefined ? byAlias(target, items) : atPlace(target, items);
    const attribute = item ? item.attribute : target.name && attributeOf(target.name, engine);
    if (!attribute) throw new CannotAsk("GROUP BY takes dimensions");
    return attribute;
  });
  return [...new Set(found)];
}

/** An item of the list with its column. */
function listed(item, question) {
  if (item.number !== undefined) throw new CannotAsk("SELECT takes dimensions and measures, not numbers");
  if (item.measure) {
    const measure = cached(measureOf(item, question));
    return { ...item, asked: item.measure, measure, column: { ...measure, name: item.alias ?? measure.title } };
  }
  const place = question.group.indexOf(item.attribute);
  if (place < 0) throw new CannotAsk(`${item.attribute.name} must be in GROUP BY to be listed`);
  return { ...item, column: keyColumn(item.alias ?? item.attribute.name, place) };
}

export function keyColumn(name, place) {
  return { name, text: (row) => row.labels[place], key: (row) => row.bins[place][0] };
}

/** A measure whose figures are worked out once a row. */
function cached(measure) {
  const values = new Map();
  const figures = new Map();
  return {
    ...measure,
    value: (row) => {
      if (!values.has(row)) values.set(row, measure.value(row));
      return values.get(row);
    },
    *figure(row) {
      if (!figures.has(row)) figures.set(row, yield* measure.figure(row));
      return figures.get(row);
    },
  };
}

/** How to get the value of a term of HAVING or ORDER BY from a row, and how to read what it is compared with. */
function columnOf(target, items, question) {
  const item = target.number === undefined ? byAlias(target, items) : atPlace(target, items);
  const measure = item?.measure ?? (target.measure && alike(target, items, question));
  if (measure) return { get: measure.value, read: readNumber };
  if (!item && target.name) {
    const ends = byEnd(target, items);
    if (ends) return { get: (row) => drained(ends.measure.figure(row))[ends.end], read: readNumber };
  }
  const attribute = item ? item.attribute : attributeOf(target.name, question.engine);
  const place = question.group.indexOf(attribute);
  if (place < 0) throw new CannotAsk(`${attribute.name} must be in GROUP BY to be compared or ordered by`);
  return { get: (row) => keyValue(attribute, row.bins[place]), read: (text) => keyRead(attribute, text) };
}

/** The measure of the list that a term writes again, or a new one. */
function alike(target, items, question) {
  const same = items.find((item) => item.asked && measureKey(item.asked, item.text) === measureKey(target.measure, target.text));
  return same ? same.measure : cached(measureOf(target, question));
}

/** The figure whose low or high end a name such as n_low means. */
function byEnd({ name }, items) {
  for (const { alias, measure } of items) {
    for (const end of measure && alias ? ["low", "high"] : [])
      if (`${alias}_${end}`.toLowerCase() === name.text.toLowerCase()) return { measure, end };
  }
  return null;
}

function readNumber(text) {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new CannotAsk(`a measure is compared with a number, not '${text}'`);
  return number;
}

function byAlias({ name }, items) {
  return name ? items.find((item) => item.alias?.toLowerCase() === name.text.toLowerCase()) : undefined;
}

function atPlace({ number }, items) {
  const item = items[number - 1];
  if (!item) throw new CannotAsk(`there is no item ${number} in the list`);
  return item;
}

/** Run a figure to its end. */
export function drained(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** By the first term, then the next; what is missing comes last unless it is asked for first. */
function sortRows(rows, order, term) {
  const keys = order.map((target) => ({ ...target, get: term(target).get }));
  const compare = ({ get, down, nullsFirst }, a, b) => {
    const [one, other] = [get(a), get(b)];
    if (one === null || other === null) return ((one === null) - (other === null)) * (nullsFirst ? -1 : 1);
    return (one < other ? -1 : Number(one > other)) * (down ? -1 : 1);
  };
  rows.sort((a, b) => keys.reduce((found, key) => found || compare(key, a, b), 0));
}

function rowsOf({ engine, boxes, group }) {
  const axes = group.map((attribute) => attribute.axis);
  if (boxes.length) return grouped(engine, boxes, axes, group.map(codesOf));
  return axes.length ? [] : [{ labels: [], bins: [], value: 0, answer: null }];
}

function codesOf(attribute) {
  if (attribute.size > MOST_ROWS) {
    throw new CannotAsk(`${attribute.name} has ${attribute.size.toLocaleString("en-US")} values, too many to group by`);
  }
  return Array.from({ length: attribute.size }, (_, code) => [code, code + 1]);
}
