// needs: control-plane
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { fieldsAt, INVENTORY_LABEL, OWNING_INVENTORY, textAt } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { ClusterClient } from "../../cluster-access/cluster-client.ts";
import { kubeconfigAccess } from "../../cluster-access/kubeconfig.ts";
import { FakeKas, type FakeObjectsStream } from "../../testing/fake-kas.ts";
import { runAgent, type RunningAgent } from "../../testing/running-agent.ts";
import { createClusterApi, type ApiAnswer, type ApiCall, type ClusterApi } from "../cluster/cluster-api.ts";
import { PAUSED, PRUNE_CONSENT } from "../inventory/inventory.ts";
import type { Commit } from "./commit.ts";
import { syncCommit } from "./sync-commit.ts";
import type { SyncOptions } from "./sync-options.ts";
import type { SyncReport } from "./sync-report.ts";

const never = new AbortController().signal;

let directory: string;
let cluster: ControlPlane;
let client: ClusterClient;
let api: ClusterApi;
let namespace = "";
let count = 0;

const access = (): ReturnType<typeof kubeconfigAccess> =>
  kubeconfigAccess({ path: cluster.kubeconfig, context: undefined, env: {}, clock: systemClock });

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentk-gitops-"));
  cluster = await startControlPlane({ dir: directory, apiServerOnly: true });
  client = new ClusterClient(access());
  api = createClusterApi(client, systemClock);
});

afterAll(async () => {
  await client.close();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  count += 1;
  namespace = `gitops-${count}`;
  await call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
});

function call(method: ApiCall["method"], target: string, body?: unknown): Promise<ApiAnswer> {
  return api.call({ method, target, signal: never, ...(body === undefined ? {} : { body }) });
}

function patch(target: string, body: unknown, contentType = "application/apply-patch+yaml"): Promise<ApiAnswer> {
  return api.call({ method: "PATCH", target, body, contentType, signal: never });
}

const mapPath = (name: string): string => `/api/v1/namespaces/${namespace}/configmaps/${name}`;
const annotate = (name: string, annotations: Readonly<Record<string, string>>): Promise<ApiAnswer> =>
  patch(mapPath(name), { metadata: { annotations } }, "application/merge-patch+json");

