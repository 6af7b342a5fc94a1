import { compileFilter, LogFilterError } from "@binnacle/pod-logs/filter";

/** What is searched in lines. */
export interface LinePattern {
  readonly text: string;
  readonly isExpression: boolean;
  readonly matchesCase: boolean;
}

/** A part of a line, in characters from its start. */
export interface Span {
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** Finds a pattern in lines, in a time that grows with their length only (RE2), whatever the expression. */
export interface LineMatcher {
  matches(line: string): boolean;
  /** The matches of a line, at most `MAX_SPANS`; empty ones are left out. */
  spans(line: string): readonly Span[];
}

/** More matches of one line are not marked. */
export const MAX_SPANS = 200;

const NOTHING: LineMatcher = { matches: () => false, spans: () => [] };

/**
 * Prepares a search, which finds in a line what the server finds in it. Nothing is found of an empty pattern.
 *
 * @returns why the expression is none, in the words of RE2, instead of a matcher
 */
export function lineMatcher({ text, isExpression, matchesCase }: LinePattern): LineMatcher | { readonly problem: string } {
  if (text === "") return NOTHING;
  try {
    const filter = compileFilter({ pattern: text, isRegularExpression: isExpression, matchesCase });
    return {
      matches: (line) => filter.matches(line),
      spans: (line) => filter.rangesIn(line, MAX_SPANS).map(({ start, end }) => ({ from: start, to: end })),
    };
  } catch (error) {
    if (error instanceof LogFilterError) return { problem: error.message };
    throw error;
  }
}
