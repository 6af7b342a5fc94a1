import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import type { ViewerAccess } from "../session/viewer-access.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

/** Deployments of one environment that are remembered. */
const MOST_DEPLOYMENTS = 20;
/** Environments of viewers. */
const MOST_JOURNALS = 2_000;
/** After the last page has left: a reload, or the way to another view. */
const KEPT_MS = 2 * 60_000;

type Deployed = Extract<DeploymentRecord, { readonly kind: "deployed" }>;

/** Whose look at which environment. */
export interface DeploymentsOf {
  readonly viewerAccess: Pick<ViewerAccess, "key">;
  readonly environment: { readonly projectPath: string; readonly name: string };
}

interface Journal {
  deployments: readonly Deployed[];
  /** Streams that show the environment. */
  followers: number;
  /** When the last of them ended. */
  leftAtMs: number;
}

/**
 * What was deployed to environments while somebody looked at them, and the last before that: as each viewer was told it, for what one may
 * read of a commit is not for another. A journal ends two minutes after its viewer has left, as that of the view does: nobody hears any more
 * whether he may still read it.
 */
export class DeploymentJournal {
  readonly #clock: Clock;
  readonly #journals = new LRUCache<string, Journal>({ max: MOST_JOURNALS });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A page shows an environment. Tell it what that is at, whenever it is something else, and when the page has left. */
  follow(of: DeploymentsOf): { note(shown: DeploymentRecord | undefined): void; leave(): void } {
    const key = keyOf(of);
    const journal = this.#kept(key) ?? { deployments: [], followers: 0, leftAtMs: 0 };
    journal.followers += 1;
    this.#journals.set(key, journal);
    return {
      note: (shown) => {
        if (shown !== undefined) journal.deployments = noted(journal.deployments, shown);
      },
      leave: () => {
        journal.followers -= 1;
        journal.leftAtMs = this.#clock.now();
      },
    };
  }

  /** Newest first. */
  of(of: DeploymentsOf): readonly Deployed[] {
    return this.#kept(keyOf(of))?.deployments ?? [];
  }

  #kept(key: string): Journal | undefined {
    const journal = this.#journals.get(key);
    if (journal === undefined || journal.followers > 0) return journal;
    const leftMs = this.#clock.now() - journal.leftAtMs;
    return leftMs >= 0 && leftMs < KEPT_MS ? journal : undefined;
  }
}

/** With what an environment is at now. */
function noted(known: readonly Deployed[], shown: DeploymentRecord): readonly Deployed[] {
  if (shown.kind !== "deployed") return shown.kind === "not-readable" ? [] : known;
  // Who may not read the commit any more may not read those before either.
  const isWithdrawn = shown.title === "" && known.some((each) => isSame(each, shown) && each.title !== "");
  // The same one may be known better now: by its title, or its time.
  const others = isWithdrawn ? [] : known.filter((each) => !isSame(each, shown));
  return [shown, ...others].slice(0, MOST_DEPLOYMENTS);
}

function keyOf({ viewerAccess, environment }: DeploymentsOf): string {
  return `${viewerAccess.key}\0${environment.projectPath.toLowerCase()}\0${environment.name}`;
}

/** A commit that is deployed once more is another deployment when it has another time. */
function isSame(a: Deployed, b: Deployed): boolean {
  const isSameCommit = a.sha.startsWith(b.sha) || b.sha.startsWith(a.sha);
  return isSameCommit && a.source === b.source && (a.atMs === b.atMs || a.atMs === undefined || b.atMs === undefined);
}
