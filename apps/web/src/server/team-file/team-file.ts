import type { CustomEdgeRule } from "@binnacle/graph";
import type { UserRule } from "@binnacle/health-lua";

import type { EnvironmentEntry } from "./team-file-schema.ts";
import type { TeamFileProblem } from "./team-yaml.ts";

/** What a project's file says, as far as it is right. */
export interface TeamFile {
  /** In the order of the file. */
  readonly environments: readonly TeamEnvironment[];
  readonly edges: readonly CustomEdgeRule[];
  readonly health: readonly UserRule[];
  /** `Group/Kind`, of the core group the kind alone. */
  readonly hidden: readonly string[];
  /** By kind. */
  readonly weights: ReadonlyMap<string, "count" | "ignore">;
  /** Queries of pages, by name. */
  readonly views: ReadonlyMap<string, string>;
  /** By line, at most 100. */
  readonly problems: readonly TeamFileProblem[];
}

/** What the file says of one environment, or of all that a pattern names. */
export interface TeamEnvironment {
  /** Name or pattern. */
  readonly name: string;
  readonly line: number;
  readonly entry: EnvironmentEntry;
}

/** A compiled pattern of environment names. */
interface EnvironmentGlob {
  matches(name: string): boolean;
}

/** Finds what a file says of environments: who is named wins over every pattern, of patterns the first in the file. */
export class TeamEnvironments {
  readonly #named = new Map<string, TeamEnvironment>();
  readonly #patterns: (EnvironmentGlob & { readonly found: TeamEnvironment })[] = [];

  constructor(environments: readonly TeamEnvironment[]) {
    for (const found of environments) {
      if (found.name.includes("*")) this.#patterns.push({ ...compileGlob(found.name), found });
      else this.#named.set(found.name, found);
    }
  }

  of(name: string): TeamEnvironment | undefined {
    return this.#named.get(name) ?? this.#patterns.find((pattern) => pattern.matches(name))?.found;
  }
}

/**
 * Reads a pattern in which `*` is any run of characters, also none and also slashes; everything else is itself. Matching costs at most as many
 * steps as pattern and name have characters together, for any pattern: a project may have thousands of environments, and the author of
 * the file chooses both.
 */
export function compileGlob(pattern: string): EnvironmentGlob {
  const parts = pattern.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return { matches: (name) => name === pattern };
  const between = parts.slice(1, -1).filter((part) => part !== "");
  const tables = between.map(bordersOf);
  return {
    matches: (name) => {
      if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
      const end = name.length - last.length;
      let at = first.length;
      for (const [place, part] of between.entries()) {
        // The leftmost place leaves the most to those that follow.
        at = indexAfter(name, { part, borders: tables[place] ?? [], from: at, end });
        if (at < 0) return false;
      }
      return true;
    },
  };
}

/** Where the first `part` within [from, end) ends; -1 when there is none. Knuth, Morris and Pratt: no character is looked at twice. */
function indexAfter(
  text: string,
  { part, borders, from, end }: { readonly part: string; readonly borders: readonly number[]; readonly from: number; readonly end: number },
): number {
  let matched = 0;
  for (let at = from; at < end; at += 1) {
    while (matched > 0 && text[at] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (text[at] === part[matched]) matched += 1;
    if (matched === part.length) return at + 1;
  }
  return -1;
}

/** For each beginning of `part` the length of the longest shorter beginning that it ends with. */
function bordersOf(part: string): number[] {
  const borders = [0];
  let matched = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (matched > 0 && part[at] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (part[at] === part[matched]) matched += 1;
    borders.push(matched);
  }
  return borders;
}
