import type { KubeObject } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { renderEnglish } from "@binnacle/words/render-english";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { ClusterView } from "../engine/cluster-view.ts";
import type { EnvironmentScope } from "../engine/environment-scope.ts";
import { kindOf } from "../testing/fake-cluster.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { ScopePicture } from "./scope-picture.ts";
import { ToolsCluster } from "../testing/fake-tools-cluster.ts";

const KUSTOMIZATIONS = kindOf("kustomize.toolkit.fluxcd.io/v1/kustomizations/Kustomization");
const HELM_RELEASES = kindOf("helm.toolkit.fluxcd.io/v2/helmreleases/HelmRelease");
const REPOSITORIES = kindOf("source.toolkit.fluxcd.io/v1/gitrepositories/GitRepository");
const APPLICATIONS = kindOf("argoproj.io/v1alpha1/applications/Application");
const KINDS = [kindOf("/v1/configmaps/ConfigMap"), KUSTOMIZATIONS, HELM_RELEASES, REPOSITORIES, APPLICATIONS];
const FLUX = "kustomize.toolkit.fluxcd.io/kustomizations";
const ARGO = "argoproj.io/applications";
const SHA = "a".repeat(40);
/** Longer than a throttle, and than a review. */
const A_WHILE_MS = 10_000;
const MINUTE_MS = 60_000;

let clock: ManualClock;
let cluster: ToolsCluster;
let stop: AbortController;
let ended: Promise<void>;
let view: ClusterView;
let scope: EnvironmentScope;
let page: ScopePicture;

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  cluster = new ToolsCluster(KINDS);
});

afterEach(async () => {
  page.close();
  stop.abort();
  await clock.elapse(0);
  await ended;
  clock.assertIdle();
});

async function open(): Promise<void> {
  stop = new AbortController();
  view = new ClusterView({ client: cluster, clock, random: () => 0 });
  ended = view.run(stop.signal);
  scope = view.openScope({ namespaces: ["app"] });
  page = new ScopePicture(scope);
  await clock.elapse(A_WHILE_MS);
}

function marked(name: string, mark: { readonly labels?: Record<string, string>; readonly annotations?: Record<string, string> }): void {
  cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...mark } });
}

function fluxMark(name: string, namespace = "flux-system", tool = "kustomize"): { readonly labels: Record<string, string> } {
  return { labels: { [`${tool}.toolkit.fluxcd.io/name`]: name, [`${tool}.toolkit.fluxcd.io/namespace`]: namespace } };
}

function kustomization(ready: "True" | "False", namespace = "flux-system", name = "web"): KubeObject {
  const revision = `main@sha1:${SHA}`;
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name, namespace, generation: 1 },
    spec: { path: "./prod", sourceRef: { kind: "GitRepository", name: "shop" } },
    status: {
      observedGeneration: 1,
      lastAppliedRevision: revision,
      lastAttemptedRevision: revision,
      conditions: [
        { type: "Ready", status: ready, reason: ready === "True" ? "ReconciliationSucceeded" : "BuildFailed", message: "as stated" },
      ],
    },
  };
}

function repository(problem = ""): KubeObject {
  const conditions = problem === "" ? [] : [{ type: "Ready", status: "False", reason: "GitOperationFailed", message: problem }];
  return {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: "shop", namespace: "flux-system" },
    spec: { url: "https://bot:s3cret@git.example.test/shop" },
    status: { conditions },
  };
}

function application(namespace: string): KubeObject {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Application",
    metadata: { name: "web", namespace },
    spec: { source: { repoURL: "https://git.example.test/shop", path: "prod" } },
    status: { sync: { status: "Synced", revision: SHA }, history: [{ revision: SHA, deployedAt: "2026-01-01T00:00:00Z" }] },
  };
}

/** The only tool, in short. */
function summary(): string {
  return (scope.tools.now?.tools ?? [])
    .map(({ tool, namespace, name, objects, sync, why }) =>
      [tool, `${namespace}/${name}`, objects, sync?.state ?? "?", sync?.sha.slice(0, 4) ?? "", why === undefined ? "" : renderEnglish(why)]
        .join(" ")
        .trim(),
    )
    .join("; ");
}

