import { LRUCache } from "lru-cache";

import type { ViewerAccess } from "../session/viewer-access.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

/** Deployments of one environment that are remembered. */
const MOST_DEPLOYMENTS = 20;
/** Environments of viewers. */
const MOST_JOURNALS = 2_000;

type Deployed = Extract<DeploymentRecord, { readonly kind: "deployed" }>;

/** Whose look at which environment. */
export interface DeploymentsOf {
  readonly viewerAccess: Pick<ViewerAccess, "key">;
  readonly environment: { readonly projectPath: string; readonly name: string };
}

/**
 * What was deployed to environments while somebody looked at them, and the last before that: as each viewer was told it, for what one may
 * read of a commit is not for another. Who is told nothing any more has no journal any more.
 */
export class DeploymentJournal {
  readonly #journals = new LRUCache<string, readonly Deployed[]>({ max: MOST_JOURNALS });

  /** What an environment is at, as its page shows it. */
  note(of: DeploymentsOf, shown: DeploymentRecord | undefined): void {
    if (shown === undefined) return;
    const key = keyOf(of);
    if (shown.kind !== "deployed") {
      if (shown.kind === "not-readable") this.#journals.delete(key);
      return;
    }
    const known = this.#journals.get(key) ?? [];
    // Who may not read the commit any more may not read those before either.
    const isWithdrawn = shown.title === "" && known.some((each) => isSame(each, shown) && each.title !== "");
    // The same one may be known better now: by its title, or its time.
    const others = isWithdrawn ? [] : known.filter((each) => !isSame(each, shown));
    this.#journals.set(key, [shown, ...others].slice(0, MOST_DEPLOYMENTS));
  }

  /** Newest first. */
  of(of: DeploymentsOf): readonly Deployed[] {
    return this.#journals.get(keyOf(of)) ?? [];
  }
}

function keyOf({ viewerAccess, environment }: DeploymentsOf): string {
  return `${viewerAccess.key}\0${environment.projectPath.toLowerCase()}\0${environment.name}`;
}

/** A commit that is deployed once more is another deployment when it has another time. */
function isSame(a: Deployed, b: Deployed): boolean {
  const isSameCommit = a.sha.startsWith(b.sha) || b.sha.startsWith(a.sha);
  return isSameCommit && a.source === b.source && (a.atMs === b.atMs || a.atMs === undefined || b.atMs === undefined);
}
