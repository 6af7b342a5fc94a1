// needs: redis, control-plane
// long: two kas and a killed agent on a real control plane, a minute
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { until } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { send, targetOf } from "../support/bearer-request.ts";
import { NotificationScene } from "./notification-scene.ts";

const CANARY = "canary";
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${CANARY}/deployments`;

let directory: string;
let cluster: ControlPlane;
let scene: NotificationScene;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "binnacle-cluster-facts-"));
  cluster = await startControlPlane({ dir: directory, apiServerOnly: true });
  await call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: CANARY } });
  await call("POST", "/api/v1/nodes", node("one"));
  scene = await NotificationScene.start({
    nodes_of: [7],
    environments: [{ name: "production", agent_id: 7, namespaces: [CANARY] }],
  });
});
afterAll(async () => {
  await scene.stop();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

const node = (name: string) => ({ apiVersion: "v1", kind: "Node", metadata: { name: `${CANARY}-${name}` } });

async function call(method: "POST" | "PATCH", path: string, body: unknown): Promise<void> {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const answer = await send(targetOf(cluster.tokenKubeconfig), path, {
    method,
    headers: { "content-type": type },
    body: JSON.stringify(body),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 400) throw new Error(`${method} ${path}: ${text}`);
}

const agent = (at: 0 | 1) => scene.agent(at, { server: cluster.server, flags: ["--kubeconfig", cluster.tokenKubeconfig] });
/** Nodes of the last word about them. */
const nodes = (): unknown => scene.facts("node_count_changed").at(-1)?.["nodes"];
const health = (): unknown => scene.facts("environment_health_changed").at(-1)?.["status"];

/** Changes something until there is a notification: the first state causes none, and it is not visible outside when that is read. */
async function changeUntil(isNotified: () => boolean, change: () => Promise<void>): Promise<void> {
  for (let times = 0; !isNotified(); times += 1) {
    if (times === 30) throw new Error("30 changes caused no notification");
    await change();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function createDeployment(): Promise<void> {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: `${CANARY}:1` }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await call("POST", DEPLOYMENTS, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: `${CANARY}-web` }, spec });
}

/** No controller runs here: this is what it would say. */
async function setReady(replicas: number): Promise<void> {
  const status = { observedGeneration: 1, replicas: 1, readyReplicas: replicas, updatedReplicas: 1, availableReplicas: replicas };
  const conditions = [{ type: "Available", status: replicas === 1 ? "True" : "False" }];
  await call("PATCH", `${DEPLOYMENTS}/${CANARY}-web/status`, { status: { ...status, conditions } });
}

test("a change in a cluster causes one notification, by either of two kas, also a change while the agent was killed, without names", async () => {
  await createDeployment();
  const first = await agent(0);
  let [added, ready] = [0, 0];
  const more = (): Promise<void> => call("POST", "/api/v1/nodes", node(`more-${(added += 1)}`));
  const turn = (): Promise<void> => setReady((ready = 1 - ready));
  await changeUntil(() => nodes() !== undefined, more);
  await until(() => nodes() === 1 + added);
  await changeUntil(() => health() !== undefined, turn);
  const now = (): string => (ready === 1 ? "healthy" : "progressing");
  await until(() => health() === now());

  await first.stop();
  await more();
  await turn();
  await agent(1);
  await until(() => nodes() === 1 + added && health() === now());

  for (const [type, before, after] of [
    ["node_count_changed", "nodes_before", "nodes"],
    ["environment_health_changed", "before", "status"],
  ] as const) {
    // Each state follows the one before, so there was no duplicate.
    const facts = scene.facts(type);
    expect(facts.slice(1).map((fact) => fact[before])).toEqual(facts.slice(0, -1).map((fact) => fact[after]));
  }
  expect(scene.notifications.map(({ text }) => text).join("\n")).not.toContain(CANARY);
});
