// needs: control-plane
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { fieldsAt, textAt } from "@binnacle/kube";
import { HealthStatus } from "@binnacle/proto/dashboard";
import { systemClock } from "@binnacle/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { HttpKubeClient } from "../http/http-kube-client.ts";
import { adminTransport } from "../http/admin-transport.ts";
import { createHttpsTransport, type HttpsTransport } from "../http/https-transport.ts";
import type { KubeTransport } from "../http/kube-transport.ts";
import { RequestPace } from "../limits/request-pace.ts";
import { SampledSummaries } from "./sampled-summaries.ts";
import { scopeKeyOf, type SummaryFacts } from "./summary-source.ts";

const NEVER = new AbortController().signal;
const COUNT = 40;
const root = mkdtempSync(join(tmpdir(), "summaries-"));
let plane: ControlPlane;
let transport: HttpsTransport;
let admin: HttpKubeClient;

beforeAll(async () => {
  plane = await startControlPlane({ dir: join(root, "cluster"), apiServerOnly: true });
  transport = adminTransport(plane);
  admin = new HttpKubeClient(transport);
  for (let index = 0; index < COUNT; index += 1) await populate(`env-${index}`);
});

afterAll(async () => {
  transport.close();
  await plane.stop();
  rmSync(root, { recursive: true, force: true });
});

/** A namespace with a Deployment without pods, because there is no controller. */
async function populate(name: string): Promise<void> {
  await admin.json({ path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name } } }, NEVER);
  const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "app:1" }] } };
  const spec = { replicas: 1, selector: { matchLabels: { app: "web" } }, template };
  const body = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: name }, spec };
  await admin.json({ path: `/apis/apps/v1/namespaces/${name}/deployments`, body }, NEVER);
}

/** A service account of the namespace "default", and its token. */
async function tokenOfMara(): Promise<string> {
  const path = "/api/v1/namespaces/default/serviceaccounts";
  await admin.json({ path, body: { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "mara" } } }, NEVER);
  const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  return textAt(fieldsAt(await admin.json({ path: `${path}/mara/token`, body }, NEVER), "status"), "token");
}

/** What is known of all environments through such a way to the API server, and the requests that it took. */
async function look(inner: KubeTransport): Promise<{ known: Map<string, SummaryFacts>; paths: string[] }> {
  const paths: string[] = [];
  const counting: KubeTransport = {
    request: (request, signal) => {
      paths.push(request.path);
      return inner.request(request, signal);
    },
  };
  const budget = new ByteBudget(64 * 1024 * 1024);
  const pace = new RequestPace(systemClock, 200);
  const source = new SampledSummaries({ client: new HttpKubeClient(counting), clock: systemClock, pace, budget });
  const stop = new AbortController();
  const ended = source.run(stop.signal);
  const known = new Map<string, SummaryFacts>();
  const scopes = Array.from({ length: COUNT }, (_, index) => ({ namespaces: [`env-${index}`] }));
  await new Promise<void>((resolve) => {
    const subscription = source.open({ scopes }, () => {
      for (const summary of subscription.take()?.summaries ?? []) if (summary.known) known.set(scopeKeyOf(summary.scope), summary.known);
      if (known.size === COUNT) resolve();
    });
  });
  stop.abort();
  await ended;
  return { known, paths };
}

test("W1: a real API server: every environment is known by lists of the whole cluster, and no watch", async () => {
  const { known, paths } = await look(transport);
  expect(known.size).toBe(COUNT);
  for (const { workloads, workloadsReady, health } of known.values()) {
    expect({ workloads, workloadsReady, status: health.status }).toEqual({
      workloads: 1,
      workloadsReady: 0,
      status: HealthStatus.PROGRESSING,
    });
  }
  expect(paths.filter((path) => path.includes("watch=") || path.includes("/namespaces/env-"))).toEqual([]);
});

// The role "view" itself is put together by a controller, and none runs here.
test("W1: one with RoleBindings only: every environment is known by lists of its own", async () => {
  for (let index = 0; index < COUNT; index += 1) {
    const body = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "mara", namespace: `env-${index}` },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:aggregate-to-view" },
      subjects: [{ kind: "ServiceAccount", name: "mara", namespace: "default" }],
    };
    await admin.json({ path: `/apis/rbac.authorization.k8s.io/v1/namespaces/env-${index}/rolebindings`, body }, NEVER);
  }
  const mara = createHttpsTransport({ baseUrl: plane.server, ca: readFileSync(plane.caFile, "utf8"), token: await tokenOfMara() });
  const { known, paths } = await look(mara);
  mara.close();
  expect([...known.values()].every(({ workloadsOnly, workloads }) => workloadsOnly && workloads === 1)).toBe(true);
  expect(paths.filter((path) => path.includes("watch="))).toEqual([]);
});
