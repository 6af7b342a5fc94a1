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

/** @returns undefined for a value that no kas has written */
export function parseProblem(text: string): ReportedProblem | undefined {
  const [, problem, atMs] = /^([12]) (\d{1,16})$/.exec(text) ?? [];
  if (problem === undefined || atMs === undefined) return undefined;
  return { problem: problem === "1" ? GitopsSourceProblem.NO_COMMIT : GitopsSourceProblem.UNREADABLE, atMs: Number(atMs) };
}

/** The problems of projects' sources that this process has reported. */
export class LocalSourceProblems {
  readonly #clock: Clock;
  readonly #reported = new LRUCache<string, ReportedProblem>(atMost(MAX_PROJECTS));

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns whether it differs from the last report of this process, or is the first */
  report(agentId: bigint, project: string, problem: GitopsSourceProblem): boolean {
    const key = keyOf(agentId, project);
    const before = this.#reported.get(key);
    this.#reported.set(key, { problem, atMs: this.#clock.now() });
    return before?.problem !== problem;
  }

  /** The next report counts as a change. */
  forget(agentId: bigint, project: string): void {
    this.#reported.delete(keyOf(agentId, project));
  }

  /** Projects of an agent with a report that has not expired. */
  projectsOf(agentId: bigint): readonly string[] {
    const start = keyOf(agentId, "");
    return [...this.#reported.entries()].flatMap(([key, reported]) =>
      key.startsWith(start) && isReported(reported, this.#clock) ? [key.slice(start.length)] : [],
    );
  }

  of(agentId: bigint, project: string): GitopsSourceProblem {
    const reported = this.#reported.get(keyOf(agentId, project));
    return reported !== undefined && isReported(reported, this.#clock) ? reported.problem : GitopsSourceProblem.UNSPECIFIED;
  }
}

function keyOf(agentId: bigint, project: string): string {
  return `${agentId} ${project}`;
}
