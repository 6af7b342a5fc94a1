import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";

import type { OwnRequests } from "../cluster-access/own-requests.ts";
import { createClusterApi, type ApiAs } from "../cluster-access/cluster-api.ts";
import { ApiServerAddresses } from "./api-server-addresses.ts";
import { EndpointReader } from "./endpoint-reader.ts";
import { WorkloadMetrics } from "./metrics/workload-metrics.ts";
import type { ServiceEntries } from "./service-entries.ts";
import { ServiceEndpoints, type Endpoint } from "./service-endpoints.ts";

/** What requests to services are made from. */
export interface ServiceProxyOptions {
  readonly requests: OwnRequests;
  /** Base URL of the API server. */
  readonly server: URL;
  readonly clock: Clock;
  readonly log: Logger;
  readonly entries: ServiceEntries;
  /** Endpoints that agentk's operator has named, by "namespace/service". */
  readonly named: ReadonlyMap<string, Endpoint>;
}

/** What every request to a service shares. */
export interface ServiceProxyParts {
  readonly entries: ServiceEntries;
  readonly endpoints: Pick<ServiceEndpoints, "resolve">;
  readonly metrics: Pick<WorkloadMetrics, "answer">;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Creates the parts; no request is sent yet. */
export async function createServiceProxyParts({
  requests,
  server,
  clock,
  log,
  entries,
  named,
}: ServiceProxyOptions): Promise<ServiceProxyParts> {
  const transport = await requests.transports();
  const apiAs: ApiAs = (identity) => createClusterApi(transport({ part: "services", ...(identity && { identity }) }));
  const reader = new EndpointReader(apiAs());
  const endpoints = new ServiceEndpoints({ reader, apiServer: new ApiServerAddresses({ reader, server, clock }), named });
  return { entries, endpoints, metrics: new WorkloadMetrics({ apiAs, endpoints, clock }), clock, log };
}
