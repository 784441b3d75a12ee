// Tokens: SQL cut into words, names, texts, numbers and signs.

import { CannotAsk } from "../engine/condition.ts";

export interface Token {
  kind: string; // space, text, quoted, number, word, sign or end
  text: string;
  raw: string; // as it is written
  upper: string; // of words and signs
}

const PATTERN = new RegExp(
  [
    /(?<space>\s+|--[^\n]*|\/\*[\s\S]*?\*\/)/.source,
    /(?<text>'(?:[^']|'')*')/.source,
    /(?<quoted>"(?:[^"]|"")*")/.source,
    /(?<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.source,
    /(?<word>[\p{L}_][\p{L}\p{N}_$]*)/u.source,
    /(?<sign><=|>=|<>|!=|::|\/\/|[-+*/%=<>(),.;])/.source,
  ].join("|"),
  "uy",
);

const LONGEST = 50_000; // characters of a question

/** The last token has the kind "end". */
export function tokensOf(sql: string): Token[] {
  if (sql.length > LONGEST)
    throw new CannotAsk(`the question is too long: ${sql.length} characters, at most ${LONGEST}`);
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < sql.length) {
    const at = PATTERN.lastIndex;
    const found = PATTERN.exec(sql);
    const group = Object.entries(found?.groups ?? {}).find(([, text]) => text !== undefined);
    if (!group) throw new CannotAsk(`cannot read the question from ${excerpt(sql.slice(at))} on`);
    const [kind, raw] = group;
    if (kind === "space") continue;
    const text = kind === "text" || kind === "quoted" ? unquote(raw) : raw;
    tokens.push({ kind, text, raw, upper: kind === "word" ? raw.toUpperCase() : kind === "sign" ? raw : "" });
  }
  return [...tokens, { kind: "end", text: "the end", raw: "", upper: "" }];
}

export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return `"${line.length > 40 ? `${line.slice(0, 39)}…` : line}"`;
}

function unquote(raw: string): string {
  const quote = raw[0];
  return raw.slice(1, -1).replaceAll(quote + quote, quote);
}
