import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import type { ClusterIdentity } from "./cluster-identity.ts";
import type { KasAccess } from "./kas-access.ts";
import { tenantOf } from "./tenant.ts";

/** An identity may have some hundred groups. */
const MAX_PROOFS = 10_000;

/** Identity of a user at a cluster's last check. */
export interface ProvedIdentity {
  /** Names the agent and the identity, as views are shared. */
  readonly tenant: string;
  /** Absent when the cluster does not tell. */
  readonly identity: ClusterIdentity | undefined;
}

/**
 * Identity of each user of the main application at each agent's cluster, as of its last check. It gives no right: it decides whose
 * last picture may be shown to a user whom kas has just let through to an agent that is not there.
 */
export class ProvedIdentities {
  readonly #proofs: LRUCache<string, ProvedIdentity>;

  constructor({ clock, ttlMs }: { readonly clock: Clock; readonly ttlMs: number }) {
    this.#proofs = new LRUCache({ max: MAX_PROOFS, ttl: ttlMs, ttlResolution: 0, perf: { now: () => clock.now() } });
  }

  /** The cluster has just reported the user's identity. */
  prove(username: string, access: KasAccess, identity: ClusterIdentity | undefined): void {
    this.#proofs.set(keyOf(username, access), { tenant: tenantOf(access, identity), identity });
  }

  /**
   * The last identity; `undefined` when it is not known, or when the user came with another credential to a cluster that does not report
   * identities.
   */
  of(username: string, access: KasAccess): ProvedIdentity | undefined {
    const proved = this.#proofs.get(keyOf(username, access));
    if (proved === undefined || proved.identity !== undefined) return proved;
    return proved.tenant === tenantOf(access, undefined) ? proved : undefined;
  }

  /** The user was rejected, or has another identity now. */
  forget(username: string, access: KasAccess): void {
    this.#proofs.delete(keyOf(username, access));
  }
}

/** What is known of who viewers are to clusters. */
export interface IdentitiesContext {
  readonly pictures: { readonly identities: ProvedIdentities };
}

function keyOf(username: string, { agentId }: KasAccess): string {
  return JSON.stringify([username, String(agentId)]);
}
