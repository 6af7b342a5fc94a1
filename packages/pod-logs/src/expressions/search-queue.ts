import type { Expression } from "./expressions.ts";

/** Lines to search with one expression. */
export interface SearchJob {
  readonly expression: Expression;
  /** Names the search that it belongs to. */
  readonly search: object;
  /** 0: only whether lines match. */
  readonly maxRanges: number;
  readonly lines: readonly string[];
  readonly signal: AbortSignal;
  /** Of each line: whether it matches, or how many places it has. */
  readonly counts: Uint8Array;
  readonly places: number[];
  /** Lines that were searched. */
  done: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Jobs that wait, over all searches: a container that is read has one, and an agent follows 2,000 containers. */
const MAX_JOBS = 4_000;

/** Jobs of several searches: each search has its turn, and its jobs run in their order. */
export class SearchQueue {
  /** The search whose turn it is comes first. */
  readonly #searches = new Map<object, SearchJob[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns false when too many wait */
  push(job: SearchJob): boolean {
    if (this.#size >= MAX_JOBS) return false;
    this.#jobsOf(job).push(job);
    this.#size += 1;
    return true;
  }

  /** Before the other jobs of its search: it has begun. */
  putBack(job: SearchJob): void {
    this.#jobsOf(job).unshift(job);
    this.#size += 1;
  }

  take(): SearchJob | undefined {
    const [next] = this.#searches;
    if (next === undefined) return undefined;
    const [search, jobs] = next;
    const job = jobs.shift();
    this.#searches.delete(search);
    if (jobs.length > 0) this.#searches.set(search, jobs);
    this.#size -= 1;
    return job;
  }

  /** Without effect on a job that does not wait. */
  remove(job: SearchJob): void {
    const jobs = this.#searches.get(job.search);
    const at = jobs?.indexOf(job) ?? -1;
    if (jobs === undefined || at < 0) return;
    jobs.splice(at, 1);
    if (jobs.length === 0) this.#searches.delete(job.search);
    this.#size -= 1;
  }

  /** Empties it. @returns what waited */
  clear(): SearchJob[] {
    const jobs = [...this.#searches.values()].flat();
    this.#searches.clear();
    this.#size = 0;
    return jobs;
  }

  #jobsOf({ search }: SearchJob): SearchJob[] {
    const jobs = this.#searches.get(search) ?? [];
    this.#searches.set(search, jobs);
    return jobs;
  }
}
