import { parseSync, Visitor } from "oxc-parser";

/** A regular expression of a file. */
export interface Expression {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  /** As it is written, `/source/flags`; one that is put together while the program runs has no flags: `new RegExp(…)`. */
  readonly written: string;
  /** What can be looked at beforehand; `undefined` when it is put together while the program runs. */
  readonly pattern: { readonly source: string; readonly flags: string } | undefined;
}

/** The regular expressions of a TypeScript or JavaScript file, in order. */
export function expressionsOf(path: string, text: string): Expression[] {
  const found: Expression[] = [];
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const made = (node: { readonly callee: object; readonly start: number; readonly end: number }): void => {
    if (!("name" in node.callee) || node.callee.name !== "RegExp") return;
    found.push({ path, line: lineAt(node.start), written: text.slice(node.start, node.end), pattern: undefined });
  };
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      const { pattern: source, flags } = node.regex;
      found.push({ path, line: lineAt(node.start), written: `/${source}/${flags}`, pattern: { source, flags } });
    },
    NewExpression: made,
    CallExpression: made,
  }).visit(parseSync(path, text).program);
  return found.toSorted((left, right) => left.line - right.line);
}
