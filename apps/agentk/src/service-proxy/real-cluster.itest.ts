// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { create } from "@bufbuild/protobuf";
import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { ServiceOptionsSchema } from "@binnacle/proto/agent-options";
import { ImpersonationConfigSchema } from "@binnacle/proto/kubernetes-api";
import { systemClock } from "@binnacle/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ClusterClient } from "../cluster-access/cluster-client.ts";
import { kubeconfigAccess } from "../cluster-access/kubeconfig.ts";
import { createOwnTransport } from "../cluster-access/own-transport.ts";
import { createClusterApi, isOk, type ApiAs, type ClusterApi } from "../cluster-access/cluster-api.ts";
import { ApiServerAddresses } from "./api-server-addresses.ts";
import { EndpointReader } from "./endpoint-reader.ts";
import { checkPodAccess } from "./metrics/workload-metrics.ts";
import { ServiceEndpoints } from "./service-endpoints.ts";

const { signal } = new AbortController();
const ENTRY = create(ServiceOptionsSchema, { name: "web", namespace: "default", service: "web", port: "80", scheme: "http" });

let directory: string;
let cluster: ControlPlane;
let client: ClusterClient;
let api: ClusterApi;
let apiAs: ApiAs;
let endpoints: ServiceEndpoints;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentk-services-"));
  cluster = await startControlPlane({ dir: directory, apiServerOnly: true });
  const access = kubeconfigAccess({ path: cluster.kubeconfig, context: undefined, env: {}, clock: systemClock });
  client = new ClusterClient(access);
  apiAs = (as) => createClusterApi(createOwnTransport(client, { part: "services", ...(as && { identity: as }) }));
  api = apiAs();
  const reader = new EndpointReader(api);
  const apiServer = new ApiServerAddresses({ reader, server: access.server, clock: systemClock });
  endpoints = new ServiceEndpoints({ reader, apiServer, named: new Map() });
  await make("/api/v1/namespaces/default/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "web" },
    spec: { ports: [{ name: "http", port: 80, targetPort: 8080 }] },
  });
});

afterAll(async () => {
  await client.close();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function make(target: string, body: unknown): Promise<void> {
  const answer = await api.call({ method: "POST", target, body, signal });
  if (!isOk(answer)) throw new Error(JSON.stringify(answer.value));
}

async function makeSlice(name: string, address: string, ready: boolean): Promise<void> {
  await make("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name, labels: { "kubernetes.io/service-name": "web" } },
    addressType: "IPv4",
    ports: [{ name: "http", port: 8080, protocol: "TCP" }],
    endpoints: [{ addresses: [address], conditions: { ready } }],
  });
}

test("a Service of a real cluster is found through its slices, and only what is ready", async () => {
  await expect(endpoints.resolve(ENTRY, signal)).rejects.toThrow("has no ready endpoint for port 80");
  await makeSlice("web-1", "10.1.2.3", true);
  await makeSlice("web-2", "10.1.2.4", false);
  expect(await endpoints.resolve(ENTRY, signal)).toEqual({
    namespace: "default",
    service: "web",
    port: "80",
    endpoints: [{ address: "10.1.2.3", port: 8080 }],
  });
});

test("T36: a slice that a user has written with an address of the API server is rejected", async () => {
  const service = await api.call({ method: "GET", target: "/api/v1/namespaces/default/services/kubernetes", signal });
  // A real API server has this Service.
  const { clusterIP } = (service.value as { spec: { clusterIP: string } }).spec;
  await api.call({ method: "DELETE", target: "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/web-1", signal });
  await makeSlice("web-3", clusterIP, true);
  await expect(endpoints.resolve(ENTRY, signal)).rejects.toMatchObject({
    reason: "service_address_refused",
    message: expect.stringContaining("the API server's"),
  });
});

test("T36: a real API server says who may get and list pods, under the caller's own identity", async () => {
  const rule = { apiGroups: [""], resources: ["pods"] };
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const group = { kind: "Group", apiGroup: "rbac.authorization.k8s.io" };
  for (const [name, verbs] of [
    ["both", ["get", "list"]],
    ["one", ["list"]],
  ] as const) {
    await make(`${rbac}/roles`, { metadata: { name }, rules: [{ ...rule, verbs }] });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name };
    await make(`${rbac}/rolebindings`, { metadata: { name }, roleRef, subjects: [{ ...group, name: `group:${name}` }] });
  }
  const check = (namespace: string, ...groups: readonly string[]) =>
    checkPodAccess(apiAs, {
      namespace,
      identity: create(ImpersonationConfigSchema, { username: "gitlab:user:ann", groups: [...groups] }),
      signal,
    });
  await expect(check("default", "group:both")).resolves.toBeUndefined();
  await expect(check("default", "group:one")).rejects.toMatchObject({
    reason: "pods_forbidden",
    message: expect.stringContaining("may not get pods"),
  });
  await expect(check("kube-system", "group:both")).rejects.toMatchObject({ reason: "pods_forbidden" });
  await expect(check("default")).rejects.toMatchObject({ reason: "pods_forbidden" });
  await expect(checkPodAccess(apiAs, { namespace: "default", identity: undefined, signal })).resolves.toBeUndefined();
});
