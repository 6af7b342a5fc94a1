import { expressionSearch } from "../filter/expression-search.ts";
import { LogFilterError } from "../filter/filter-init.ts";
import type { TextSearch } from "../filter/text-search.ts";
import { decodeLines, type ThreadAnswer, type ThreadRequest } from "./thread-message.ts";

/** After so long the rest of a request waits, so that other searches have their turn. */
const SLICE_MS = 20;
/** Compiled expressions that are retained; each takes a few megabytes at most. */
const MAX_COMPILED = 16;

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
