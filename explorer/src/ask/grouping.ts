// Grouping: the keys of a SELECT and its grouping sets (query/statement.py).

import { CannotAsk } from "../engine/condition.ts";
import type { Engine } from "../engine/engine.ts";
import { determines, Mapped } from "../engine/mapped.ts";
import { hasAggregate } from "./aggregate.ts";
import { type Key, keyOf } from "./key.ts";
import { resolveName } from "./scope.ts";
import type { Expr, Grouping, Select } from "./syntax.ts";
import { findAttribute, keyText } from "./terms.ts";

const MOST_SETS = 4096;

interface Keys {
  keys: Key[];
  texts: string[]; // of the keys
  sets: number[][]; // grouping sets, as numbers of keys
}

export function groupingOf(select: Select, engine: Engine): Keys {
  const { items, distinct, group } = select;
  const named = new Map(items.flatMap(({ expr, alias }) => (alias ? [[alias.toLowerCase(), expr] as const] : [])));
  const found: Keys = { keys: [], texts: [], sets: [[]] };
  const numberOf = (given: Expr): number => {
    const expr = given.kind === "number" ? placed(given, select) : resolveName(given, named, engine);
    const text = keyText(expr, engine);
    if (!found.texts.includes(text)) {
      found.keys.push(keyOf(expr, engine));
      found.texts.push(text);
    }
    return found.texts.indexOf(text);
  };
  const plain = items.map(({ expr }) => expr).filter((expr) => !hasAggregate(expr));
  const isAll = group === "all" || (distinct && group === null && plain.length > 0);
  const parts = isAll
    ? plain.map((expr): Grouping => ({ how: "plain", parts: [[expr]] }))
    : Array.isArray(group)
      ? group
      : [];
  for (const part of parts) {
    const sets = setsOf(part, numberOf);
    if (found.sets.length * sets.length > MOST_SETS) throw tooMany();
    found.sets = found.sets.flatMap((one) => sets.map((other) => [...one, ...other]));
  }
  found.sets = withFunctions(select, found, named, numberOf, engine);
  if (distinct && group !== null) {
    const shown = new Set(items.map(({ expr }) => keyText(expr, engine)));
    if (found.sets.length > 1 || found.texts.some((text) => !shown.has(text)))
      throw new CannotAsk("cannot answer DISTINCT beside GROUP BY of more than SELECT shows; leave out DISTINCT");
  }
  return found;
}

/** The grouping sets with what SELECT shows as a function of a key: the group of its value, or of its group. */
function withFunctions(
  { items }: Select,
  { keys, texts, sets }: Keys,
  named: Map<string, Expr>,
  numberOf: (expr: Expr) => number,
  engine: Engine,
): number[][] {
  let found = sets;
  for (const { expr } of items) {
    if (expr.kind !== "column" || texts.includes(keyText(expr, engine)) || named.has(expr.name.toLowerCase())) continue;
    const mapped = findAttribute(expr, engine);
    if (!(mapped instanceof Mapped)) continue;
    const of = keys.flatMap(({ attribute, parts }, i) =>
      parts.length === attribute.size && determines(attribute, mapped) ? [i] : [],
    );
    if (of.length === 0) continue;
    const number = numberOf(expr);
    found = found.map((set) => (set.some((one) => of.includes(one)) ? [...set, number] : set));
  }
  return found;
}

function placed({ text }: Extract<Expr, { text: string }>, { items }: Select): Expr {
  const item = /^\d{1,5}$/.test(text) ? items[Number(text) - 1] : undefined;
  if (!item) throw new CannotAsk(`there is no column ${text} in SELECT; it has ${items.length}`);
  return item.expr;
}

function setsOf({ how, parts }: Grouping, numberOf: (expr: Expr) => number): number[][] {
  if (how === "sets" || how === "plain")
    return parts.flatMap((part) => (Array.isArray(part) ? [part.map(numberOf)] : setsOf(part, numberOf)));
  const lists = parts.map((part) => (Array.isArray(part) ? part.map(numberOf) : []));
  if (how === "rollup") return [...lists.keys(), lists.length].reverse().map((length) => lists.slice(0, length).flat());
  if (lists.length > 12) throw tooMany();
  const lengths = [...lists.keys(), lists.length].reverse();
  return lengths.flatMap((length) => combinations(lists, length)).map((chosen) => chosen.flat());
}

/** All choices of so many of a list, in order. */
function combinations<T>(list: T[], length: number): T[][] {
  if (length === 0) return [[]];
  return list.flatMap((one, i) => combinations(list.slice(i + 1), length - 1).map((rest) => [one, ...rest]));
}

function tooMany(): CannotAsk {
  return new CannotAsk(`the question has more than ${MOST_SETS} grouping sets; name fewer attributes in CUBE`);
}
