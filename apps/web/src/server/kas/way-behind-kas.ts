import type { KubeClientError } from "@binnacle/environment-view";
import { settlesWithin, type Clock } from "@binnacle/rpc";

import type { KasAccess } from "./kas-access.ts";
import type { KnownConnection } from "../wire/to-proto.ts";
import type { AgentAbsences } from "./agent-absences.ts";

/** What says who is away. */
export interface AbsencesContext {
  /** Since when agents are away. */
  readonly absences: AgentAbsences;
  readonly clock: Clock;
}

/** State of the connection after a first request has failed; "connecting" when it is not known what is unavailable. */
export function awayAs({ absences, clock }: AbsencesContext, { agentId }: KasAccess, error: KubeClientError): KnownConnection {
  const { failure, words } = error;
  switch (failure) {
    case "agent_offline":
    case "api_down":
    case "kas_unreachable":
      return { state: failure, sinceMs: absences.sinceMs(agentId, failure), words };
    default:
      return { state: "connecting", sinceMs: clock.now(), words };
  }
}

/**
 * Whether kas has just authorized the viewer for the agent, and only then found it unavailable. It checks rights first, so that a viewer
 * who may not use the agent does not learn its state.
 */
export function isLetThrough({ failure, status }: KubeClientError): boolean {
  return failure === "agent_offline" || failure === "api_down" || (failure === "busy" && status?.code === 504);
}

/** An answer within this time decides, even if an earlier request found the agent unavailable. */
const KNOWN_WAIT_MS = 100;
/** So long a first answer may take before the last picture stands in for it. */
const FIRST_WAIT_MS = 1_000;
/** What kas answers by itself, whatever the agent does, to viewers who may use the agent; it checks rights first. */
const OWN_ANSWER = { method: "GET", path: "/binnacle/v1/gitops/syncs", accept: "application/json", purpose: "proof" } as const;
/** What any API server answers behind a kas that answers nothing by itself. */
const CLUSTER_ANSWER = { ...OWN_ANSWER, path: "/version" } as const;

/**
 * What may be shown while the cluster's first answer is awaited: who this process knows to be unavailable, or that it is still being
 * connected to. Only for a viewer whom kas lets through to the agent at this moment: one who may not use the agent does not learn its
 * state.
 *
 * @param answer settles with the cluster's answer, whatever it is
 * @returns `undefined` when the answer came first, or when kas does not let the viewer through, or is too old to say
 */
export async function connectionMeanwhile(
  { absences, clock }: AbsencesContext,
  access: KasAccess,
  { answer, signal }: { readonly answer: Promise<unknown>; readonly signal: AbortSignal },
): Promise<KnownConnection | undefined> {
  const sinceMs = clock.now();
  const absence = absences.current(access.agentId);
  if (await settlesWithin(answer, absence === undefined ? FIRST_WAIT_MS : KNOWN_WAIT_MS, clock)) return undefined;
  const over = new AbortController();
  const hasAnswered = answer.then(
    () => false,
    () => false,
  );
  try {
    const isAllowed = await Promise.race([hasAnswered, isLetThroughNow(access, AbortSignal.any([signal, over.signal]))]);
    return isAllowed ? (absences.current(access.agentId) ?? { state: "connecting", sinceMs }) : undefined;
  } finally {
    over.abort();
  }
}

/**
 * Whether kas lets the viewer through to the agent, answered by kas alone where it does that; GitLab's own kas passes the request on, so that
 * an answer of the cluster is needed. Never rejects.
 */
export async function isLetThroughNow(access: Pick<KasAccess, "kas" | "isForeign">, signal: AbortSignal): Promise<boolean> {
  try {
    const { isForeign } = access;
    const response = await access.kas.request(isForeign ? CLUSTER_ANSWER : OWN_ANSWER, signal);
    response.close();
    return isForeign ? response.status < 500 : response.status === 200;
  } catch {
    return false;
  }
}
