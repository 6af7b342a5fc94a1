import type { LogLevel } from "@binnacle/proto/dashboard-enums";
import { RE2JS, RE2JSSyntaxException } from "re2js";

import { levelOf } from "./level.ts";

/** Which lines are meant, as `dashboard.v1.LogFilter`; what is absent does not limit. */
export interface LogFilterInit {
  /** At most 1,000 characters. */
  readonly pattern?: string;
  /** In the syntax of RE2: https://github.com/google/re2/wiki/Syntax */
  readonly isRegularExpression?: boolean;
  readonly matchesCase?: boolean;
  readonly levels?: readonly LogLevel[];
  /** At most 10. */
  readonly contextLines?: number;
}

/** A part of a line that matches: UTF-16 indices, `end` is behind it. */
export interface MatchRange {
  readonly start: number;
  readonly end: number;
}

/** A checked filter. */
export interface LineFilter {
  /** Every line matches. */
  readonly isEmpty: boolean;
  readonly contextLines: number;
  /** Takes time linear in the length of the text. */
  matches(text: string): boolean;
  /** Where the pattern is in the text, at most `most` places without overlap; none without a pattern. */
  rangesIn(text: string, most: number): MatchRange[];
}

/** A filter that cannot be used; the message says why and names unsupported syntax. */
export class LogFilterError extends Error {
  override readonly name = "LogFilterError";
}

const MAX_PATTERN_CHARS = 1000;
const MAX_CONTEXT_LINES = 10;
const MAX_LEVELS = 10;
/** Expressions that mean the same in lower case: ASCII without classes, flags and escapes in capitals. */
const FOLDABLE = /^(?:[\x20-\x5a\x5d-\x7e]|\\[dswb.+*?()[\]{}|^$/\\-])*$/;

/** @throws LogFilterError */
export function compileFilter(init: LogFilterInit): LineFilter {
  const { pattern = "", isRegularExpression = false, matchesCase = false, levels = [], contextLines = 0 } = init;
  if (pattern.length > MAX_PATTERN_CHARS) throw new LogFilterError(`the pattern is longer than ${MAX_PATTERN_CHARS} characters`);
  if (levels.length > MAX_LEVELS) throw new LogFilterError("there are too many levels");
  if (!Number.isSafeInteger(contextLines) || contextLines < 0 || contextLines > MAX_CONTEXT_LINES)
    throw new LogFilterError(`context is from 0 to ${MAX_CONTEXT_LINES} lines`);
  const search = pattern === "" ? undefined : isRegularExpression ? expression(pattern, matchesCase) : plainText(pattern, matchesCase);
  const wanted = levels.length === 0 ? undefined : new Set(levels);
  return {
    isEmpty: search === undefined && wanted === undefined,
    contextLines: search === undefined && wanted === undefined ? 0 : contextLines,
    matches: (text) => (search === undefined || search.test(text)) && (wanted === undefined || wanted.has(levelOf(text))),
    rangesIn: (text, most) => search?.ranges(text, most) ?? [],
  };
}

interface Search {
  readonly test: (text: string) => boolean;
  readonly ranges: (text: string, most: number) => MatchRange[];
}

function plainText(pattern: string, matchesCase: boolean): Search {
  const fold = (text: string): string => (matchesCase ? text : text.toLowerCase());
  const wanted = fold(pattern);
  return {
    test: (text) => fold(text).includes(wanted),
    ranges: (text, most) => {
      const folded = fold(text);
      // A few letters become two in lower case, after which the indices are others.
      if (folded.length !== text.length) return [];
      const found: MatchRange[] = [];
      for (let at = folded.indexOf(wanted); at >= 0 && found.length < most; at = folded.indexOf(wanted, at + wanted.length))
        found.push({ start: at, end: at + wanted.length });
      return found;
    },
  };
}

function expression(pattern: string, matchesCase: boolean): Search {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, matchesCase ? 0 : RE2JS.CASE_INSENSITIVE);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new LogFilterError(error.message.replace(/^error parsing regexp: /, ""), { cause: error });
  }
  // Four times as fast: an expression without case has no literals that re2js can look for.
  const folded = !matchesCase && FOLDABLE.test(pattern) && !pattern.includes("(?") ? RE2JS.compile(pattern.toLowerCase(), 0) : undefined;
  return {
    test: folded === undefined ? (text) => compiled.test(text) : (text) => folded.test(text.toLowerCase()),
    ranges: (text, most) => {
      const matcher = compiled.matcher(text);
      const found: MatchRange[] = [];
      while (found.length < most && matcher.find()) {
        if (matcher.end() > matcher.start()) found.push({ start: matcher.start(), end: matcher.end() });
      }
      return found;
    },
  };
}
