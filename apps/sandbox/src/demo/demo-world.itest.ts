// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";

import { KubeHttp } from "../cluster/kube-http.ts";
import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { GitRepository } from "../gitaly/git-repository.ts";
import { createDemoRepository } from "./demo-repository.ts";
import { makeDemoWorld } from "./demo-world.ts";

const root = mkdtempSync(join(tmpdir(), "demo-world-"));
const never = new AbortController().signal;
let plane: ControlPlane;
let agent: KubeHttp;
const said: string[] = [];

beforeAll(async () => {
  plane = await startControlPlane({ dir: join(root, "cluster") });
  const token = await makeDemoWorld({ kubeconfig: plane.kubeconfig, signal: never, say: (line) => said.push(line) });
  agent = new KubeHttp({ ...readKubeconfig(plane.kubeconfig), clientCertificate: undefined, clientKey: undefined, token });
});
afterAll(async () => {
  await agent?.close();
  await plane?.stop();
  rmSync(root, { recursive: true, force: true });
});

test("production is well when the world is made", () => {
  expect(said).toEqual([]);
});

test("agentk's token reads and may not write", async () => {
  expect((await agent.send({ method: "GET", path: "/api/v1/namespaces/production/pods" })).status).toBe(200);
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "no" } };
  expect((await agent.send({ method: "POST", path: "/api/v1/namespaces/production/configmaps", body: configMap })).status).toBe(403);
});

test("the demo's own kind is served with its status", async () => {
  const release = await agent.send({ method: "GET", path: "/apis/demo.example.test/v1/namespaces/staging/releases/shop" });
  expect(release.body).toMatchObject({ spec: { version: "1.5.0-rc.1" }, status: { conditions: [{ type: "Ready", status: "True" }] } });
});

test("the repository holds the agent's configuration and the manifests", async () => {
  const repository = new GitRepository(
    await createDemoRepository({ gitRoot: join(root, "git"), fullPath: "group/app", withDemoFiles: true }),
  );
  const commit = (await repository.commitOf("refs/heads/main", never)) ?? "";
  const paths = (await repository.entriesBelow(commit, { path: "", recursive: true }, never)).map((entry) => entry.path);
  expect(paths).toContain(".gitlab/agents/demo/config.yaml");
  expect(paths).toContain("manifests/production/20-web.yaml");
  expect(paths).toContain("manifests/staging/30-degraded.yaml");
});
