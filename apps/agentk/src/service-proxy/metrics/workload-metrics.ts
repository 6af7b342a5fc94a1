import type { ServiceOptions } from "@binnacle/proto/agent-options";
import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import type { Values } from "@binnacle/proto/prototool";
import type { Clock } from "@binnacle/rpc";

import { reviewAccess } from "../../cluster-access/access-review.ts";
import { type ApiAs, isOk, reasonOf } from "../../cluster-access/cluster-api.ts";
import { identityOfConfig } from "../../cluster-access/impersonation.ts";
import type { ServiceEndpoints } from "../service-endpoints.ts";
import { ServiceRefusal } from "../service-refusal.ts";
import { UNITS, type MetricSubject } from "./metric-catalogue.ts";
import { metricsRequestOf, type MetricsRange } from "./metrics-request.ts";
import { queryPrometheus, type Sample } from "./prometheus-query.ts";

/** Samples of a workload with their queries, which a page can show. */
export interface MetricsAnswer {
  readonly metric: string;
  readonly unit: string;
  readonly subject: MetricSubject;
  readonly range: MetricsRange | null;
  readonly lines: readonly { readonly of: string; readonly query: string; readonly samples: readonly Sample[] }[];
}

/** A viewer of a pod's metrics must be able to read the pod. */
const VERBS = ["get", "list"] as const;

/** Answers requests for metrics: parses them, reviews whether the caller may read those pods, and queries Prometheus for the caller. */
export class WorkloadMetrics {
  readonly #options: { readonly apiAs: ApiAs; readonly endpoints: Pick<ServiceEndpoints, "resolve">; readonly clock: Clock };

  constructor(options: { readonly apiAs: ApiAs; readonly endpoints: Pick<ServiceEndpoints, "resolve">; readonly clock: Clock }) {
    this.#options = options;
  }

  /** @throws ServiceRefusal */
  async answer(request: {
    readonly entry: ServiceOptions;
    readonly query: Readonly<Record<string, Values>>;
    readonly identity: ImpersonationConfig | undefined;
    readonly signal: AbortSignal;
  }): Promise<MetricsAnswer> {
    const { entry, identity, signal } = request;
    const { apiAs, endpoints, clock } = this.#options;
    const { metric, subject, range, queries } = metricsRequestOf(request.query);
    await checkPodAccess(apiAs, { namespace: subject.namespace, identity, signal });
    const service = await endpoints.resolve(entry, signal);
    const lines = await Promise.all(
      queries.map(async ({ of, query }) => ({
        of,
        query,
        samples: await queryPrometheus(query, { entry, service, clock, signal, range }),
      })),
    );
    return { metric, unit: UNITS[metric], subject, range: range ?? null, lines };
  }
}

/**
 * Reviews, as the caller, the rights to get and list pods there: a SelfSubjectAccessReview by impersonation, so that the API server completes
 * the groups as for the caller's own requests, and agentk needs no right for it but to impersonate.
 *
 * @param identity absent: the caller's requests are made as agentk itself
 * @throws ServiceRefusal `pods_forbidden`
 */
export async function checkPodAccess(
  apiAs: ApiAs,
  {
    namespace,
    identity,
    signal,
  }: { readonly namespace: string; readonly identity: ImpersonationConfig | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const api = apiAs(identityOfConfig(identity));
  const answers = await Promise.all(
    VERBS.map(async (verb) => {
      const { answer, isAllowed } = await reviewAccess(api, { verb, group: "", resource: "pods", namespace }, signal);
      if (!isOk(answer)) throw new ServiceRefusal("agent_rights_missing", `the agent cannot ask what you may see: ${reasonOf(answer)}`);
      return { verb, isAllowed };
    }),
  );
  const refused = answers.find(({ isAllowed }) => !isAllowed);
  if (refused === undefined) return;
  throw new ServiceRefusal("pods_forbidden", `you may not ${refused.verb} pods in namespace ${namespace}, so its metrics are not shown`);
}
