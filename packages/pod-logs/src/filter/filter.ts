import type { LogLevel } from "@binnacle/proto/logs-enums";

import type { Expressions, ExpressionSearch } from "../expressions/expressions.ts";
import { checkFilterLimits, type LogFilterInit } from "./filter-init.ts";
import { levelOf } from "./level.ts";
import { plainSearch, type MatchRange } from "./text-search.ts";

export { LogFilterError, checkFilterLimits, type LogFilterInit } from "./filter-init.ts";
export type { MatchRange } from "./text-search.ts";

/** A checked filter: the same in the page, in the dashboard's server and in agents. Lines are searched without the sequences that colour them. */
export interface LineFilter {
  /** Every line matches. */
  readonly isEmpty: boolean;
  readonly contextLines: number;
  /** `matches` and `ranges` give promises. */
  readonly isInThread: boolean;
  /**
   * Which lines match: 1 for those that do, in the order of the lines. Expressions run in a thread, and so it gives a promise for them alone.
   *
   * @throws LogFilterError the expression takes too long, or too much memory. The reason of `signal`
   */
  matches(lines: readonly string[], signal: AbortSignal): Uint8Array | Promise<Uint8Array>;
  /** Where the pattern is in each line, at most `max` places in one; none without a pattern. Lines are without colours. @throws as `matches` */
  ranges(lines: readonly string[], max: number, signal: AbortSignal): readonly MatchRange[][] | Promise<readonly MatchRange[][]>;
}

const ESCAPE = "\u001B[";

/** Select graphic rendition (ECMA-48 8.3.117), the sequence that sets colours. Global: use it with `matchAll` and `replaceAll`. */
// oxlint-disable-next-line no-control-regex -- control characters are what it is about
export const COLOUR_SEQUENCE = /\u001B\[([\d;:]{0,64})m/g;

/**
 * Opens a filter; an expression has to be checked before (`Expressions.check`), or else its first use throws.
 *
 * @throws LogFilterError for what exceeds a limit
 */
export function openFilter(init: LogFilterInit, expressions: Expressions): LineFilter {
  checkFilterLimits(init);
  const { pattern = "", isRegularExpression = false, matchesCase = false, levels = [], contextLines = 0 } = init;
  const wanted = levels.length === 0 ? undefined : new Set(levels);
  if (pattern === "") {
    return {
      isEmpty: wanted === undefined,
      contextLines: wanted === undefined ? 0 : contextLines,
      isInThread: false,
      matches: (lines) => Uint8Array.from(lines, (line) => Number(hasLevel(withoutColours(line), wanted))),
      ranges: (lines) => lines.map(() => []),
    };
  }
  if (isRegularExpression) return expressionFilter(expressions.open({ pattern, matchesCase }), wanted, contextLines);
  const search = plainSearch(pattern, matchesCase);
  return {
    isEmpty: false,
    contextLines,
    isInThread: false,
    matches: (lines) =>
      Uint8Array.from(lines, (line) => {
        const text = withoutColours(line);
        return Number(search.test(text) && hasLevel(text, wanted));
      }),
    ranges: (lines, max) => lines.map((line) => search.ranges(line, max)),
  };
}

function expressionFilter(search: ExpressionSearch, wanted: ReadonlySet<LogLevel> | undefined, contextLines: number): LineFilter {
  return {
    isEmpty: false,
    contextLines,
    isInThread: true,
    async matches(lines, signal) {
      const texts = lines.map(withoutColours);
      const matches = await search.test(texts, signal);
      if (wanted !== undefined) for (const [index, text] of texts.entries()) if (!hasLevel(text, wanted)) matches[index] = 0;
      return matches;
    },
    ranges: (lines, max, signal) => search.ranges(lines, max, signal),
  };
}

function hasLevel(text: string, wanted: ReadonlySet<LogLevel> | undefined): boolean {
  return wanted === undefined || wanted.has(levelOf(text));
}

/** Whether a line may have such sequences. */
export function mayHaveColours(text: string): boolean {
  return text.includes(ESCAPE);
}

/** A line as it is searched: without the sequences that colour it, as it is seen. */
function withoutColours(text: string): string {
  return mayHaveColours(text) ? text.replaceAll(COLOUR_SEQUENCE, "") : text;
}
