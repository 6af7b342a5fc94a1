import { KubeClientError, Semaphore } from "@binnacle/environment-view";
import { parseRulesReview, ruleCovers, type NamespaceRules } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { FreshAnswers, type FreshAnswer } from "../base/fresh-answers.ts";
import { reviewAccess, type AccessAttributes, type AccessReview } from "./access-review.ts";
import { reviewIdentity } from "./cluster-identity.ts";
import type { KasAccess } from "./kas-access.ts";
import type { KasKubeClient } from "./kas-kube-client.ts";
import { tenantOf } from "./tenant.ts";

/** How long an answer of the cluster is used, from its request on. */
const FRESH_MS = 30_000;
/** Single reviews at a time for one identity, in this process. */
const WIDTH = 8;
/** Of a review; one that is still waiting for its turn by then is not sent. */
const LIMIT_MS = 10_000;
const MAX_CREDENTIALS = 5_000;
const MAX_IDENTITIES = 1_000;
/** Of one identity. */
const MAX_NAMESPACES = 32;
const MAX_RIGHTS = 2_000;

const RULES_PATH = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";

/** A viewer's connection to a cluster, as far as permissions need it. */
export type PermissionsAccess = Pick<KasAccess, "agentId" | "credentialKey" | "session"> & {
  readonly client: Pick<KasKubeClient, "json">;
};

/** What rights of viewers are read from. */
export interface PermissionsContext {
  readonly permissions: ViewerPermissions;
}

/** What a cluster has answered to one identity. */
class IdentityPermissions {
  /** By namespace; `undefined`: there was no answer. */
  readonly rules: FreshAnswers<NamespaceRules | undefined>;
  readonly reviews: FreshAnswers<AccessReview>;
  readonly places = new Semaphore(WIDTH);

  constructor(clock: Clock) {
    this.rules = new FreshAnswers(clock, MAX_NAMESPACES);
    this.reviews = new FreshAnswers(clock, MAX_RIGHTS);
  }
}

/**
 * What viewers may do in clusters, for what a page offers: the cluster judges every real request itself. One SelfSubjectRulesReview answers for a
 * namespace; a right that it does not list is reviewed alone where the list is incomplete, has errors or did not come. Answers are
 * shared by all viewers of one identity at one agent, and used for 30 s; a right that is not known is reviewed again by the next call.
 */
export class ViewerPermissions {
  readonly #clock: Clock;
  /** By credential and agent: the name of the identity, and the session that the credential belongs to. */
  readonly #identities: LRUCache<string, { readonly session: string | undefined; readonly tenant: Promise<string> }>;
  /** By the name of the identity. */
  readonly #permissions: LRUCache<string, IdentityPermissions>;

  constructor(clock: Clock) {
    this.#clock = clock;
    const fresh = { ttl: FRESH_MS, ttlResolution: 0, perf: { now: () => clock.now() } };
    this.#identities = new LRUCache({ ...fresh, max: MAX_CREDENTIALS });
    this.#permissions = new LRUCache({ ...fresh, max: MAX_IDENTITIES, updateAgeOnGet: true });
  }

  /** Whether the viewer has a right. It is not cancelled by a caller that leaves, since others may wait for the same answer. */
  async review(access: PermissionsAccess, right: AccessAttributes): Promise<AccessReview> {
    const { client } = access;
    const { verb, group, resource, subresource = "", namespace, name } = right;
    const permissions = this.#permissionsOf(await this.#tenantOf(access));
    // Rules are listed for a namespace only.
    const rules = namespace === "" ? undefined : await permissions.rules.read(namespace, () => readRules(client, namespace, this.#clock));
    if (rules?.rules.some((rule) => ruleCovers(rule, right) && (rule.names.length === 0 || rule.names.includes(name))))
      return { right: "allowed" };
    if (rules !== undefined && !rules.incomplete && rules.error === undefined) return { right: "denied" };
    return permissions.reviews.read(JSON.stringify([verb, group, resource, subresource, namespace, name]), () => {
      const inTime = AbortSignal.timeout(LIMIT_MS);
      return permissions.places.run(async () => {
        const freshMs = freshSince(this.#clock);
        const answer = await reviewAccess(client, right, inTime);
        return { answer, freshMs: answer.right === "not-known" ? 0 : freshMs() };
      });
    });
  }

  /** Drops what was read for identities of a session. */
  sessionEnded(session: string): void {
    for (const [key, known] of this.#identities.entries()) {
      if (known.session !== session) continue;
      this.#identities.delete(key);
      // The caller of `review` gets its error.
      known.tenant.then((tenant) => this.#permissions.delete(tenant)).catch(() => undefined);
    }
  }

  #permissionsOf(tenant: string): IdentityPermissions {
    const known = this.#permissions.get(tenant);
    if (known !== undefined) return known;
    this.#permissions.purgeStale();
    const permissions = new IdentityPermissions(this.#clock);
    this.#permissions.set(tenant, permissions);
    return permissions;
  }

  /** While the cluster does not answer who the viewer is, nothing is shared with another credential. */
  #tenantOf(access: PermissionsAccess): Promise<string> {
    const key = JSON.stringify([access.credentialKey, String(access.agentId)]);
    const known = this.#identities.get(key);
    if (known !== undefined) return known.tenant;
    const tenant = reviewIdentity(access.client, AbortSignal.timeout(LIMIT_MS)).then(
      (identity) => tenantOf(access, identity),
      (error: unknown) => {
        this.#identities.delete(key);
        if (!(error instanceof KubeClientError)) throw error;
        return tenantOf(access, undefined);
      },
    );
    this.#identities.set(key, { session: access.session, tenant });
    return tenant;
  }
}

/** How long an answer that comes now is used, which was requested when this was called: a right that was withdrawn since then must not last longer. */
function freshSince(clock: Clock): () => number {
  const requestedMs = clock.now();
  return () => FRESH_MS - (clock.now() - requestedMs);
}

async function readRules(
  client: PermissionsAccess["client"],
  namespace: string,
  clock: Clock,
): Promise<FreshAnswer<NamespaceRules | undefined>> {
  const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } };
  const freshMs = freshSince(clock);
  try {
    const answer = await client.json({ path: RULES_PATH, body }, AbortSignal.timeout(LIMIT_MS));
    return { answer: parseRulesReview(answer), freshMs: freshMs() };
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    return { answer: undefined, freshMs: 0 };
  }
}
