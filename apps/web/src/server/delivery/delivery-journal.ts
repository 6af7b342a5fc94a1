import type { GitopsSyncState } from "@binnacle/proto/kas-gitops";
import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import type { ViewerAccess } from "../main-application/main-application.ts";
import type { ShownSync } from "./agent-syncs.ts";
import { NOT_READABLE, valueOf, type Delivery } from "./delivery.ts";
import type { DeployedCommit } from "../main-application/records.ts";

/** Deployments, and runs of syncs, of one environment that are retained. */
const MAX_ENTRIES = 20;
/** Environments of viewers. */
const MAX_JOURNALS = 2_000;
/** After the last page has closed: a reload, or the change to another view. */
const RETAINED_MS = 2 * 60_000;

/** One run of a sync. Times are milliseconds since the epoch. */
export interface SyncRun {
  readonly project: string;
  readonly startedAtMs: number;
  /** Absent: it goes on, or its end was not seen. */
  readonly finishedAtMs: number | undefined;
  readonly state: GitopsSyncState;
  readonly objects: number;
  readonly failed: number;
  /** Begin of the commit's id; the full id for who may read it, as are the texts. */
  readonly sha: string;
  readonly title: string;
  readonly author: string;
  readonly commitUrl: string;
}

/** What delivery did in an environment, newest first. */
export interface DeliveryHistory {
  readonly deployments: readonly DeployedCommit[];
  readonly runs: readonly SyncRun[];
}

/** Whose history of which environment. */
export interface HistoryOf {
  readonly viewerAccess: Pick<ViewerAccess, "key">;
  readonly environment: { readonly projectPath: string; readonly name: string };
}

interface Journal {
  history: DeliveryHistory;
  /** Streams that show the environment. */
  followers: number;
  /** When the last of them ended. */
  closedAtMs: number;
}

const NOTHING: DeliveryHistory = { deployments: [], runs: [] };

/**
 * Deployments and syncs of environments since a page was opened, and the last ones before that: as each viewer received them, for what one
 * may read of a commit is not for another. A journal ends two minutes after its viewer has left, as that of the view does: whether he may still
 * read it is not checked any more.
 */
export class DeliveryJournal {
  readonly #clock: Clock;
  readonly #journals = new LRUCache<string, Journal>({ max: MAX_JOURNALS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A page shows an environment: `record` what its delivery is, at the beginning and after each change, and `close` with the page. */
  follow(of: HistoryOf): { record(delivery: Delivery): DeliveryHistory; close(): void } {
    const key = keyOf(of);
    const journal = this.#retained(key) ?? { history: NOTHING, followers: 0, closedAtMs: 0 };
    journal.followers += 1;
    this.#journals.set(key, journal);
    return {
      record: (delivery) => (journal.history = recorded(journal.history, delivery)),
      close: () => {
        journal.followers -= 1;
        journal.closedAtMs = this.#clock.now();
      },
    };
  }

  /** Records what the delivery is for a page that has no view of the environment. */
  record(of: HistoryOf, delivery: Delivery): DeliveryHistory {
    const followed = this.follow(of);
    const history = followed.record(delivery);
    followed.close();
    return history;
  }

  /** What was recorded of an environment. */
  of(of: HistoryOf): DeliveryHistory {
    return this.#retained(keyOf(of))?.history ?? NOTHING;
  }

  #retained(key: string): Journal | undefined {
    const journal = this.#journals.get(key);
    if (journal === undefined || journal.followers > 0) return journal;
    const ageMs = this.#clock.now() - journal.closedAtMs;
    return ageMs >= 0 && ageMs < RETAINED_MS ? journal : undefined;
  }
}

function recorded({ deployments, runs }: DeliveryHistory, { lastDeployment, sync }: Delivery): DeliveryHistory {
  if (sync.state === "forbidden") return NOTHING;
  const deployed = valueOf(lastDeployment);
  const isWithdrawn = deployed === undefined && lastDeployment.state === "unknown" && lastDeployment.why.id === NOT_READABLE.id;
  let all = runs;
  for (const each of valueOf(sync)?.syncs ?? []) all = withRun(all, each);
  const known = isWithdrawn ? [] : deployments;
  return { deployments: deployed === undefined ? known : withDeployment(known, deployed), runs: all };
}

function withDeployment(known: readonly DeployedCommit[], now: DeployedCommit): readonly DeployedCommit[] {
  // Who may not read the commit any more may not read those before either.
  const isWithdrawn = now.title === "" && known.some((each) => isSame(each, now) && each.title !== "");
  // The same one may be known better now: by its title, or its time.
  const others = isWithdrawn ? [] : known.filter((each) => !isSame(each, now));
  return [now, ...others].slice(0, MAX_ENTRIES);
}

/** A commit that is deployed once more is another deployment when it has another time. */
function isSame(a: DeployedCommit, b: DeployedCommit): boolean {
  const isSameCommit = a.sha.startsWith(b.sha) || b.sha.startsWith(a.sha);
  return isSameCommit && a.source === b.source && (a.atMs === b.atMs || a.atMs === undefined || b.atMs === undefined);
}

/** A report repeats the last run with the same start. */
function withRun(runs: readonly SyncRun[], sync: ShownSync): readonly SyncRun[] {
  const { project, startedAtMs, finishedAtMs, state, objects, failed, commit } = sync;
  if (startedAtMs === undefined || sync.isOutcomeUnknown || sync.retainedAsOfMs !== undefined) return runs;
  const [title, author, commitUrl] = [commit?.title ?? "", commit?.author ?? "", commit?.url ?? ""];
  const sha = commit?.sha ?? sync.sha;
  const isUnchanged = (each: SyncRun): boolean => each.project === project && each.startedAtMs === startedAtMs;
  const isWithdrawn = title === "" && runs.some((each) => isUnchanged(each) && each.title !== "");
  const others = runs.filter((each) => !isUnchanged(each) && !(isWithdrawn && each.project === project));
  const run = { project, startedAtMs, finishedAtMs, state, objects, failed, sha, title, author, commitUrl };
  return [run, ...others].toSorted((a, b) => b.startedAtMs - a.startedAtMs).slice(0, MAX_ENTRIES);
}

function keyOf({ viewerAccess, environment }: HistoryOf): string {
  return `${viewerAccess.key}\0${environment.projectPath.toLowerCase()}\0${environment.name}`;
}
