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
import { demoAgents } from "./demo-agents.ts";
import { createRepositories } from "./demo-repositories.ts";
import { makeDemoWorld } from "./demo-world.ts";
import { waitUntilDeployed } from "./deployed.ts";

const root = mkdtempSync(join(tmpdir(), "demo-world-"));
const never = new AbortController().signal;
let plane: ControlPlane;
let agent: KubeHttp;
let platform: KubeHttp;
const agents = demoAgents(2);

beforeAll(async () => {
  plane = await startControlPlane({ dir: join(root, "cluster") });
  const tokens = await makeDemoWorld({ kubeconfig: plane.kubeconfig, agents, signal: never });
  const clientOf = (token = "") =>
    new KubeHttp({ ...readKubeconfig(plane.kubeconfig), clientCertificate: undefined, clientKey: undefined, token });
  [agent, platform] = [clientOf(tokens[0]), clientOf(tokens[1])];
});
afterAll(async () => {
  await agent?.close();
  await platform?.close();
  await plane?.stop();
  rmSync(root, { recursive: true, force: true });
});

test("the rights of each agentk are enough to deploy its environments, which are well then", async () => {
  const lines: string[] = [];
  for (const [index, each] of agents.entries()) {
    const manifests = each.deploys.flatMap(({ directory }) => readManifests(join(each.files, directory), new Date()));
    await new ManifestApplier(index === 0 ? agent : platform, never).apply(manifests);
    await waitUntilDeployed(each, { kubeconfig: plane.kubeconfig, signal: never, say: (line) => lines.push(line) });
  }
  expect(lines).toEqual([]);
  const ingress = await agent.send({ method: "GET", path: "/apis/networking.k8s.io/v1/namespaces/production/ingresses/shop" });
  expect(ingress.body).toMatchObject({ status: { loadBalancer: { ingress: [{ ip: "192.0.2.10" }] } } });
});

test("agentk's token reads everywhere and writes nowhere but where it deploys", async () => {
  expect((await agent.send({ method: "GET", path: "/api/v1/namespaces/staging/pods" })).status).toBe(200);
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "no" } };
  for (const namespace of ["staging", "preview", "shop", "gitlab-agent", "default"])
    expect((await agent.send({ method: "POST", path: `/api/v1/namespaces/${namespace}/configmaps`, body: configMap })).status).toBe(403);
  expect((await agent.send({ method: "GET", path: "/api/v1/namespaces/staging/secrets" })).status).toBe(403);
});

test("the second agent's token reads and writes its own namespaces alone", async () => {
  const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "yes" } };
  for (const namespace of ["shop", "site"])
    expect((await platform.send({ method: "POST", path: `/api/v1/namespaces/${namespace}/configmaps`, body: configMap })).status).toBe(201);
  for (const path of ["/api/v1/namespaces/production/configmaps", "/api/v1/namespaces/staging/pods", "/api/v1/nodes"])
    expect((await platform.send({ method: "GET", path })).status).toBe(403);
});

test("the demo's own kind is served with its status", async () => {
  const release = await agent.send({ method: "GET", path: "/apis/demo.example.test/v1/namespaces/staging/releases/shop" });
  expect(release.body).toMatchObject({ spec: { version: "1.5.0-rc.1" }, status: { conditions: [{ type: "Ready", status: "True" }] } });
});

test("the repositories hold the agents' configurations and the manifests", async () => {
  const gitRoot = join(root, "git");
  await createRepositories(gitRoot, { foreign: false, agents: agents.length, prometheus: false });
  const pathsOf = async (project: string): Promise<readonly string[]> => {
    const repository = new GitRepository(join(gitRoot, `${project}.git`));
    const commit = (await repository.commitOf("refs/heads/main", never)) ?? "";
    return (await repository.entriesBelow(commit, { path: "", recursive: true }, never)).map(({ path }) => path);
  };
  expect(await pathsOf("group/app")).toEqual(
    expect.arrayContaining([".gitlab/agents/demo/config.yaml", "manifests/production/20-web.yaml", "manifests/staging/30-degraded.yaml"]),
  );
  expect(await pathsOf("group/deploy")).toEqual(
    expect.arrayContaining([".gitlab/agents/platform/config.yaml", "manifests/shop/10-storefront.yaml", "manifests/site/10-pages.yaml"]),
  );
  expect(await pathsOf("group/site")).toEqual(["README.md"]);
});
