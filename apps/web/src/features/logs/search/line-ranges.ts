import type { LineFilter, MatchRange } from "@binnacle/pod-logs/filter";

/** More matches of one line are not marked. */
const MAX_MARKS = 200;
/** Lines of which the matches are retained: those of a few screens. */
const MAX_LINES = 500;
const NONE: readonly MatchRange[] = [];

/** The matches in the lines that are shown. Lines that are requested in one turn are searched together. */
export class LineRanges {
  readonly #filter: LineFilter;
  readonly #signal: () => AbortSignal;
  readonly #known = new Map<string, readonly MatchRange[]>();
  #next: { readonly lines: Set<string>; readonly done: Promise<void> } | undefined;

  /** @param signal ends what begins now */
  constructor(filter: LineFilter, signal: () => AbortSignal) {
    this.#filter = filter;
    this.#signal = signal;
  }

  /** Matches of a line without colours; `undefined`: not known before it is loaded. */
  known(line: string): readonly MatchRange[] | undefined {
    return this.#known.get(line);
  }

  /** Searches a line. Never rejects: where the expression cannot be used there are no matches. */
  load(line: string): Promise<void> {
    if (this.#next === undefined) {
      const lines = new Set<string>();
      this.#next = { lines, done: Promise.resolve().then(() => this.#search(lines)) };
    }
    this.#next.lines.add(line);
    return this.#next.done;
  }

  async #search(requested: ReadonlySet<string>): Promise<void> {
    this.#next = undefined;
    const lines = [...requested];
    const found = await this.#rangesOf(lines);
    for (const [index, line] of lines.entries()) this.#known.set(line, found[index] ?? NONE);
    for (const line of this.#known.keys()) {
      if (this.#known.size <= MAX_LINES) break;
      this.#known.delete(line);
    }
  }

  async #rangesOf(lines: readonly string[]): Promise<readonly (readonly MatchRange[])[]> {
    try {
      return await this.#filter.ranges(lines, MAX_MARKS, this.#signal());
    } catch {
      // The search of all lines says why.
      return [];
    }
  }
}
