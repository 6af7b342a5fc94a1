import type { ServiceOptions } from "@binnacle/proto/agent-options";
import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import type { Values } from "@binnacle/proto/prototool";
import type { Clock } from "@binnacle/rpc";

import type { ApiAs } from "../../cluster-access/cluster-api.ts";
import type { ServiceEndpoints } from "../service-endpoints.ts";
import { UNITS, type MetricSubject } from "./metric-catalogue.ts";
import { metricsRequestOf, type MetricsRange } from "./metrics-request.ts";
import { checkPodAccess } from "./pod-access.ts";
import { askPrometheus, type Sample } from "./prometheus-query.ts";

/** Figures of a workload, with what was asked for them: a page can show it. */
export interface MetricsAnswer {
  readonly metric: string;
  readonly unit: string;
  readonly subject: MetricSubject;
  readonly range: MetricsRange | null;
  readonly lines: readonly { readonly of: string; readonly query: string; readonly samples: readonly Sample[] }[];
}

/** Answers questions for metrics: reads them, asks the cluster whether the caller may see those pods, and asks Prometheus in his place. */
export class WorkloadMetrics {
  readonly #options: { readonly apiAs: ApiAs; readonly endpoints: Pick<ServiceEndpoints, "resolve">; readonly clock: Clock };

  constructor(options: { readonly apiAs: ApiAs; readonly endpoints: Pick<ServiceEndpoints, "resolve">; readonly clock: Clock }) {
    this.#options = options;
  }

  /** @throws ServiceRefusal */
  async answer(asked: {
    readonly entry: ServiceOptions;
    readonly query: Readonly<Record<string, Values>>;
    readonly identity: ImpersonationConfig | undefined;
    readonly signal: AbortSignal;
  }): Promise<MetricsAnswer> {
    const { entry, identity, signal } = asked;
    const { apiAs, endpoints, clock } = this.#options;
    const { metric, subject, range, queries } = metricsRequestOf(asked.query);
    await checkPodAccess(apiAs, { namespace: subject.namespace, identity, signal });
    const service = await endpoints.resolve(entry, signal);
    const lines = await Promise.all(
      queries.map(async ({ of, query }) => ({ of, query, samples: await askPrometheus(query, { entry, service, clock, signal, range }) })),
    );
    return { metric, unit: UNITS[metric], subject, range: range ?? null, lines };
  }
}
