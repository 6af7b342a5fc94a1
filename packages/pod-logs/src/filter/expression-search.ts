import { RE2JS, RE2JSSyntaxException } from "re2js";

import { LogFilterError } from "./filter-init.ts";
import type { MatchRange, TextSearch } from "./text-search.ts";

/** Expressions that mean the same in lower case: ASCII without flags, escapes in capitals, and ranges in a class of letters of both cases. */
const FOLDABLE =
  /^(?:[\x20-\x27\x29-\x5a\x5d-\x7e]|\((?:\?:|(?!\?))|\\[dswb.+*?()[\]{}|^$/\\-]|\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\\[dsw.]|[\x20-\x2c\x2e-\x5a\x5f-\x7e])+\])*$/;
/** Letters of which lower case is longer (İ) or becomes ASCII (K), or that equal an ASCII letter without case (ſ). */
const UNEVEN = /[\u0130\u017f\u212a]/;
/** Instructions of a compiled expression; more would take much memory, and much time for each character. */
const MAX_PROGRAM = 10_000;

/**
 * Compiles an expression in the syntax of RE2, which takes up to a second for counted repetitions: it belongs in a thread (`expression-thread.ts`).
 *
 * @throws LogFilterError in the words of RE2
 */
export function expressionSearch(pattern: string, matchesCase: boolean): TextSearch {
  const compiled = compile(pattern, matchesCase ? 0 : RE2JS.CASE_INSENSITIVE);
  // Four times as fast: an expression without case has no literals that re2js can look for.
  const folded = !matchesCase && FOLDABLE.test(pattern) ? compile(pattern.toLowerCase(), 0) : undefined;
  return {
    test: (text) => (folded === undefined || UNEVEN.test(text) ? compiled.test(text) : folded.test(text.toLowerCase())),
    ranges: (text, max) => {
      const matcher = compiled.matcher(text);
      const found: MatchRange[] = [];
      while (found.length < max && matcher.find()) {
        if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() });
      }
      return found;
    },
  };
}

function compile(pattern: string, flags: number): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new LogFilterError(error.message.replace(/^error parsing regexp: /, ""), { cause: error });
  }
  if (compiled.programSize() > MAX_PROGRAM) throw new LogFilterError("the expression is too large, for example because of {1000}");
  return compiled;
}
