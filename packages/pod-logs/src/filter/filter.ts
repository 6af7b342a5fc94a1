import type { LogLevel } from "@binnacle/proto/logs-enums";
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
  /** Where the pattern is in the text, at most `max` places without overlap; none without a pattern. */
  rangesIn(text: string, max: number): MatchRange[];
}

/** A filter that cannot be used; the message has the reason and names unsupported syntax. */
export class LogFilterError extends Error {
  override readonly name = "LogFilterError";
}

const MAX_PATTERN_CHARS = 1000;
const MAX_CONTEXT_LINES = 10;
const MAX_LEVELS = 10;
/** Expressions that mean the same in lower case: ASCII without flags, escapes in capitals, and ranges in a class of letters of both cases. */
const FOLDABLE =
  /^(?:[\x20-\x27\x29-\x5a\x5d-\x7e]|\((?:\?:|(?!\?))|\\[dswb.+*?()[\]{}|^$/\\-]|\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\\[dsw.]|[\x20-\x2c\x2e-\x5a\x5f-\x7e])+\])*$/;
/** Letters of which lower case is longer (İ) or becomes ASCII (K), or that equal an ASCII letter without case (ſ). */
const UNEVEN = /[\u0130\u017f\u212a]/;

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
    rangesIn: (text, max) => search?.ranges(text, max) ?? [],
  };
}

interface Search {
  readonly test: (text: string) => boolean;
  readonly ranges: (text: string, max: number) => MatchRange[];
}

function plainText(pattern: string, matchesCase: boolean): Search {
  const fold = matchesCase ? (text: string): string => text : lowerCase;
  const wanted = fold(pattern);
  return {
    test: (text) => fold(text).includes(wanted),
    ranges: (text, max) => {
      const folded = fold(text);
      const found: MatchRange[] = [];
      for (let at = folded.indexOf(wanted); at >= 0 && found.length < max; at = folded.indexOf(wanted, at + wanted.length))
        found.push({ start: at, end: at + wanted.length });
      return found;
    },
  };
}

/** A text in lower case with the same indices: the one letter that becomes two stays as it is. */
function lowerCase(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[^\u0130]+/g, (part) => part.toLowerCase());
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
  const folded = !matchesCase && FOLDABLE.test(pattern) ? RE2JS.compile(pattern.toLowerCase(), 0) : undefined;
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
