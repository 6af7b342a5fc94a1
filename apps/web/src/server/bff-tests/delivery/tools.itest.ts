import { DeploymentSource, GitopsState, GitopsTool, type Deployment, type Gitops } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { HurriedClock } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { deliveryOf, type DashboardTab } from "../../testing/dashboard-tab.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const [FIRST, SECOND] = ["a".repeat(40), "b".repeat(40)];
const CANARY = "glpat-canary0451canary0451";

let world: DashboardWorld;
let clock: HurriedClock;

beforeEach(async () => {
  clock = new HurriedClock();
  world = await DashboardWorld.open(["maintainer"]);
  for (const [group, resource, kind] of [
    ["kustomize.toolkit.fluxcd.io", "kustomizations", "Kustomization"],
    ["helm.toolkit.fluxcd.io", "helmreleases", "HelmRelease"],
    ["source.toolkit.fluxcd.io", "gitrepositories", "GitRepository"],
  ] as const)
    world.kas.kinds.push({ group, resource, kind });
  world.start(clock);
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web", ...markOf("kustomize", "web") } });
  putRepository();
  putKustomization();
});
afterEach(() => world.close());

function markOf(tool: "kustomize" | "helm", name: string): { readonly labels: Record<string, string> } {
  return { labels: { [`${tool}.toolkit.fluxcd.io/name`]: name, [`${tool}.toolkit.fluxcd.io/namespace`]: "flux-system" } };
}

function putRepository(): void {
  const url = `https://bot:${CANARY}@git.example.test/shop`;
  world.kas.put("gitrepositories", {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: "shop", namespace: "flux-system" },
    spec: { url },
  });
}

interface Standing {
  readonly ready?: string;
  readonly applied?: string;
  readonly attempted?: string;
  readonly namespace?: string;
}

function putKustomization({ ready = "True", applied = FIRST, attempted = applied, namespace = "flux-system" }: Standing = {}): void {
  const message = ready === "True" ? `Applied revision: main@sha1:${applied}` : `clone https://bot:${CANARY}@git.example.test failed`;
  world.kas.put("kustomizations", {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: "web", namespace, generation: 1 },
    spec: { path: "./prod", sourceRef: { kind: "GitRepository", name: "shop" } },
    status: {
      observedGeneration: 1,
      lastAppliedRevision: applied === "" ? undefined : `main@sha1:${applied}`,
      lastAttemptedRevision: `main@sha1:${attempted}`,
      conditions: [
        {
          type: "Ready",
          status: ready,
          reason: ready === "True" ? "ReconciliationSucceeded" : "BuildFailed",
          message,
          lastTransitionTime: "2026-01-01T10:00:00Z",
        },
      ],
    },
  });
}

/** What a page shows now. */
function shown(tab: DashboardTab): Gitops | undefined {
  return deliveryOf(tab)?.sync?.value;
}

function deployed(tab: DashboardTab): Deployment | undefined {
  return deliveryOf(tab)?.lastDeployment?.value;
}

/** Why no deployment is known. */
function whyNot(tab: DashboardTab): string | undefined {
  return deliveryOf(tab)?.lastDeployment?.why?.id;
}

const skipUntil = (tab: DashboardTab, wanted: () => boolean): Promise<void> => tab.skipUntil(clock, { stepMs: 10_500, wanted });

test("a Kustomization elsewhere is shown to who may read it, with its source, and its commit is the deployment's", async () => {
  const tab = await world.openTab();
  await tab.until(() => shown(tab)?.tools[0]?.sourceUrl !== "" && shown(tab)?.tools[0]?.state === GitopsState.SYNCED);
  expect(shown(tab)?.tools).toMatchObject([
    {
      tool: GitopsTool.FLUX_KUSTOMIZATION,
      namespace: "flux-system",
      name: "web",
      sha: FIRST,
      revision: `main@sha1:${FIRST}`,
      attempted: "",
      source: "GitRepository flux-system/shop",
      sourceUrl: "https://git.example.test/shop",
      path: "./prod",
      objects: 1,
    },
  ]);
  await tab.until(() => deployed(tab)?.repository === "https://git.example.test/shop");
  expect(deployed(tab)).toMatchObject({
    source: DeploymentSource.GITOPS,
    sha: FIRST,
    title: "",
    tool: GitopsTool.FLUX_KUSTOMIZATION,
    toolObject: "flux-system/web",
  });
});

