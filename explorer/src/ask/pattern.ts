// Pattern: LIKE and ILIKE over the listed values of an attribute, and over the text of a result (query/pattern.py).

import type { Attribute } from "../engine/attribute.ts";
import { CannotAsk } from "../engine/condition.ts";
import { merge } from "../engine/intervals.ts";
import type { Interval, Intervals } from "../engine/types.ts";
import { type LikeExpr, textOf } from "./syntax.ts";
import { excerpt } from "./tokens.ts";

const ANY = Symbol("any text");
const ONE = Symbol("any letter");

/** Whether a whole text is like a pattern. */
export function matcherOf({ pattern, fold, escaping }: LikeExpr): (text: string) => boolean {
  if (pattern.kind !== "text" || [...escaping].length > 1)
    throw new CannotAsk(`write one pattern in single quotes after LIKE, such as 'J%', not ${excerpt(textOf(pattern))}`);
  const parts: (string | symbol)[] = [];
  const letters = [...pattern.text];
  for (let i = 0; i < letters.length; i += 1) {
    if (escaping && letters[i] === escaping)
      parts.push(fold ? (letters[++i] ?? escaping).toLowerCase() : (letters[++i] ?? escaping));
    else parts.push(letters[i] === "%" ? ANY : letters[i] === "_" ? ONE : fold ? letters[i].toLowerCase() : letters[i]);
  }
  return (text) => isLike([...(fold ? text.toLowerCase() : text)], parts);
}

/** On a mismatch the last % takes one letter more. */
function isLike(text: string[], parts: (string | symbol)[]): boolean {
  let [at, place, behind, begun] = [0, 0, -1, 0];
  while (at < text.length) {
    if (parts[place] === ANY) [behind, begun, place] = [place, at, place + 1];
    else if (place < parts.length && (parts[place] === ONE || parts[place] === text[at]))
      [at, place] = [at + 1, place + 1];
    else if (behind >= 0) [begun, at, place] = [begun + 1, begun + 1, behind + 1];
    else return false;
  }
  return parts.slice(place).every((part) => part === ANY);
}

/** Positions of the listed values that a LIKE selects. What `(other)` stands for is unknown, so it is in neither LIKE nor
 * NOT LIKE.
 */
export function matchingPositions(attribute: Attribute, like: LikeExpr, negated: boolean): Intervals {
  const matches = matcherOf(like);
  if (attribute.ordered || attribute.type === "boolean")
    throw new CannotAsk(`${attribute.name} has no listed values, which LIKE needs; compare it with =, <, > or BETWEEN`);
  const found = attribute.names.map(matches);
  if (!found.includes(true))
    throw new CannotAsk(`${attribute.name} has no listed value like ${excerpt(textOf(like.pattern))}`);
  return merge(found.flatMap((one, code): Interval[] => (one !== negated ? [[code, code + 1]] : [])));
}
