import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { ConformanceClient } from "./conformance/client.ts";
import { startKubeSandbox, type KubeSandbox } from "./index.ts";
import { isTree, listIn, textIn, valueIn, type Tree } from "./json-tree.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";

/** What only the embedded server promises: its bounds, what it leaves out, its audit log. */
describe("the embedded Kubernetes API", () => {
  const dir = mkdtempSync(join(tmpdir(), "kube-sandbox-"));
  const auditLog = join(dir, "audit.jsonl");
  let sandbox: KubeSandbox;
  let client: ConformanceClient;
  let stopped = false;

  async function stop(): Promise<void> {
    if (stopped) return;
    stopped = true;
    await client.close();
    await sandbox.stop();
  }

  beforeAll(async () => {
    sandbox = await startKubeSandbox({ dir, auditLog, historyLimit: 40, nodes: 1 });
    client = new ConformanceClient({ ...sandbox, token: sandbox.adminToken, ca: readFileSync(sandbox.caFile, "utf8") });
  });
  afterAll(stop);

  test("answers 501 with a sentence for what it leaves out", async () => {
    const answer = await client.post("/api/v1/namespaces/default/pods/a/proxy", {});
    expect(answer.body).toMatchObject({ kind: "Status", code: 501, reason: "NotImplemented" });
    expect(textIn(answer.body, "message")).toContain("pods/proxy");
  });

  test("refuses a body beyond 3 MiB", async () => {
    const answer = await client.post(MAPS, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "big" },
      data: { a: "x".repeat(3 * 1024 * 1024) },
    });
    expect(answer.body).toMatchObject({ code: 413, reason: "RequestEntityTooLarge" });
  });

  test("forgets old changes: a watch or a next page from before is expired", async () => {
    for (const name of ["one", "two"]) await client.post(MAPS, { apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
    const page = (await client.get(`${MAPS}?limit=1`)).body;
    for (let index = 0; index < 60; index += 1) await client.patch(`${MAPS}/one`, "merge", { data: { index: String(index) } });
    const next = await client.get(`${MAPS}?limit=1&continue=${textIn(page, "metadata", "continue")}`);
    expect(next.body).toMatchObject({ code: 410, reason: "Expired" });
    const events = await client.watch(
      `${MAPS}?watch=true&resourceVersion=${textIn(page, "metadata", "resourceVersion")}`,
      (all) => all.length === 1,
    );
    expect(events[0]).toMatchObject({ type: "ERROR", object: { code: 410 } });
  });

  test("lets statuses be written by hand in a namespace that stands still, and nowhere else", async () => {
    await client.post("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "still", annotations: { "bench.kas/still": "true" } },
    });
    const labels = { app: "web" };
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } },
      },
    };
    const setsOf = async (namespace: string): Promise<number> =>
      listIn((await client.get(`/apis/apps/v1/namespaces/${namespace}/replicasets`)).body, "items").length;
    for (const namespace of ["still", "default"]) await client.post(`/apis/apps/v1/namespaces/${namespace}/deployments`, deployment);
    await expect.poll(() => setsOf("default")).toBe(1);
    expect(await setsOf("still")).toBe(0);
  });

  test("writes the user, the request and the impersonated user into the audit log", async () => {
    await client.as({ "impersonate-user": "vera", "impersonate-group": ["readers"] }).get("/api/v1/namespaces/default/secrets");
    await stop();
    const lines = readFileSync(auditLog, "utf8")
      .trim()
      .split("\n")
      .map((line): Tree => {
        const value: unknown = JSON.parse(line);
        return isTree(value) ? value : {};
      });
    const line = lines.find((one) => textIn(one, "impersonatedUser", "username") === "vera");
    expect(line).toMatchObject({
      verb: "list",
      requestURI: "/api/v1/namespaces/default/secrets",
      user: { username: "sandbox-admin" },
      impersonatedUser: { groups: ["readers", "system:authenticated"] },
      objectRef: { resource: "secrets", namespace: "default" },
      responseStatus: { code: 403 },
      stage: "ResponseComplete",
    });
    expect(lines.every((one) => typeof valueIn(one, "responseStatus", "code") === "number")).toBe(true);
  });
});
