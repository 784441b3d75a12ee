// Syntax: the trees that a question is read into.

/** A name as it is written; unquoted names may differ in case. */
export interface Name {
  text: string;
  quoted: boolean;
}

/** AND, OR and NOT over conditions of one sort. */
export type Logic<L> = L | { kind: "not"; part: Logic<L> } | { kind: "and" | "or"; parts: Logic<L>[] };

/** What follows the left side of a condition. */
export type Test<V> =
  | { kind: "compare"; sign: string; value: V }
  | { kind: "between"; low: V; high: V }
  | { kind: "in"; values: V[] }
  | { kind: "null" };

/** A condition of WHERE or FILTER, on an attribute; `alone` if it is nothing but the attribute. */
export type Condition = Test<string> & { name: Name; alone?: boolean };

/** A side of a condition of HAVING. */
export type Operand = Term | { value: string };

export type Comparison = Test<Operand> & { left: Operand };

/** A total, a mean or a sum, perhaps of an attribute and with FILTER. */
export interface Aggregate {
  kind: "count" | "sum" | "avg";
  of: Name | null;
  filter: Logic<Condition> | null;
}

/** SHARE(*), or a total over the sum of all totals of a `whole`. */
export interface Share {
  kind: "share";
  of: Name | null;
  whole: string;
  within: Term[];
  scale: number;
  written: "SHARE" | "OVER";
}

export interface Compared {
  kind: "difference" | "ratio";
  one: MeasureTerm<Aggregate>;
  other: MeasureTerm<Aggregate>;
  scale: number;
}

export type Asked = Aggregate | Share | Compared;

export interface NameTerm {
  name: Name;
  number?: undefined;
  measure?: undefined;
}

/** A place in the list. */
export interface PlaceTerm {
  number: number;
  name?: undefined;
  measure?: undefined;
}

export interface MeasureTerm<M extends Asked = Asked> {
  measure: M;
  text: string;
  name?: undefined;
  number?: undefined;
}

export type Term = NameTerm | PlaceTerm | MeasureTerm;

/** Terms with signs between them, before it is known what they ask for. */
export type Arithmetic = Term | Operation | SummedOver | { nullIfZero: Arithmetic };

export interface Operation {
  sign: string;
  left: Arithmetic;
  right: Arithmetic;
}

export interface SummedOver {
  whole: Term;
  within: Term[];
}

export type Item = Term & { alias: string | null };
export type Ordering = Term & { down: boolean; nullsFirst: boolean };

/** One SELECT. */
export interface Select {
  items: Item[];
  where: Logic<Condition> | null;
  group: Term[];
  having: Logic<Comparison> | null;
  order: Ordering[];
  limit: number | null;
  offset: number;
  simultaneous: boolean;
}
