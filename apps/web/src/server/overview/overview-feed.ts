import { ProblemKind, type Problem, type RowsSeen } from "@binnacle/proto/dashboard";
import { Backoff, Fault, sleep } from "@binnacle/rpc";

import { statusOfRow } from "@binnacle/presentation/environments/row-order";
import { problemOf } from "../environment/problem.ts";
import type { RowWithId } from "../index/rows-change.ts";
import { IndexRows, type IndexRowsContext } from "../index/index-rows.ts";
import type { GroupRecord } from "../main-application/many-projects.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { OverviewProjects, type OverviewProjectsContext, type ProjectsTotals } from "./overview-projects.ts";

/** What an overview is fed with. */
export interface OverviewFeedContext extends IndexRowsContext, OverviewProjectsContext {
  /** Interval at which the main application is polled for an open page, in milliseconds. */
  readonly mainApplicationPollMs: number;
}

/** Whose overview it is. */
export interface OverviewFeedOptions {
  readonly viewerAccess: ViewerAccess;
  /** Full path of a group; empty: all projects of the viewer. */
  readonly group: string;
  readonly returnPath: string;
  /** There is something to take. */
  readonly changed: () => void;
  readonly signal: AbortSignal;
}

/** What has changed in an overview. */
export interface OverviewChange {
  /** The worst first. */
  readonly rows: readonly RowWithId[];
  readonly removed: readonly string[];
  readonly seen: readonly RowsSeen[];
  readonly totals: ProjectsTotals & { readonly complete: boolean; readonly deployments: boolean };
  readonly viewer: MainViewer | undefined;
  /** Sent once, when they are known. */
  readonly groups: readonly GroupRecord[];
}

/** While projects are read, new environments join the rows after this time, and then after three times as long each time, up to two seconds. */
const JOIN_MS = 150;
const MAX_JOIN_MS = 2_000;

/** A number is unique among all environments of a main application. */
const numberOf = ({ number }: EnvironmentRecord): string => number;

/**
 * All rows of one overview: projects and environments from the main application, as its viewer, and their health from the agents, as an index
 * has it. First the environments are read without what was deployed to them, then with it, the worst first; then again at every poll.
 */
export class OverviewFeed {
  readonly #context: OverviewFeedContext;
  readonly #options: OverviewFeedOptions;
  readonly #projects: OverviewProjects;
  readonly #rows: IndexRows;
  /** The worst status that was seen of each project. */
  readonly #need = new Map<string, number>();
  #viewer: MainViewer | undefined;
  #problem: Problem | undefined;
  #removed: string[] = [];
  #groups: readonly GroupRecord[] = [];
  #state: "listing" | "reading" | "complete" | "with_deployments" = "listing";
  #cancelJoining: (() => void) | undefined;
  #joinMs = JOIN_MS;

  constructor(context: OverviewFeedContext, options: OverviewFeedOptions) {
    const { changed, signal } = options;
    this.#context = context;
    this.#options = options;
    this.#projects = new OverviewProjects(context, options);
    this.#rows = new IndexRows(context, { visible: new Set(), allIssues: false, images: true, idOf: numberOf, changed, signal });
  }

  /** Why nothing, or nothing newer, can be shown; `isPassing`: it is tried again. */
  get problem(): { readonly problem: Problem; readonly isPassing: boolean } | undefined {
    return this.#problem && { problem: this.#problem, isPassing: this.#problem.kind === ProblemKind.UNAVAILABLE };
  }

  /** Nothing was listed yet. */
  get isListing(): boolean {
    return this.#state === "listing";
  }

  /** What has changed since the last time. */
  take(): OverviewChange {
    const { rows, seen } = this.#rows.take();
    for (const { row } of rows) this.#needs(row.environment?.projectPath ?? "", statusOfRow(row));
    const [removed, groups] = [this.#removed, this.#groups];
    [this.#removed, this.#groups] = [[], []];
    return {
      rows: rows.toSorted((left, right) => statusOfRow(right.row) - statusOfRow(left.row)),
      removed,
      seen,
      totals: {
        ...this.#projects.totals(),
        complete: this.#state === "complete" || this.#state === "with_deployments",
        deployments: this.#state === "with_deployments",
      },
      viewer: this.#viewer,
      groups,
    };
  }

  /** Feeds the overview until its signal aborts, or until it cannot be shown. Never rejects for an expected failure. */
  async run(): Promise<void> {
    const { clock, mainApplicationPollMs } = this.#context;
    const { signal } = this.#options;
    const backoff = new Backoff({ initialMs: 1_000, maxMs: 10_000 });
    void this.#readGroups();
    while (!signal.aborted && this.problem?.isPassing !== false) {
      const isRead = await this.#readAll();
      if (isRead) backoff.reset();
      if (isRead && this.#state === "complete") continue;
      await sleep(clock, isRead ? mainApplicationPollMs : backoff.nextMs(), signal);
    }
  }

  /** There is no subscriber any more. */
  close(): void {
    this.#cancelJoining?.();
    this.#rows.close();
  }

  /** @returns whether it was read; otherwise there is a problem */
  async #readAll(): Promise<boolean> {
    const { signal, changed, returnPath } = this.#options;
    const isFirst = this.#state === "listing" || this.#state === "reading";
    try {
      this.#viewer = await this.#projects.list(signal);
      this.#problem = undefined;
      if (isFirst) this.#state = "reading";
      changed();
      const needOf = (projectPath: string): number => this.#need.get(projectPath) ?? 0;
      await this.#projects.read({ deployments: !isFirst, needOf, changed: () => this.#joinSoon() }, signal);
      if (signal.aborted) return false;
      this.#state = isFirst ? "complete" : "with_deployments";
      this.#join();
      return true;
    } catch (error) {
      if (signal.aborted && error instanceof Fault) return false;
      this.#problem = problemOf(error, this.#context.signInUrl(returnPath));
      changed();
      return false;
    }
  }

  /** Their names make the page easier to read; without them it shows paths. */
  async #readGroups(): Promise<void> {
    const { viewerAccess, signal, changed } = this.#options;
    try {
      const answer = await viewerAccess.groups(signal);
      if (answer.kind === "listed") this.#groups = answer.groups;
      changed();
    } catch (error) {
      if (!(error instanceof Fault)) this.#context.log.error({ error }, "the groups of an overview were not read");
    }
  }

  #joinSoon(): void {
    this.#cancelJoining ??= this.#context.clock.after(this.#joinMs, () => this.#join());
  }

  #join(): void {
    this.#cancelJoining?.();
    this.#cancelJoining = undefined;
    this.#joinMs = Math.min(3 * this.#joinMs, MAX_JOIN_MS);
    const { viewerAccess, signal, changed } = this.#options;
    if (signal.aborted || this.#viewer === undefined) return;
    this.#removed.push(...this.#rows.reconcile({ viewer: this.#viewer, viewerAccess, environments: this.#projects.environments() }));
    changed();
  }

  #needs(projectPath: string, status: number): void {
    if (status > (this.#need.get(projectPath) ?? 0)) this.#need.set(projectPath, status);
  }
}
