import { RE2JS, RE2JSSyntaxException } from "re2js";

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

/**
 * Prepares a search. Nothing is found of an empty pattern.
 *
 * @returns why the expression is none, in the words of RE2, instead of a matcher
 */
export function lineMatcher(pattern: LinePattern): LineMatcher | { readonly problem: string } {
  if (pattern.text === "") return NOTHING;
  return pattern.isExpression ? expressionMatcher(pattern) : textMatcher(pattern);
}

const NOTHING: LineMatcher = { matches: () => false, spans: () => [] };

function textMatcher({ text, matchesCase }: LinePattern): LineMatcher {
  const what = matchesCase ? text : text.toLowerCase();
  // Letters that change their length with their case would move what comes after them.
  const folded = (line: string): string => {
    const low = matchesCase ? line : line.toLowerCase();
    return low.length === line.length ? low : line;
  };
  return {
    matches: (line) => folded(line).includes(what),
    spans: (line) => {
      const within = folded(line);
      const spans: Span[] = [];
      for (let from = within.indexOf(what); from >= 0 && spans.length < MAX_SPANS; from = within.indexOf(what, from + what.length))
        spans.push({ from, to: from + what.length });
      return spans;
    },
  };
}

function expressionMatcher({ text, matchesCase }: LinePattern): LineMatcher | { readonly problem: string } {
  let expression: RE2JS;
  try {
    expression = RE2JS.compile(text, matchesCase ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return { problem: error.message };
    throw error;
  }
  return {
    matches: (line) => expression.matcher(line).find(),
    spans: (line) => {
      const spans: Span[] = [];
      const matcher = expression.matcher(line);
      while (spans.length < MAX_SPANS && matcher.find()) {
        const [from, to] = [matcher.start(), matcher.end()];
        if (to > from) spans.push({ from, to });
      }
      return spans;
    },
  };
}