const map = (name: string, over = ""): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${over}`;
const maps = (...names: string[]): string => names.map((name) => map(name)).join("---\n");

function commit(text: string, commitId = "c1"): Commit {
  return { commitId, projectId: 7n, files: [{ source: "all.yaml", data: Buffer.from(text) }] };
}

const OPTIONS: Omit<SyncOptions, "defaultNamespace"> = {
  reconcileTimeoutMs: 30_000,
  dryRun: "none",
  prune: true,
  pruneTimeoutMs: 30_000,
  // Without controllers nobody ends a deletion in the foreground.
  propagation: "background",
  inventoryPolicy: "must_match",
};

function sync(
  of: Commit,
  over: Partial<SyncOptions> = {},
  by: { readonly api?: ClusterApi; readonly agentId?: bigint; readonly signal?: AbortSignal } = {},
): Promise<SyncReport> {
  const options = { ...OPTIONS, defaultNamespace: namespace, ...over };
  return syncCommit(of, { api, clock: systemClock, agentId: 5n, options, signal: never, superseded: never, ...by });
}

const outcomes = (report: SyncReport): string[] => report.results.map(({ key, outcome }) => `${key.name} ${outcome}`).toSorted();
const failures = (report: SyncReport): string[] =>
  report.results
    .filter(({ outcome }) => outcome === "failed")
    .map(({ key, reason, source, line }) => `${key.name} ${source}:${line} ${reason}`);

/** Names of the ConfigMaps that were made by a sync, and what the first inventory lists. */
async function seen(): Promise<{ readonly live: string[]; readonly listed: string[] }> {
  const list = fieldsAt(await call("GET", `/api/v1/namespaces/${namespace}/configmaps`), "value")["items"];
  const items = Array.isArray(list) ? list : [];
  const nameOf = (item: unknown): string => textAt(fieldsAt(item, "metadata"), "name");
  const isInventory = (item: unknown): boolean => INVENTORY_LABEL in fieldsAt(fieldsAt(item, "metadata"), "labels");
  const inventory = items.find(isInventory);
  return {
    live: items
      .filter((item) => !isInventory(item) && nameOf(item) !== "kube-root-ca.crt")
      .map(nameOf)
      .toSorted(),
    listed: Object.keys(fieldsAt(inventory, "data")).toSorted(),
  };
}

describe("applying", () => {
  test("objects get the mark of the inventory, the inventory lists them, and the second time nothing changes", async () => {
    expect(outcomes(await sync(commit(maps("a", "b"))))).toEqual(["a applied", "b applied"]);
    expect(await seen()).toEqual({ live: ["a", "b"], listed: [`${namespace}_a__ConfigMap`, `${namespace}_b__ConfigMap`] });
    const { value } = await call("GET", mapPath("a"));
    expect(value).toMatchObject({
      metadata: { annotations: { [OWNING_INVENTORY]: "inventory-5-7" }, managedFields: [{ manager: "agentk", operation: "Apply" }] },
    });
    expect(outcomes(await sync(commit(maps("a", "b"), "c2")))).toEqual(["a unchanged", "b unchanged"]);
  });

  test.each(["ingress-controller", "certificates", "database"])(
    "a rendered chart (%s) is applied, and the second time nothing changes",
    async (chart) => {
      const text = readFileSync(new URL(`../fixtures/charts/${chart}.yaml`, import.meta.url), "utf8").replaceAll("NS", namespace);
      const first = await sync(commit(text));
      expect([...first.errors, ...failures(first)]).toEqual([]);
      expect(new Set(first.results.map(({ outcome }) => outcome))).toEqual(new Set(["applied"]));
      expect(new Set((await sync(commit(text))).results.map(({ outcome }) => outcome))).toEqual(new Set(["unchanged"]));
    },
  );

  test("what has drifted is put right", async () => {
    await sync(commit(map("a", "data: {k: wanted}\n")));
    await call("DELETE", mapPath("a"));
    expect(outcomes(await sync(commit(map("a", "data: {k: wanted}\n"))))).toEqual(["a applied"]);
  });

  test("one object of 200 that the API server refuses leaves the others applied, and is told with file, line and reason", async () => {
    const names = Array.from({ length: 199 }, (_, index) => `m${index}`);
    const bad = "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec:\n  ports:\n  - port: 70000\n";
    const report = await sync(commit(`${maps(...names)}---\n${bad}`));
    expect(report.results.filter(({ outcome }) => outcome === "applied")).toHaveLength(199);
    expect(failures(report)).toEqual([expect.stringMatching(/^bad all\.yaml:1001 .*must be between 1 and 65535/)]);
    expect(report.state).toBe("failed");
    expect((await seen()).listed).toHaveLength(199);
  });

  test("a definition and its object in one commit, and the namespace of the inventory too", async () => {
    const made = `made-${count}`;
    const text = `apiVersion: sea-${count}.example.com/v1\nkind: Boat\nmetadata: {name: b, namespace: ${made}}\nspec: {x: 1}\n---
apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boats.sea-${count}.example.com}
spec:\n  group: sea-${count}.example.com\n  scope: Namespaced\n  names: {kind: Boat, plural: boats, singular: boat, listKind: BoatList}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]\n---
apiVersion: v1\nkind: Namespace\nmetadata: {name: ${made}}\n`;
    const report = await sync(commit(text), { defaultNamespace: made });
    expect(failures(report)).toEqual([]);
    expect(report).toMatchObject({ state: "synced", waves: 3 });
    expect((await sync(commit(text), { defaultNamespace: made })).results.map(({ outcome }) => outcome)).toEqual([
      "unchanged",
      "unchanged",
      "unchanged",
    ]);
  });

  test("what depends on an object that is refused is not applied", async () => {
    const text = `${map("a", "  annotations: {config.kubernetes.io/depends-on: /namespaces/NS/ConfigMap/b}\n")}---\n${map("b", "data: {k: 3}\n")}`;
    const report = await sync(commit(text.replace("NS", namespace)));
    expect(failures(report)).toEqual([
      expect.stringMatching(/^b all\.yaml:/),
      `a all.yaml:1 depends on ConfigMap ${namespace}/b, which was not applied`,
    ]);
    expect(await seen()).toEqual({ live: [], listed: [] });
  });

  test("a broken file, or two inventories among the manifests, apply nothing", async () => {
    expect(await sync(commit(`${map("a")}---\nkind: Pod\n`))).toMatchObject({
      state: "invalid",
      errors: [{ source: "all.yaml", line: 6 }],
    });
    const inventory = map("i", `  labels: {${INVENTORY_LABEL}: x}\n`);
    expect(await sync(commit(`${inventory}---\n${inventory}---\n${map("a")}`))).toMatchObject({
      state: "invalid",
      errors: [{ line: 7, message: "a second inventory: there is one in all.yaml:1" }],
    });
    expect(await seen()).toEqual({ live: [], listed: [] });
  });

  test("an inventory among the manifests says where the inventory is and what its id is", async () => {
    await sync(commit(`${map("mine", `  labels: {${INVENTORY_LABEL}: own-id}\n`)}---\n${map("a")}`));
    expect(await seen()).toEqual({ live: ["a"], listed: [`${namespace}_a__ConfigMap`] });
    expect((await call("GET", mapPath("mine"))).statusCode).toBe(200);
    expect((await call("GET", mapPath("a"))).value).toMatchObject({ metadata: { annotations: { [OWNING_INVENTORY]: "own-id" } } });
  });

  test("a dry run changes nothing, and says what the API server would refuse", async () => {
    const report = await sync(commit(`${map("a")}---\n${map("b", "data: {k: 3}\n")}`), { dryRun: "server" });
    expect(report.state).toBe("tried");
    expect(outcomes(report)).toEqual(["a applied", "b failed"]);
    await sync(commit(map("c")));
    expect(outcomes(await sync(commit(maps("c")), { dryRun: "server" }))).toEqual(["c unchanged"]);
    expect(outcomes(await sync(commit(map("c", "data: {k: v}\n")), { dryRun: "server" }))).toEqual(["c applied"]);
    expect((await sync(commit(map("a")), { dryRun: "client" })).results).toEqual([]);
    expect((await seen()).live).toEqual(["c"]);
  });

  test("a value of a Secret that is refused is in no reason", async () => {
    const report = await sync(
      commit(`apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {password: canary-value, other: [canary]}\n`),
    );
    expect(failures(report)).toHaveLength(1);
    expect(JSON.stringify(report.results)).not.toContain("canary");
  });
});

describe("objects of others", () => {
  test("a field of another manager is not taken: the conflict names it and the line", async () => {
    await sync(commit(map("a", "data:\n  k: one\n")));
    const theirs = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "two" } };
    await patch(`${mapPath("a")}?fieldManager=somebody&force=true`, theirs);
    const report = await sync(commit(map("a", "data:\n  k: one\n")));
    expect(failures(report)).toEqual([
      expect.stringMatching(/^a all\.yaml:6 other managers own fields of the manifest: \.data\.k \(conflict with "somebody"/),
    ]);
    expect((await call("GET", mapPath("a"))).value).toMatchObject({ data: { k: "two" } });
  });

  test("an inventory of Go's agentk is taken over: its objects change without a conflict, and those that left are pruned", async () => {
    const lines = ["old", "kept"].map((name) => [`${namespace}_${name}__ConfigMap`, ""]);
    const labels = { [INVENTORY_LABEL]: "5-7" };
    await call("POST", `/api/v1/namespaces/${namespace}/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "inventory-5-7", labels },
      data: Object.fromEntries(lines),
    });
    for (const name of ["old", "kept"]) {
      const annotations = { [OWNING_INVENTORY]: "5-7" };
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, annotations }, data: { k: "go" } };
      await patch(`${mapPath(name)}?fieldManager=agentk&force=true`, object);
    }
    expect(outcomes(await sync(commit(map("kept", "data: {k: ours}\n"))))).toEqual(["kept applied", "old pruned"]);
    expect(await seen()).toEqual({ live: ["kept"], listed: [`${namespace}_kept__ConfigMap`] });
  });

  test("two agents claim one object: the second says whose it is, and neither prunes the other's", async () => {
    await sync(commit(maps("a", "b")));
    const second = await sync(commit(maps("a", "c")), {}, { agentId: 6n });
    expect(failures(second)).toEqual(["a all.yaml:1 the object belongs to inventory inventory-5-7"]);
    expect(outcomes(await sync(commit(maps("c"), "c2"), { inventoryPolicy: "adopt_if_no_inventory" }, { agentId: 6n }))).toEqual([
      "c unchanged",
    ]);
    expect((await seen()).live).toEqual(["a", "b", "c"]);
  });

  test("an object that was there before is left alone under must_match, and adopted by the other policies", async () => {
    await call("POST", `/api/v1/namespaces/${namespace}/configmaps`, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } });
    expect(failures(await sync(commit(map("a"))))).toEqual([
      "a all.yaml:1 the object was there before, and inventory_policy is must_match",
    ]);
    expect((await seen()).listed).toEqual([]);
    expect(outcomes(await sync(commit(map("a")), { inventoryPolicy: "adopt_if_no_inventory" }))).toEqual(["a applied"]);
    expect(failures(await sync(commit(map("a")), { inventoryPolicy: "adopt_if_no_inventory" }, { agentId: 6n }))).toHaveLength(1);
    expect(outcomes(await sync(commit(map("a")), { inventoryPolicy: "adopt_all" }, { agentId: 6n }))).toEqual(["a applied"]);
  });

  test("a second inventory of the same id stops the sync", async () => {
    await sync(commit(map("a")));
    const twin = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "twin", labels: { [INVENTORY_LABEL]: "inventory-5-7" } } };
    await call("POST", `/api/v1/namespaces/${namespace}/configmaps`, twin);
    await expect(sync(commit(map("b")))).rejects.toMatchObject({
      reason: "conflict",
      message: expect.stringContaining("inventory-5-7, twin"),
    });
    await call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: `${namespace}-x` } });
    await call("POST", `/api/v1/namespaces/${namespace}-x/configmaps`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "inventory-5-7" },
    });
    await expect(sync(commit(map("b")), { defaultNamespace: `${namespace}-x` })).rejects.toThrow(/is there and is no inventory/);
  });
});

