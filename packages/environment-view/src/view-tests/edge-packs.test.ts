import { EDGE_PACKS, type CustomEdgeRule } from "@binnacle/graph";
import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { EnvironmentView } from "../engine/environment-view.ts";
import { FakeCluster, kindOf } from "../testing/fake-cluster.ts";

const RULES = EDGE_PACKS.flatMap(({ rules }) => rules);
const PODS = kindOf("/v1/pods/Pod");
const SERVICES = kindOf("/v1/services/Service");
const DEPLOYMENTS = kindOf("apps/v1/deployments/Deployment");
const ROUTES = kindOf("networking.istio.io/v1/virtualservices/VirtualService");

const TEMPLATE = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i", command: ["run"] }] } };
const OBJECTS: readonly (readonly [string, KubeObject])[] = [
  ["/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { app: "web" } }, spec: TEMPLATE.spec }],
  ["/services", { apiVersion: "v1", kind: "Service", metadata: { name: "web" }, spec: { selector: { app: "web" } } }],
  ["apps/deployments", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: { template: TEMPLATE } }],
];
const ROUTE: KubeObject = {
  apiVersion: "networking.istio.io/v1",
  kind: "VirtualService",
  metadata: { name: "r" },
  spec: { http: [{ route: [{ destination: { host: "web" }, weight: 40 }] }] },
};

/** What a view with these rules asks of a cluster, and the kinds of the edges that it shows. */
async function viewed(customEdges: readonly CustomEdgeRule[], kinds = [PODS, SERVICES, DEPLOYMENTS], more: typeof OBJECTS = []) {
  const clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  const cluster = new FakeCluster(kinds);
  for (const [id, object] of [...OBJECTS, ...more]) cluster.put(id, object);
  const stop = new AbortController();
  const view = new EnvironmentView({ client: cluster, scope: { namespaces: ["app"] }, customEdges, clock, random: () => 0 });
  const ended = view.run(stop.signal);
  const edges: string[] = [];
  const subscription = view.open(() => {
    const message = subscription.take();
    for (const edge of message?.kind === "snapshot" ? message.edges : (message?.upsertedEdges ?? []))
      edges.push([edge.kind, edge.weight].filter((part) => part !== undefined).join(" "));
  });
  await clock.elapse(1_000);
  stop.abort();
  await clock.elapse(0);
  await ended;
  return { requests: cluster.requests.toSorted(), edges: [...new Set(edges)].toSorted() };
}

test("packs whose kinds a cluster does not serve cost no request, no watch and no line", async () => {
  expect(RULES.length).toBeGreaterThan(100);
  expect(await viewed(RULES)).toEqual(await viewed([]));
});

test("a pack whose kinds are served is drawn of what a view reads anyway", async () => {
  const served = [PODS, SERVICES, DEPLOYMENTS, ROUTES];
  const more = [["networking.istio.io/virtualservices", ROUTE]] as const;
  const [plain, packed] = [await viewed([], served, more), await viewed(RULES, served, more)];
  expect(packed.requests).toEqual(plain.requests);
  expect(packed.edges.filter((edge) => !plain.edges.includes(edge))).toEqual(["istio:destination 40"]);
});
