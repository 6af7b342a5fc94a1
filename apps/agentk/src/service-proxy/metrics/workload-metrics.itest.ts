import type { IncomingMessage, ServerResponse } from "node:http";

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ServiceOptionsSchema } from "@binnacle/proto/agent-options";
import { ImpersonationConfigSchema } from "@binnacle/proto/kubernetes-api";
import { systemClock } from "@binnacle/rpc";
import { afterEach, beforeEach, expect, test } from "vitest";

import { ClusterClient } from "../../cluster-access/cluster-client.ts";
import { createOwnTransport } from "../../cluster-access/own-transport.ts";
import { createClusterApi, type ApiAs } from "../../cluster-access/cluster-api.ts";
import { ApiStandIn } from "../../testing/api-stand-in.ts";
import { plainAccess } from "../../cluster-access/testing/plain-access.ts";
import { ServiceEndpoints } from "../service-endpoints.ts";
import { EndpointReader } from "../endpoint-reader.ts";
import { WorkloadMetrics } from "./workload-metrics.ts";

const ENTRY = create(ServiceOptionsSchema, {
  name: "prometheus",
  namespace: "monitoring",
  service: "prometheus",
  port: "80",
  scheme: "http",
  answerWithinSeconds: 30,
  metrics: true,
});
const ANN = { username: "gitlab:user:ann", groups: ["gitlab:user"], extra: [{ key: "agent.gitlab.com/id", val: ["7"] }] };

let api: ApiStandIn;
let prometheus: ApiStandIn;
let cluster: ClusterClient;
/** Verb and namespace of each review, with the identity of its requester. */
let reviews: string[];
let allowed: (verb: string) => boolean;

beforeEach(async () => {
  [api, prometheus] = await Promise.all([ApiStandIn.listen(), ApiStandIn.listen()]);
  reviews = [];
  allowed = () => true;
  api.answer = (request, response) => void review(request, response);
  prometheus.answer = (_request, response) =>
    void response.end(JSON.stringify({ status: "success", data: { result: [{ metric: {}, value: [1, "0.5"] }] } }));
  cluster = new ClusterClient(plainAccess(api.url));
});

afterEach(async () => {
  await cluster.close();
  await Promise.all([api.close(), prometheus.close()]);
});

async function review(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  // A request without an encoding gives Buffers.
  for await (const chunk of request) chunks.push(chunk as Buffer);
  // agentk writes this body itself.
  const { spec } = JSON.parse(Buffer.concat(chunks).toString()) as {
    spec: { resourceAttributes: { verb: string; namespace: string; resource: string } };
  };
  const { verb, namespace, resource } = spec.resourceAttributes;
  const { "impersonate-user": user = "agentk", "impersonate-group": groups = "" } = request.headers;
  reviews.push(`${String(user)} (${String(groups)}): ${verb} ${resource} in ${namespace}`);
  response.end(JSON.stringify({ status: { allowed: allowed(verb) } }));
}

function ask(query: Readonly<Record<string, string>>, identity?: MessageInitShape<typeof ImpersonationConfigSchema>) {
  const apiAs: ApiAs = (as) => createClusterApi(createOwnTransport(cluster, { part: "services", ...(as && { identity: as }) }));
  const named = new Map([["monitoring/prometheus", { address: "127.0.0.1", port: Number(prometheus.url.port) }]]);
  const apiServer = { keys: async () => new Set<string>() };
  const endpoints = new ServiceEndpoints({ reader: new EndpointReader(apiAs()), apiServer, named });
  return new WorkloadMetrics({ apiAs, endpoints, clock: systemClock }).answer({
    entry: ENTRY,
    query: Object.fromEntries(
      Object.entries({ namespace: "shop", metric: "restarts", ...query }).map(([key, value]) => [
        key,
        { $typeName: "gitlab.agent.prototool.Values" as const, value: [value] },
      ]),
    ),
    identity: identity && create(ImpersonationConfigSchema, identity),
    signal: new AbortController().signal,
  });
}

test("the cluster reviews the caller's right to read the pods, and Prometheus receives agentk's own query", async () => {
  expect(await ask({ kind: "stateful_set", name: "db" }, ANN)).toEqual({
    metric: "restarts",
    unit: "restarts in an hour",
    subject: { namespace: "shop", kind: "stateful_set", name: "db" },
    range: null,
    lines: [
      {
        of: "restarts",
        query: 'sum(increase(kube_pod_container_status_restarts_total{namespace="shop",pod=~"db-[0-9]+"}[1h]))',
        samples: [[1, "0.5"]],
      },
    ],
  });
  expect(reviews.toSorted()).toEqual([
    "gitlab:user:ann (gitlab:user): get pods in shop",
    "gitlab:user:ann (gitlab:user): list pods in shop",
  ]);
  expect(prometheus.requests.map(({ url }) => new URL(url ?? "", prometheus.url).searchParams.get("query"))).toEqual([
    'sum(increase(kube_pod_container_status_restarts_total{namespace="shop",pod=~"db-[0-9]+"}[1h]))',
  ]);
});

test("a request without an identity is reviewed as agentk", async () => {
  await ask({});
  expect(reviews[0]).toMatch(/^agentk \(\): /);
});

test.each(["get", "list"])("T36: without the right to %s pods there no query goes to Prometheus", async (verb) => {
  allowed = (requested) => requested !== verb;
  await expect(ask({}, ANN)).rejects.toMatchObject({
    reason: "pods_forbidden",
    message: `you may not ${verb} pods in namespace shop, so its metrics are not shown`,
  });
  expect(prometheus.requests).toEqual([]);
});

test("T36: a review that cannot be made is no permission", async () => {
  api.answer = (_request, response) => void response.writeHead(403).end(JSON.stringify({ kind: "Status", message: "cannot impersonate" }));
  await expect(ask({}, ANN)).rejects.toMatchObject({
    reason: "agent_rights_missing",
    message: expect.stringContaining("cannot impersonate"),
  });
  expect(prometheus.requests).toEqual([]);
});

test("what was not measured has no samples; a rejection by Prometheus is reported, and so is another server", async () => {
  prometheus.answer = (_request, response) => void response.end(JSON.stringify({ status: "success", data: { result: [] } }));
  expect((await ask({})).lines[0]?.samples).toEqual([]);
  prometheus.answer = (_request, response) =>
    void response.writeHead(422).end(JSON.stringify({ status: "error", error: "query timed out" }));
  await expect(ask({})).rejects.toThrow("service prometheus answers 422: query timed out");
  prometheus.answer = (_request, response) => void response.end("<html>");
  await expect(ask({})).rejects.toThrow("service prometheus answers 200, and not as Prometheus does");
  prometheus.answer = (_request, response) => void response.end(" ".repeat(2 * 1024 * 1024));
  await expect(ask({})).rejects.toThrow("answers more than a line can hold");
});
