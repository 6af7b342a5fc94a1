import { Fault } from "@binnacle/rpc";

import { globStates, type GlobState } from "./glob-states.ts";

/** Which files a project's owner wants, and where to look for them. */
export interface ManifestGlob {
  /** As it was written. */
  readonly text: string;
  /** Directory below which all matches are; "." is the root. */
  readonly treePath: string;
  /** Whether matches may be deeper than in that directory itself. */
  readonly recursive: boolean;
  /** @param path of a file from the root of the repository */
  matches(path: string): boolean;
  /** Steps that matching has taken so far. */
  readonly steps: number;
}

/** What an empty glob means. */
const DEFAULT_GLOB = "**/*.{yaml,yml,json}";
const MAX_CHARACTERS = 512;
const SPECIAL = /[*?[{\\]/;

/**
 * Reads a glob. A leading slash means nothing; what stands before the first special character, up to its last slash, is the directory that is
 * read, and directories below it are read when the rest has a `[`, a `/` or a `**`.
 *
 * @throws Fault `invalid_request` for what cannot be read, is too long, or would look outside the repository
 */
export function parseManifestGlob(written: string): ManifestGlob {
  const text = written === "" ? DEFAULT_GLOB : written;
  const glob = text.replace(/^\//, "");
  if (glob.length > MAX_CHARACTERS) throw new Fault("invalid_request", `a glob is longer than ${MAX_CHARACTERS} characters`);
  if (glob.split("/").some((part) => ["", ".", ".."].includes(part)))
    throw new Fault("invalid_request", `the glob "${text}" must be a path inside the repository, without empty parts, . and ..`);
  const special = glob.search(SPECIAL);
  const slash = (special < 0 ? glob : glob.slice(0, special)).lastIndexOf("/");
  const rest = glob.slice(slash + 1);
  const matcher = new GlobMatcher(globStates(glob));
  return {
    text,
    treePath: slash < 0 ? "." : glob.slice(0, slash),
    recursive: rest.includes("[") || rest.includes("/") || rest.includes("**"),
    matches: (path) => matcher.matches(path),
    get steps() {
      return matcher.steps;
    },
  };
}

/** All states at once, a character at a time: never more steps than states times characters, however the glob is written. */
class GlobMatcher {
  readonly #states: readonly GlobState[];
  /** From each state on, the states that do something. */
  readonly #reachable: readonly (readonly number[])[];
  /** By state: the number of the step that has it already. */
  readonly #stamps: Float64Array;
  #step = 0;
  steps = 0;

  constructor(states: readonly GlobState[]) {
    this.#states = states;
    this.#reachable = states.map((_, at) => reachable(states, at));
    this.#stamps = new Float64Array(states.length);
  }

  matches(path: string): boolean {
    let active = this.#reachable[0] ?? [];
    for (const character of path) {
      active = this.#after(active, character.codePointAt(0) ?? 0);
      if (active.length === 0) return false;
    }
    return active.some((at) => this.#states[at]?.kind === "end");
  }

  #after(active: readonly number[], code: number): readonly number[] {
    const next: number[] = [];
    this.#step += 1;
    this.steps += active.length;
    for (const at of active) {
      const state = this.#states[at];
      if (state?.kind !== "take" || !state.takes(code)) continue;
      for (const then of this.#reachable[state.next] ?? []) {
        if (this.#stamps[then] === this.#step) continue;
        this.#stamps[then] = this.#step;
        next.push(then);
      }
    }
    return next;
  }
}

function reachable(states: readonly GlobState[], from: number): readonly number[] {
  const seen = new Set<number>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const state = states[at];
    if (seen.has(at)) continue;
    seen.add(at);
    if (state?.kind === "choice") open.push(...state.next);
  }
  return [...seen].filter((at) => states[at]?.kind !== "choice");
}