test("what it only tried is never the deployment's commit, and a credential in its words goes nowhere", async () => {
  putKustomization({ ready: "False", applied: FIRST, attempted: SECOND });
  const tab = await world.openTab();
  await tab.until(() => shown(tab)?.tools[0]?.state === GitopsState.FAILED && deployed(tab)?.sha === FIRST);
  expect(shown(tab)?.tools).toMatchObject([{ reason: "BuildFailed", attempted: `main@sha1:${SECOND}` }]);
  putKustomization({ ready: "False", applied: "", attempted: SECOND });
  await skipUntil(tab, () => whyNot(tab) === "delivery/tool-names-no-commit");
  expect(shown(tab)?.tools).toMatchObject([{ revision: "", sha: "" }]);
  expect(JSON.stringify(tab.messages, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain(CANARY);
});

test("a change of it is sent in the open stream, and a withdrawn right removes it", async () => {
  const tab = await world.openTab();
  await tab.until(() => shown(tab)?.tools[0]?.state === GitopsState.SYNCED);
  putKustomization({ applied: SECOND });
  await skipUntil(tab, () => shown(tab)?.tools[0]?.sha === SECOND && deployed(tab)?.sha === SECOND);
  world.kas.closed.add("flux-system");
  await skipUntil(tab, () => shown(tab)?.tools[0]?.why !== undefined);
  const [tool] = shown(tab)?.tools ?? [];
  expect(tool).toMatchObject({ state: GitopsState.UNSPECIFIED, sha: "", sourceUrl: "", revision: "" });
  expect(tool?.why && renderEnglish(fromWordsMessage(tool.why))).toBe("You may not read Kustomization flux-system/web");
  await tab.until(() => whyNot(tab) === "delivery/tool-state-not-known");
  expect(deployed(tab)).toBeUndefined();
});

test("a job's deployment and an agent's sync come before another tool's commit", async () => {
  const tab = await world.openTab();
  await tab.until(() => deployed(tab)?.sha === FIRST);
  const sync = { project: "group/manifests", commitId: "cccccccc", objects: 1, namespaces: ["prod"], appliedCommitId: "cccccccc" };
  world.kas.gitops = (_project, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ syncs: [sync] }));
  await skipUntil(tab, () => deployed(tab)?.sha === "cccccccc");
  expect(deployed(tab)?.tool).toBe(GitopsTool.UNSPECIFIED);
  expect(shown(tab)).toMatchObject({ syncs: [{ project: "group/manifests" }], tools: [{ name: "web" }] });
  world.main.deployment = { sha: SECOND, ref: "main", status: "SUCCESS" };
  await skipUntil(tab, () => deployed(tab)?.sha === SECOND);
  expect(deployed(tab)?.source).toBe(DeploymentSource.CI);
});

test("one that is in the environment is followed, and two tabs of one viewer cost one request for what is not", async () => {
  putKustomization({ namespace: "prod" });
  world.kas.put("pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "two", labels: { "kustomize.toolkit.fluxcd.io/name": "web", "kustomize.toolkit.fluxcd.io/namespace": "prod" } },
  });
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web", ...markOf("helm", "redis") } });
  const [first, second] = [await world.openTab(), await world.openTab()];
  const states = (tab: DashboardTab) =>
    shown(tab)
      ?.tools.map(({ namespace, name, why }) => `${namespace}/${name} ${why?.id ?? "known"}`)
      .toSorted();
  const wanted = ["flux-system/redis tool-sync/absent", "prod/web known"];
  for (const tab of [first, second]) {
    await tab.until(() => JSON.stringify(states(tab)) === JSON.stringify(wanted));
  }
  const requests = world.kas.requests.filter((line) => /\/(kustomizations|helmreleases)\/[a-z]+$/.test(line));
  expect(requests).toEqual([expect.stringMatching(/\/namespaces\/flux-system\/helmreleases\/redis$/)]);
});

test("an environment that no tool deploys has none", async () => {
  world.kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "web" } });
  const tab = await world.openTab();
  await skipUntil(tab, () => tab.messages.length > 6);
  expect(shown(tab)?.tools ?? []).toEqual([]);
  expect([deployed(tab), whyNot(tab)]).toEqual([undefined, "delivery/reports-not-supported"]);
});
