import type { CustomEdgeRule } from "@binnacle/graph";
import type { UserRule } from "@binnacle/health-lua";

import { compileGlob, type EnvironmentGlob } from "./environment-glob.ts";
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