describe("pruning", () => {
  test("what left the manifests is deleted; what another inventory has, or asks to be kept, is only forgotten", async () => {
    await sync(commit(maps("a", "b", "c", "d", "e")));
    await annotate("c", { [OWNING_INVENTORY]: "other" });
    await annotate("d", { "client.lifecycle.config.k8s.io/deletion": "detach" });
    expect(outcomes(await sync(commit(maps("a", "e"), "c2")))).toEqual([
      "a unchanged",
      "b pruned",
      "c skipped",
      "d skipped",
      "e unchanged",
    ]);
    expect(await seen()).toEqual({ live: ["a", "c", "d", "e"], listed: ["a", "e"].map((name) => `${namespace}_${name}__ConfigMap`) });
  });

  test("an empty tree prunes nothing until somebody consents to that very commit", async () => {
    await sync(commit(maps("a", "b")));
    expect(await sync(commit("", "c2"))).toMatchObject({ state: "synced", pruneHeld: "all 2 objects of the inventory would be pruned" });
    await annotate("inventory-5-7", { [PRUNE_CONSENT]: "c2" });
    expect((await sync(commit("", "c3"))).pruneHeld).not.toBe("");
    expect((await seen()).live).toEqual(["a", "b"]);
    expect(outcomes(await sync(commit("", "c2")))).toEqual(["a pruned", "b pruned"]);
    expect(await seen()).toEqual({ live: [], listed: [] });
  });

  test("nothing is pruned when something was not applied, when prune is false, or while the project is paused", async () => {
    await sync(commit(maps("a", "b")));
    expect((await sync(commit(`${map("a")}---\n${map("x", "data: {k: 3}\n")}`, "c2"))).pruneHeld).toBe("not everything was applied");
    expect((await sync(commit(map("a"), "c2"), { prune: false })).pruneHeld).toBe("prune is false");
    await annotate("inventory-5-7", { [PAUSED]: "true" });
    expect(await sync(commit(maps("a", "new"), "c2"))).toMatchObject({ state: "paused", results: [] });
    expect((await seen()).live).toEqual(["a", "b"]);
  });
});

