import { GitopsSourceProblem } from "@binnacle/proto/kas-gitops";
import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { atMost } from "../limits/at-most.ts";

/** Streams say it again at each look. */
const KEPT_MS = 15 * 60_000;
const MAX_PROJECTS = 10_000;

/** Since when something is known of a project. */
export interface ReportedProblem {
  readonly problem: GitopsSourceProblem;
  readonly atMs: number;
}

/** Whether it still counts. */
export function isReported({ atMs }: ReportedProblem, clock: Clock): boolean {
  const ageMs = clock.now() - atMs;
  return ageMs >= 0 && ageMs < KEPT_MS;
}

/** As Redis keeps it: "problem atMs". */
export function formatProblem({ problem, atMs }: ReportedProblem): string {
  return `${problem} ${atMs}`;
}

/** @returns undefined for what nobody of ours has written */
export function parseProblem(text: string): ReportedProblem | undefined {
  const [, problem, atMs] = /^([12]) (\d{1,16})$/.exec(text) ?? [];
  if (problem === undefined || atMs === undefined) return undefined;
  return { problem: problem === "1" ? GitopsSourceProblem.NO_COMMIT : GitopsSourceProblem.UNREADABLE, atMs: Number(atMs) };
}

/** What this process was told of projects' sources. */
export class LocalSourceProblems {
  readonly #clock: Clock;
  readonly #said = new LRUCache<string, ReportedProblem>(atMost(MAX_PROJECTS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns whether this process has said something else last, or nothing */
  say(agentId: bigint, project: string, problem: GitopsSourceProblem): boolean {
    const key = keyOf(agentId, project);
    const before = this.#said.get(key);
    this.#said.set(key, { problem, atMs: this.#clock.now() });
    return before?.problem !== problem;
  }

  /** Whatever is said next is news. */
  forget(agentId: bigint, project: string): void {
    this.#said.delete(keyOf(agentId, project));
  }

  /** Of which projects of an agent something is said, and not forgotten. */
  projectsOf(agentId: bigint): readonly string[] {
    const start = keyOf(agentId, "");
    return [...this.#said.entries()].flatMap(([key, said]) =>
      key.startsWith(start) && isReported(said, this.#clock) ? [key.slice(start.length)] : [],
    );
  }

  of(agentId: bigint, project: string): GitopsSourceProblem {
    const said = this.#said.get(keyOf(agentId, project));
    return said !== undefined && isReported(said, this.#clock) ? said.problem : GitopsSourceProblem.UNSPECIFIED;
  }
}

function keyOf(agentId: bigint, project: string): string {
  return `${agentId} ${project}`;
}
