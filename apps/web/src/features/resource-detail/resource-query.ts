import type { Dashboard, GetResourceResponse, ResourceRef } from "@binnacle/proto/dashboard";
import type { Clock } from "@binnacle/rpc";
import type { Client } from "@connectrpc/connect";
import { liveQuery } from "../queries/live-query.ts";
import { millisOf } from "../../ui/format-time.ts";
import { detailKeys, type ResourceIdentity } from "../queries/detail-keys.ts";

/** A change is on the screen within a second, and a rollout costs two requests in it. */
const INTERVAL_MS = 500;
/** A load that has not answered by then has failed. */
const LIMIT_MS = 20_000;
/** Field manager of actions (`packages/environment-view/src/act/kube-action.ts`). */
export const OWN_MANAGER = "binnacle";
/** As long as another web process retries the notice that names the viewer (`server/authors/viewer-act.ts`). */
const NAMED_WITHIN_MS = 60_000;
/** A change of ours without a known viewer is queried again at this interval meanwhile. */
const UNNAMED_INTERVAL_MS = 3_000;

/** Which object, and in which state the view has it. */
export interface ResourceQuestion extends ResourceIdentity {
  /** Absent: nothing is queried. */
  readonly ref: ResourceRef | undefined;
  /** The node's. */
  readonly revision: number;
}

/** The parameters of the query. */
export interface ResourceAsking {
  readonly dashboard: () => Pick<Client<typeof Dashboard>, "getResource">;
  /** For pace and age. */
  readonly clock: Clock;
}

/** Details of an object. */
export function resourceQuery({ ref, revision, ...identity }: ResourceQuestion, { dashboard, clock }: ResourceAsking) {
  const { projectPath, environment } = identity;
  return liveQuery<GetResourceResponse>({
    queryKey: detailKeys.resource(identity),
    ask: ref && ((signal) => dashboard().getResource({ projectPath, environment, ref }, { signal, timeoutMs: LIMIT_MS })),
    revision,
    holds: (answer) => !mayBeNamed(answer, clock.now()),
    intervalMs: (_answer, isCurrent) => (isCurrent ? UNNAMED_INTERVAL_MS : INTERVAL_MS),
    clock,
  });
}

/** Whether a notice may still come that names the viewer of a change. */
function mayBeNamed({ changes }: GetResourceResponse, nowMs: number): boolean {
  return changes.some(({ manager, by, at }) => {
    // A cluster may write any time.
    const isRecent = at !== undefined && Math.abs(nowMs - millisOf(at)) < NAMED_WITHIN_MS;
    return manager === OWN_MANAGER && by === undefined && isRecent;
  });
}