/** Lets so many requests through, then the process is dead: the last one may have reached the API server or not. */
function dyingApi(after: number, reaches: boolean): { readonly api: ClusterApi; readonly signal: AbortSignal } {
  let calls = 0;
  const death = new AbortController();
  const dying: ClusterApi = {
    async call(request) {
      calls += 1;
      if (calls < after) return api.call(request);
      if (calls === after && reaches) await api.call({ ...request, signal: never });
      death.abort();
      throw new Error("killed");
    },
  };
  return { api: dying, signal: death.signal };
}

test.each([true, false])("killed at any step, a second sync comes to the same end (the last request arrived: %s)", async (reaches) => {
  const wanted = `${maps("a", "b")}---\n${map("z", `  annotations: {config.kubernetes.io/depends-on: /namespaces/NS/ConfigMap/a}\n`)}`;
  let steps = 0;
  for (let alive = true; alive;) {
    steps += 1;
    namespace = `killed-${String(reaches)}-${steps}`;
    await call("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const text = wanted.replace("NS", namespace);
    await sync(commit(maps("a", "old", "older")));
    alive = await sync(commit(text, "c2"), {}, dyingApi(steps, reaches)).then(
      () => false,
      () => true,
    );
    // At no moment is there an object of ours that the inventory does not list.
    const between = await seen();
    for (const name of between.live) expect(between.listed).toContain(`${namespace}_${name}__ConfigMap`);
    expect(await sync(commit(text, "c2"))).toMatchObject({ state: "synced", pruneHeld: "" });
    expect(await seen()).toEqual({ live: ["a", "b", "z"], listed: ["a", "b", "z"].map((name) => `${namespace}_${name}__ConfigMap`) });
  }
  expect(steps).toBeGreaterThan(15);
});

describe("the agent", () => {
  let kas: FakeKas;
  let agent: RunningAgent;

  async function start(): Promise<RunningAgent> {
    return runAgent(`grpc://127.0.0.1:${kas.port}`, access(), { podNamespace: namespace });
  }

  async function configure(): Promise<void> {
    const manifestProjects = [{ id: "group/manifests", defaultNamespace: namespace, prunePropagationPolicy: "background" }];
    (await kas.configuration()).send({ commitId: "conf", configuration: { agentId: 5n, gitops: { manifestProjects } } });
  }

  function sendCommit(stream: FakeObjectsStream, text: string, commitId: string): void {
    stream.send({ case: "header", value: { commitId, projectId: 7n } });
    for (const piece of [text.slice(0, 10), text.slice(10)])
      stream.send({ case: "object", value: { source: "all.yaml", data: Buffer.from(piece) } });
    stream.send({ case: "trailer", value: {} });
    stream.end();
  }

  test("applies the commits of a project, resumes at the last one, throws away a stream without its end; a second replica waits its turn", async () => {
    kas = await FakeKas.listen();
    agent = await start();
    await configure();
    const first = await kas.objects();
    expect(first.request).toMatchObject({ projectId: "group/manifests", commitId: "", paths: [{ glob: "**/*.{yaml,yml,json}" }] });
    first.send({ case: "header", value: { commitId: "half", projectId: 7n } });
    first.end();
    const second = await kas.objects();
    expect(second.request.commitId).toBe("");
    sendCommit(second, maps("a", "b"), "c1");
    const third = await kas.objects();
    expect(third.request.commitId).toBe("c1");
    await until(() => agent.lines.includes("info: sync ended"));
    expect((await seen()).live).toEqual(["a", "b"]);
    const other = await start();
    await configure();
    sendCommit(third, maps("a"), "c2");
    const fourth = await kas.objects();
    await until(() => agent.lines.filter((line) => line === "info: sync ended").length === 2);
    expect((await seen()).live).toEqual(["a"]);
    expect(other.lines).not.toContain("info: this replica applies manifests");
    await agent.stop();
    fourth.end({ code: 1, message: "gone" });
    agent = other;
    const fifth = await kas.objects();
    expect(other.lines).toContain("info: this replica applies manifests");
    sendCommit(fifth, maps("a", "c"), "c3");
    await until(() => agent.lines.includes("info: sync ended"));
    expect((await seen()).live).toEqual(["a", "c"]);
    await agent.stop();
    await kas.close();
  });
});
