import type { Dashboard, ResourceRef } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";
import type { Client } from "@connectrpc/connect";
import { liveQuery } from "../asked/live-query.ts";
import { detailKeys, type ResourceIdentity } from "../asked/detail-keys.ts";

/** A change is on the screen within a second, and a rollout costs two requests in it. */
const INTERVAL_MS = 500;
/** A load that has not answered by then has failed. */
const LIMIT_MS = 20_000;

/** Which object, and in which state the view has it. */
export interface ResourceQuestion extends ResourceIdentity {
  /** Absent: nothing is asked. */
  readonly ref: ResourceRef | undefined;
  /** The node's. */
  readonly revision: number;
}

/** What the question is asked with. */
export interface ResourceAsking {
  readonly dashboard: () => Pick<Client<typeof Dashboard>, "getResource">;
  /** For pace and age. */
  readonly clock: Clock;
}

/** Details of an object. */
export function resourceQuery({ ref, revision, ...identity }: ResourceQuestion, { dashboard, clock }: ResourceAsking) {
  const { projectPath, environment } = identity;
  return liveQuery({
    queryKey: detailKeys.resource(identity),
    ask: ref && ((signal) => dashboard().getResource({ projectPath, environment, ref }, { signal, timeoutMs: LIMIT_MS })),
    revision,
    intervalMs: () => INTERVAL_MS,
    clock,
  });
}
