import { RE2JS, RE2JSSyntaxException } from "re2js";

import { LogFilterError } from "../filter/filter-init.ts";
import type { TextSearch, MatchRange } from "../filter/text-search.ts";
import { decodeLines, type ThreadAnswer, type ThreadRequest } from "./thread-message.ts";

/** After so long the rest of a request waits, so that other searches have their turn. */
const SLICE_MS = 20;
/** Compiled expressions that are retained; each takes a few megabytes at most. */
const MAX_COMPILED = 16;

/** Expressions that mean the same in lower case: ASCII without flags, escapes in capitals, and ranges in a class of letters of both cases. */
const FOLDABLE =
  /^(?:[\x20-\x27\x29-\x5a\x5d-\x7e]|\((?:\?:|(?!\?))|\\[dswb.+*?()[\]{}|^$/\\-]|\[\^?(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\\[dsw.]|[\x20-\x2c\x2e-\x5a\x5f-\x7e])+\])*$/;
/** Letters of which lower case is longer (İ) or becomes ASCII (K), or that equal an ASCII letter without case (ſ). */
const UNEVEN = /[\u0130\u017f\u212a]/;
/** Instructions of a compiled expression; more would take much memory, and much time for each character. */
const MAX_PROGRAM = 10_000;

/** Answers requests in the thread: it retains the expressions that were used last. */
export class RequestAnswerer {
  readonly #compiled = new Map<string, TextSearch>();

  /** The answer, and the buffers that move with it. */
  answer(request: ThreadRequest): { readonly answer: ThreadAnswer; readonly moved: ArrayBuffer[] } {
    const { id, pattern, matchesCase } = request;
    let search: TextSearch;
    try {
      search = this.#searchFor(pattern, matchesCase);
    } catch (error) {
      if (!(error instanceof LogFilterError)) throw error;
      return { answer: { id, problem: error.message }, moved: [] };
    }
    const { counts, places } = searched(search, request);
    return { answer: { id, counts, places }, moved: [counts.buffer, places.buffer] };
  }

  #searchFor(pattern: string, matchesCase: boolean): TextSearch {
    const key = `${matchesCase} ${pattern}`;
    const search = this.#compiled.get(key) ?? expressionSearch(pattern, matchesCase);
    // The one that was used last is the last one of the map.
    this.#compiled.delete(key);
    this.#compiled.set(key, search);
    const [oldest] = this.#compiled.keys();
    if (this.#compiled.size > MAX_COMPILED && oldest !== undefined) this.#compiled.delete(oldest);
    return search;
  }
}

function searched(
  search: TextSearch,
  request: ThreadRequest,
): { readonly counts: Uint8Array<ArrayBuffer>; readonly places: Uint32Array<ArrayBuffer> } {
  const counts = new Uint8Array(request.lengths.length);
  const places: number[] = [];
  const untilMs = performance.now() + SLICE_MS;
  let done = 0;
  for (const line of decodeLines(request)) {
    if (request.maxRanges === 0) counts[done] = Number(search.test(line));
    else if (search.test(line)) {
      const ranges = search.ranges(line, request.maxRanges);
      counts[done] = ranges.length;
      for (const { start, end } of ranges) places.push(start, end);
    }
    done += 1;
    if (performance.now() >= untilMs) break;
  }
  return { counts: counts.slice(0, done), places: Uint32Array.from(places) };
}

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
