// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { afterAll, beforeAll, expect, test } from "vitest";

import { KubeHttp } from "../cluster/kube-http.ts";
import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests } from "../cluster/manifest.ts";
import { GitRepository } from "../gitaly/git-repository.ts";
import { createDemoRepository, DEMO_DIR } from "./demo-repository.ts";
import { makeDemoWorld } from "./demo-world.ts";
import { waitForProduction } from "./production.ts";

const root = mkdtempSync(join(tmpdir(), "demo-world-"));
const never = new AbortController().signal;
let plane: ControlPlane;
let agent: KubeHttp;

beforeAll(async () => {
  plane = await startControlPlane({ dir: join(root, "cluster") });
  const token = await makeDemoWorld({ kubeconfig: plane.kubeconfig, signal: never });
  agent = new KubeHttp({ ...readKubeconfig(plane.kubeconfig), clientCertificate: undefined, clientKey: undefined, token });
});
afterAll(async () => {
  await agent?.close();
  await plane?.stop();
  rmSync(root, { recursive: true, force: true });
});

test("agentk's rights are enough to deploy production, which is well then", async () => {
  const said: string[] = [];
  await new ManifestApplier(agent, never).apply(readManifests(join(DEMO_DIR, "manifests/production"), new Date()));
  await waitForProduction({ kubeconfig: plane.kubeconfig, signal: never, say: (line) => said.push(line) });
  expect(said).toEqual([]);
  const ingress = await agent.send({ method: "GET", path: "/apis/networking.k8s.io/v1/namespaces/production/ingresses/shop" });
  expect(ingress.body).toMatchObject({ status: { loadBalancer: { ingress: [{ ip: "192.0.2.10" }] } } });
});

test("agentk's token reads everywhere and writes nowhere but where it deploys", async () => {
  expect((await agent.send({ method: "GET", path: "/api/v1/namespaces/staging/pods" })).status).toBe(200);
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "no" } };
  for (const namespace of ["staging", "preview", "gitlab-agent", "default"])
    expect((await agent.send({ method: "POST", path: `/api/v1/namespaces/${namespace}/configmaps`, body: configMap })).status).toBe(403);
  expect((await agent.send({ method: "GET", path: "/api/v1/namespaces/staging/secrets" })).status).toBe(403);
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
