import { KubeClientError } from "@binnacle/environment-view";
import type { Problem } from "@binnacle/proto/dashboard";
import { AGENT_WAIT_MS, Fault, sleep, type Clock } from "@binnacle/rpc";

import { hasAgent } from "./connected-environment.ts";
import { reviewIdentity, type ClusterIdentity } from "../kas/cluster-identity.ts";
import type { EnvironmentRecord, MainViewer } from "../main-application/records.ts";
import type { KasAccess } from "../kas/kas-access.ts";
import { agentForbidden, noAgent, problemOf, type Wording } from "./problem.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";

/** What refusals are explained with. */
export interface RefusalContext {
  readonly wording: Wording;
  /** Address of the main application's sign-in that leads back to a path of the dashboard. */
  readonly signInUrl: (returnPath: string) => string;
}

/** What subscribers are proved with. */
export interface ProofContext extends RefusalContext {
  readonly clock: Clock;
}

/** kas answers a proof from a permission of at most 20 s (docs/design/limits.md "Proofs"): with this pace rights end within a minute. */
const PROOF_INTERVAL_MS = 30_000;
const RETRY_MS = 5_000;
/** Long enough to hear from kas that the agent is not there; a refusal comes at once. */
const PROOF_TIMEOUT_MS = AGENT_WAIT_MS + 5_000;

/** One subscriber and the way it came. */
export interface Subscriber {
  readonly viewer: MainViewer;
  readonly viewerAccess: ViewerAccess;
  readonly environment: EnvironmentRecord;
  readonly access: KasAccess;
  readonly returnPath: string;
}

/** How a subscription ends: with a problem, or because the viewer has another identity now and must join another view. */
export type ProofOutcome = { readonly kind: "problem"; readonly problem: Problem } | { readonly kind: "moved" };

/**
 * Proves a subscriber again and again by a cheap request of its own. Settles when that fails for good, or with `undefined`
 * when `signal` aborts. An agent that is away proves nothing and refutes nothing: no data flows then either.
 */
export async function recheckSubscriber(
  context: ProofContext,
  subscriber: Subscriber & { readonly identity: ClusterIdentity | undefined },
  signal: AbortSignal,
): Promise<ProofOutcome | undefined> {
  let delayMs = PROOF_INTERVAL_MS;
  for (;;) {
    await sleep(context.clock, delayMs, signal);
    if (signal.aborted) return undefined;
    delayMs = PROOF_INTERVAL_MS;
    try {
      const identity = await reviewIdentity(subscriber.access.client, AbortSignal.any([signal, AbortSignal.timeout(PROOF_TIMEOUT_MS)]));
      if (identity?.key !== subscriber.identity?.key) return { kind: "moved" };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (!(error instanceof KubeClientError)) throw error;
      delayMs = RETRY_MS;
      const problem = error.failure === "unauthorized" ? await whyRefused(context, subscriber, signal) : undefined;
      if (problem) return { kind: "problem", problem };
    }
  }
}

/**
 * kas has refused the credential: "session ended" when GraphQL says so too, "forbidden for this agent" when GraphQL still
 * answers as the user (docs/design/contract.md "Status codes of the k8s-proxy"). A main application that does not answer leaves it
 * open: `undefined`.
 */
export async function whyRefused(context: RefusalContext, subscriber: Subscriber, signal: AbortSignal): Promise<Problem | undefined> {
  const { viewerAccess, environment, returnPath } = subscriber;
  try {
    const names = { projectPath: environment.projectPath, environment: environment.name };
    const { viewer, environment: now } = await viewerAccess.environment(names, signal);
    return hasAgent(now) ? agentForbidden(context.wording, now, viewer) : noAgent(now, environment.agent);
  } catch (error) {
    if (error instanceof Fault && error.reason === "main_application_unavailable") return undefined;
    if (error instanceof Fault && error.reason === "cancelled") return undefined;
    return problemOf(error, context.signInUrl(returnPath));
  }
}