describe("a Kustomization in another namespace", () => {
  test("is read with its source, and shown with the objects that bear its mark", async () => {
    marked("one", fluxMark("web"));
    marked("two", fluxMark("web"));
    marked("other", {});
    cluster.put(FLUX, kustomization("True"));
    cluster.put("source.toolkit.fluxcd.io/gitrepositories", repository());
    await open();
    expect(summary()).toBe("flux-kustomization flux-system/web 2 synced aaaa");
    expect(scope.tools.now?.tools[0]?.source).toEqual({ url: "https://git.example.test/shop", problem: "" });
    expect(scope.tools.now?.more).toBe(0);
    expect(cluster.reads).toEqual([`${FLUX} flux-system/web`, "source.toolkit.fluxcd.io/gitrepositories flux-system/shop"]);
  });

  test("is read again four times a minute while a page is open, its source more seldom, and a change is reported", async () => {
    marked("one", fluxMark("web"));
    cluster.put(FLUX, kustomization("True"));
    await open();
    let changes = 0;
    const end = scope.tools.onChange(() => (changes += 1));
    const before = cluster.reads.length;
    await clock.elapse(5 * MINUTE_MS);
    expect(cluster.reads.slice(before).filter((each) => each.startsWith(FLUX))).toHaveLength(20);
    expect(cluster.reads.slice(before).filter((each) => !each.startsWith(FLUX)).length).toBeLessThanOrEqual(1);
    expect(changes).toBe(0);
    cluster.put(FLUX, kustomization("False"));
    await clock.elapse(MINUTE_MS);
    expect(summary()).toBe("flux-kustomization flux-system/web 1 failed aaaa");
    expect(changes).toBe(1);
    end();
    page.close();
    await clock.elapse(A_WHILE_MS);
    const left = cluster.reads.length;
    await clock.elapse(10 * MINUTE_MS);
    expect(cluster.reads).toHaveLength(left);
    // What was not read for so long is not confirmed.
    expect(scope.tools.now?.tools[0]?.asOfMs).toBeDefined();
  });

  test("two environments of one cluster and identity cost one request", async () => {
    marked("one", fluxMark("web"));
    cluster.put("/configmaps", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "two", namespace: "other", ...fluxMark("web") } });
    cluster.put(FLUX, kustomization("True"));
    await open();
    const other = view.openScope({ namespaces: ["other"] });
    const second = new ScopePicture(other);
    await clock.elapse(2_000);
    expect(other.tools.now?.tools[0]?.sync?.state).toBe("synced");
    expect(cluster.reads.filter((each) => each.startsWith(FLUX))).toHaveLength(1);
    second.close();
  });

  test("that the viewer may not read is not known, and what was known goes with the right to it", async () => {
    marked("one", fluxMark("web"));
    cluster.put(FLUX, kustomization("True"));
    await open();
    cluster.closed.add("flux-system");
    await clock.elapse(MINUTE_MS);
    expect(summary()).toBe("flux-kustomization flux-system/web 1 ?  You may not read Kustomization flux-system/web");
    const before = cluster.reads.length;
    await clock.elapse(4 * MINUTE_MS);
    expect(cluster.reads.length - before).toBeLessThanOrEqual(1);
    cluster.closed.clear();
    view.wake();
    await clock.elapse(A_WHILE_MS);
    expect(summary()).toContain("synced");
  });

  test("that is gone, and a kind that is not served, are reported", async () => {
    marked("one", fluxMark("web"));
    await open();
    expect(summary()).toContain("There is no Kustomization flux-system/web");
    cluster.removeKind(KUSTOMIZATIONS);
    await clock.elapse(5 * MINUTE_MS);
    expect(summary()).toContain("The cluster does not serve Kustomization of kustomize.toolkit.fluxcd.io");
  });

  test("retains its last state with its time while there is no answer", async () => {
    marked("one", fluxMark("web"));
    cluster.put(FLUX, kustomization("True"));
    await open();
    expect(scope.tools.now?.tools[0]?.asOfMs).toBeUndefined();
    cluster.failure = new KubeClientError("timeout", "no answer");
    await clock.elapse(MINUTE_MS);
    expect(summary()).toContain("synced");
    expect(scope.tools.now?.tools[0]?.asOfMs).toBeDefined();
    cluster.failure = undefined;
    await clock.elapse(2 * MINUTE_MS);
    expect(scope.tools.now?.tools[0]?.asOfMs).toBeUndefined();
  });

  test("that cannot be read at all is not known", async () => {
    marked("one", fluxMark("web"));
    cluster.failure = new KubeClientError("too_large", "too large");
    await open();
    expect(summary()).toContain("Kustomization flux-system/web could not be read");
  });
});

