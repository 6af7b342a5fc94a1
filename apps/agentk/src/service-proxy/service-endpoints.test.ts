import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ServiceOptionsSchema } from "@binnacle/proto/agent-options";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import type { ApiAnswer, ClusterApi } from "../cluster-access/cluster-api.ts";
import { ApiServerAddresses } from "./api-server-addresses.ts";
import { EndpointReader } from "./endpoint-reader.ts";
import { ServiceEndpoints, type Endpoint } from "./service-endpoints.ts";

const SLICES = "/apis/discovery.k8s.io/v1/namespaces/monitoring/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dprometheus";
const API_SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dkubernetes";
const { signal } = new AbortController();

let answers: Map<string, unknown>;
let status: number;
let clock: ManualClock;

const endpoint = (address: string, ready?: boolean) => ({ addresses: [address], conditions: ready === undefined ? {} : { ready } });
const slices = (...endpoints: readonly unknown[]) => ({
  items: [
    {
      addressType: "IPv4",
      endpoints,
      ports: [
        { name: "web", port: 9091 },
        { name: "", port: 1 },
      ],
    },
  ],
});

beforeEach(() => {
  clock = new ManualClock();
  status = 200;
  answers = new Map<string, unknown>([
    [SLICES, slices(endpoint("10.0.0.7", true), endpoint("10.0.0.8", false))],
    ["/api/v1/namespaces/monitoring/services/prometheus", { spec: { ports: [{ name: "web", port: 9090, targetPort: 9091 }] } }],
    [API_SLICES, { items: [{ endpoints: [endpoint("10.9.0.1", true)], ports: [] }] }],
    ["/api/v1/namespaces/default/services/kubernetes", { spec: { clusterIP: "10.96.0.1", clusterIPs: ["10.96.0.1"] } }],
  ]);
});

function resolve(over: MessageInitShape<typeof ServiceOptionsSchema> = {}, named: ReadonlyMap<string, Endpoint> = new Map()) {
  const api: ClusterApi = {
    async call({ target }): Promise<ApiAnswer> {
      const value = answers.get(target);
      return status === 200 && value !== undefined ? { statusCode: 200, value } : { statusCode: status === 200 ? 404 : status, value: {} };
    },
  };
  const reader = new EndpointReader(api);
  const apiServer = new ApiServerAddresses({ reader, server: new URL("https://10.8.0.1:6443"), clock });
  const entry = create(ServiceOptionsSchema, {
    name: "p",
    namespace: "monitoring",
    service: "prometheus",
    port: "9090",
    scheme: "http",
    ...over,
  });
  return new ServiceEndpoints({ reader, apiServer, named }).resolve(entry, signal);
}

test("a port is found by its number in the Service or by its name, and only ready endpoints are used", async () => {
  const expected = { namespace: "monitoring", service: "prometheus", endpoints: [{ address: "10.0.0.7", port: 9091 }] };
  expect(await resolve()).toEqual({ ...expected, port: "9090" });
  expect(await resolve({ port: "web" })).toEqual({ ...expected, port: "9091" });
});

test("an endpoint that does not say whether it is ready is, and every ready one is there", async () => {
  answers.set(SLICES, slices(endpoint("10.0.0.7"), endpoint("10.0.0.8", true)));
  expect((await resolve()).endpoints.map(({ address }) => address).toSorted()).toEqual(["10.0.0.7", "10.0.0.8"]);
});

test.each([
  [{ port: "80" }, "has no port 80"],
  [{ port: "admin" }, "no ready endpoint for port admin"],
  [{ service: "gone" }, "is not in the cluster"],
  [{ service: "", discover: "prometheus", port: "" }, "no Service in namespace monitoring bears operated-prometheus=true or"],
])("what does not exist is named: %j", async (over, why) => {
  await expect(resolve(over)).rejects.toMatchObject({ reason: "service_unreachable", message: expect.stringContaining(why) });
});

test("a service without ready endpoints is unreachable", async () => {
  answers.set(SLICES, slices(endpoint("10.0.0.7", false)));
  await expect(resolve()).rejects.toMatchObject({ reason: "service_unreachable", code: 503 });
});

test.each([
  ["127.0.0.1", "loopback"],
  ["169.254.169.254", "metadata address"],
  ["::ffff:127.0.0.1", "loopback"],
  ["10.9.0.1", "the API server's"],
  ["::ffff:10.9.0.1", "the API server's"],
  ["10.96.0.1", "the API server's"],
  ["10.8.0.1", "the API server's"],
  ["metadata.internal", "no IP address"],
])("T36: a slice that says %s leads nowhere: %s", async (address, why) => {
  answers.set(SLICES, slices(endpoint(address, true)));
  await expect(resolve()).rejects.toMatchObject({ reason: "service_address_refused", code: 403, message: expect.stringContaining(why) });
  answers.set(SLICES, slices(endpoint(address, true), endpoint("10.0.0.7", true)));
  expect((await resolve()).endpoints).toEqual([{ address: "10.0.0.7", port: 9091 }]);
});

test("T36: while the addresses of the API server are unknown, no service receives a request", async () => {
  status = 403;
  await expect(resolve()).rejects.toMatchObject({
    reason: "agent_rights_missing",
    message: expect.stringContaining("the agent cannot read"),
  });
});

test("an endpoint that the operator of agentk names is used, whatever the cluster reports", async () => {
  const named = new Map([["monitoring/prometheus", { address: "127.0.0.1", port: 9 }]]);
  answers.clear();
  expect(await resolve({}, named)).toMatchObject({ endpoints: [{ address: "127.0.0.1", port: 9 }] });
  await expect(resolve({ service: "other" }, named)).rejects.toMatchObject({ reason: "service_unreachable" });
});

test("Prometheus is found by the labels of its operator, when there is exactly one", async () => {
  const labelled = "/api/v1/namespaces/monitoring/services?labelSelector=operated-prometheus%3Dtrue";
  const discover = { service: "", discover: "prometheus", port: "" };
  answers.set(labelled, { items: [{ metadata: { name: "prometheus" } }] });
  expect(await resolve(discover)).toMatchObject({ service: "prometheus", endpoints: [{ address: "10.0.0.7", port: 9091 }] });
  answers.set(labelled, { items: [{ metadata: { name: "prometheus" } }, { metadata: { name: "other" } }] });
  await expect(resolve(discover)).rejects.toThrow("2 Services in namespace monitoring bear operated-prometheus=true; name one of them");
});
