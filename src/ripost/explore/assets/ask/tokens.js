// Tokens: SQL cut into words, names, texts, numbers and signs.

import { CannotAsk } from "../engine/condition.js";

const PATTERN = new RegExp(
  [
    String.raw`(?<space>\s+|--[^\n]*)`,
    String.raw`(?<text>'(?:[^']|'')*')`,
    String.raw`(?<quoted>"(?:[^"]|"")*")`,
    String.raw`(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`,
    String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
    String.raw`(?<sign><=|>=|<>|!=|[-+*/%=<>(),.;])`,
  ].join("|"),
  "uy",
);

const LONGEST = 50_000; // characters of a question

/** A list of {kind, text, upper}; the last has the kind "end". */
export function tokensOf(sql) {
  if (sql.length > LONGEST)
    throw new CannotAsk(`the question is too long: ${sql.length} characters, at most ${LONGEST}`);
  const tokens = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < sql.length) {
    const at = PATTERN.lastIndex;
    const found = PATTERN.exec(sql);
    if (!found) throw new CannotAsk(`cannot read the question from ${excerpt(sql.slice(at))} on`);
    const [kind, raw] = Object.entries(found.groups).find(([, text]) => text !== undefined);
    if (kind === "space") continue;
    const text = kind === "text" || kind === "quoted" ? unquoted(raw) : raw;
    tokens.push({ kind, text, upper: kind === "word" ? raw.toUpperCase() : kind === "sign" ? raw : "" });
  }
  return [...tokens, { kind: "end", text: "the end", upper: "" }];
}

export function excerpt(text) {
  const line = text.replace(/\s+/g, " ");
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}

function unquoted(raw) {
  const quote = raw[0];
  return raw.slice(1, -1).replaceAll(quote + quote, quote);
}