describe("a Kustomization in the environment's own namespace", () => {
  test("is followed with everything else, and costs no request", async () => {
    marked("one", fluxMark("web", "app"));
    cluster.put(FLUX, kustomization("True", "app"));
    await open();
    expect(summary()).toBe("flux-kustomization app/web 1 synced aaaa");
    cluster.put(FLUX, kustomization("False", "app"));
    await clock.elapse(5_000);
    expect(summary()).toContain("failed");
    expect(cluster.reads.filter((each) => each.startsWith(FLUX))).toEqual([]);
    cluster.outage = new KubeClientError("agent_offline", "away");
    cluster.disconnect();
    await clock.elapse(MINUTE_MS);
    expect(scope.tools.now?.tools[0]?.asOfMs).toBeDefined();
    cluster.outage = undefined;
    await clock.elapse(MINUTE_MS);
    expect(scope.tools.now?.tools[0]?.asOfMs).toBeUndefined();
  });
});

describe("an Application", () => {
  const mark = (name: string) => ({ annotations: { "argocd.argoproj.io/tracking-id": `${name}:/ConfigMap:app/one` } });

  test("is looked for where Argo CD usually lives", async () => {
    marked("one", mark("web"));
    cluster.put(ARGO, application("openshift-gitops"));
    await open();
    expect(summary()).toBe("argocd openshift-gitops/web 1 synced aaaa");
    expect(cluster.reads).toEqual([`${ARGO} argocd/web`, `${ARGO} openshift-gitops/web`]);
  });

  test("of another namespace is called so by its mark", async () => {
    marked("one", mark("team_web"));
    cluster.put(ARGO, application("team"));
    await open();
    expect(summary()).toBe("argocd team/web 1 synced aaaa");
    expect(cluster.reads).toEqual([`${ARGO} team/web`]);
  });

  test("that is in sight is taken, wherever it stands", async () => {
    marked("one", mark("web"));
    cluster.put(ARGO, application("app"));
    await open();
    expect(summary()).toBe("argocd app/web 1 synced aaaa");
    expect(cluster.reads).toEqual([]);
  });

  test("is reported missing when it is in neither place, and no place is passed over that may not be read", async () => {
    marked("one", mark("web"));
    await open();
    expect(summary()).toContain("There is no Application argocd/web");
    cluster.closed.add("argocd");
    await clock.elapse(10 * MINUTE_MS);
    expect(summary()).toContain("You may not read Application argocd/web");
  });
});

describe("marks that anybody may have written", () => {
  test("that name no object cause no request", async () => {
    marked("one", { annotations: { "argocd.argoproj.io/tracking-id": "../../secrets/x:/ConfigMap:app/one" } });
    marked("two", fluxMark("UPPER/../x"));
    await open();
    expect([summary(), cluster.reads]).toEqual(["", []]);
  });

  test("of more tools than are read the most important are, and the rest is counted", async () => {
    for (let index = 0; index < 200; index += 1) marked(`one-${index}`, fluxMark(`app-${index}`));
    marked("two", fluxMark("app-150"));
    await open();
    expect(scope.tools.now?.tools).toHaveLength(20);
    expect(scope.tools.now?.tools[0]).toMatchObject({ name: "app-150", objects: 2 });
    expect(scope.tools.now?.more).toBe(180);
    expect(new Set(cluster.reads).size).toBe(20);
  });

  test("an object that is called like a tool's and says nothing is no sync", async () => {
    marked("one", fluxMark("web"));
    cluster.put(FLUX, { ...kustomization("True"), apiVersion: "v1", kind: "ConfigMap" });
    await open();
    expect(summary()).toContain("could not be read");
  });
});

test("a HelmRelease is read with the repository of its chart", async () => {
  marked("one", fluxMark("redis", "app", "helm"));
  cluster.put("helm.toolkit.fluxcd.io/helmreleases", {
    apiVersion: "helm.toolkit.fluxcd.io/v2",
    kind: "HelmRelease",
    metadata: { name: "redis", generation: 1 },
    spec: { chart: { spec: { chart: "./redis", sourceRef: { kind: "GitRepository", name: "shop", namespace: "flux-system" } } } },
    status: {
      conditions: [{ type: "Ready", status: "True", reason: "UpgradeSucceeded" }],
      history: [{ status: "deployed", chartVersion: "1.2.3" }],
    },
  });
  cluster.put("source.toolkit.fluxcd.io/gitrepositories", repository("no route to host"));
  await open();
  expect(summary()).toBe("flux-helmrelease app/redis 1 synced");
  expect(scope.tools.now?.tools[0]).toMatchObject({ sync: { revision: "1.2.3" }, source: { problem: "no route to host" } });
});
