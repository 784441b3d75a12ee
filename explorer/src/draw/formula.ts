// Formula: which texts a spreadsheet would run (export/formula.py has the same).

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
const START = /^['"`‘’“”\p{Z}\p{C}]*?[=+\-@\u2212\p{Cc}]/u;

export function isFormula(text: string): boolean {
  return !NUMBER.test(text) && START.test(text.normalize("NFKC"));
}
