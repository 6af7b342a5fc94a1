import { KubeClientError, type ActionContent, type KubeChange } from "@binnacle/environment-view";
import { createStatus, namespacedKind, type KubeObject } from "@binnacle/kube";
import { ActionEffectKind, ActionEffectSchema } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import type { ActionName, ActionParameters } from "../action-plans/action-plan.ts";
import type { PodReplacement } from "../action-plans/pod-replacement.ts";
import { effectsOf } from "./action-effects.ts";

/** Objects of the namespace by resource; a resource that is not here may not be listed. */
type Cluster = Readonly<Record<string, readonly object[]>>;

const NOW: PodReplacement = { when: "now" };

function object(name: string, owner = "", fields: object = {}): object {
  return {
    metadata: { name, uid: `uid-${name}`, labels: { app: "web" }, ...(owner && { ownerReferences: [{ uid: `uid-${owner}` }] }) },
    ...fields,
  };
}

/** Sentences with their kinds, names and the number of further names. */
async function effects(
  cluster: Cluster,
  of: { readonly resource: string; readonly group?: string; readonly spec?: object; readonly status?: object },
  action: {
    readonly name: ActionName;
    readonly parameters?: ActionParameters;
    readonly isMore?: boolean;
    readonly replacement?: PodReplacement;
    /** Specification of a Job that is created. */
    readonly job?: ActionContent;
  },
) {
  const { resource, group = "apps", spec = {}, status = {} } = of;
  const { replacement = NOW, job } = action;
  const change: KubeChange = job ? { verb: "create", content: { spec: job } } : { verb: "delete", propagation: "Background" };
  const kind = namespacedKind({ group, version: "v1", kind: resource, resource });
  const about: KubeObject = {
    apiVersion: "v1",
    kind: resource,
    metadata: { name: "web", namespace: "shop", uid: "uid-web", labels: { app: "web" } },
    spec: { selector: { matchLabels: { app: "web" } }, ...spec },
    status,
  };
  const json = ({ path }: { readonly path: string }): Promise<unknown> => {
    const listed = /\/namespaces\/shop\/(\w+)\?/.exec(path)?.[1] ?? "";
    const items = cluster[listed];
    if (items === undefined) return Promise.reject(new KubeClientError("api", "no", { status: createStatus(403, "no") }));
    return Promise.resolve({ metadata: action.isMore === true ? { continue: "next" } : {}, items });
  };
  const get = (): never => {
    throw new Error("effects read lists alone");
  };
  const planned = { kind, object: about, client: { json, get }, signal: new AbortController().signal };
  const found = await effectsOf(planned, { name: action.name, parameters: action.parameters ?? {} }, { replacement, change });
  return found.map((each) => {
    const effect = create(ActionEffectSchema, each);
    const sentence = effect.words ? renderEnglish(fromWordsMessage(effect.words)) : "";
    return [effect.kind, sentence, effect.names, effect.moreNames, effect.isObstacle];
  });
}

const { REPLACED, REMOVED, BUDGET, QUOTA, NOT_KNOWN } = ActionEffectKind;

test("a restart of a Deployment replaces the pods of its own ReplicaSets alone, at most 20 by name", async () => {
  const pods = Array.from({ length: 23 }, (_, index) => object(`web-${String(index).padStart(2, "0")}`, "rs"));
  const cluster = { replicasets: [object("rs", "web"), object("foreign", "other")], pods: [...pods, object("theirs", "foreign")] };
  const names = pods.slice(0, 20).map((_, index) => `web-${String(index).padStart(2, "0")}`);
  expect(await effects(cluster, { resource: "deployments" }, { name: "restart" })).toEqual([
    [REPLACED, "23 pods are replaced", names, 3, false],
  ]);
});

test("no pod is replaced at once while the rollout is paused or by the strategy OnDelete, and none below a partition", async () => {
  const pods = Array.from({ length: 11 }, (_, index) => object(`web-${index}`, "web"));
  const restart = (replacement: PodReplacement) => effects({ pods }, { resource: "statefulsets" }, { name: "restart", replacement });
  expect(await restart({ when: "on-delete" })).toEqual([]);
  expect(await restart({ when: "on-resume" })).toEqual([]);
  expect(await restart({ when: "now", firstOrdinal: 9 })).toEqual([[REPLACED, "2 pods are replaced", ["web-10", "web-9"], 0, false]]);
});

test("without the right to an object between, or of a list that is cut, the pods are not known", async () => {
  const deployments = { resource: "deployments" };
  expect(await effects({ pods: [object("web-1", "rs")] }, deployments, { name: "restart" })).toEqual([
    [NOT_KNOWN, "not known which pods this touches: you may not list replicasets in namespace shop", [], 0, false],
  ]);
  expect(await effects({ pods: [] }, { resource: "statefulsets" }, { name: "restart", isMore: true })).toEqual([
    [NOT_KNOWN, "not known which pods this touches: there are more than 1000 pods in namespace shop", [], 0, false],
  ]);
});

test("fewer replicas end the pods with the highest ordinals of a StatefulSet; of a Deployment only their number is certain", async () => {
  const scale = { name: "scale", parameters: { replicas: 9 } } as const;
  const pods = Array.from({ length: 11 }, (_, index) => object(`web-${index}`, "web"));
  expect(await effects({ pods }, { resource: "statefulsets", spec: { replicas: 11 } }, scale)).toEqual([
    [REMOVED, "2 pods end", ["web-10", "web-9"], 0, false],
  ]);
  const cluster = { replicasets: [object("rs", "web")], pods: pods.map((_, index) => object(`web-${index}`, "rs")) };
  expect(await effects(cluster, { resource: "deployments", spec: { replicas: 11 } }, scale)).toEqual([
    [REMOVED, "2 pods end, of 11; the controller chooses which", [], 0, false],
  ]);
});

test("pods that are being deleted are not among those that are replaced or end", async () => {
  const ending = { metadata: { name: "web-9", ownerReferences: [{ uid: "uid-web" }], deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const cluster = { pods: [object("web-0", "web"), object("web-1", "web"), ending] };
  const statefulSet = { resource: "statefulsets", spec: { replicas: 3 } };
  expect(await effects(cluster, statefulSet, { name: "restart" })).toEqual([
    [REPLACED, "2 pods are replaced", ["web-0", "web-1"], 0, false],
  ]);
  expect(await effects(cluster, statefulSet, { name: "scale", parameters: { replicas: 1 } })).toEqual([
    [REMOVED, "1 pod ends", ["web-1"], 0, false],
  ]);
});

test("a deletion takes along what the object owns, unless it stays; of kinds without a table that is not known", async () => {
  const cluster = { jobs: [object("run-1", "web"), object("run-2", "web")], pods: [object("run-1-a", "run-1"), object("else", "else")] };
  const cronJob = { resource: "cronjobs", group: "batch" };
  expect(await effects(cluster, cronJob, { name: "delete" })).toEqual([
    [REMOVED, "2 objects of kind Job: deleted too", ["run-1", "run-2"], 0, false],
    [REMOVED, "1 object of kind Pod: deleted too", ["run-1-a"], 0, false],
  ]);
  expect(await effects(cluster, cronJob, { name: "delete", parameters: { propagation: "Orphan" } })).toEqual([]);
  expect(await effects(cluster, { resource: "configmaps", group: "" }, { name: "delete" })).toEqual([
    [NOT_KNOWN, "not known which objects have it as their owner", [], 0, false],
  ]);
});

test("an eviction names the budgets that cover the pod, and one that allows none is in the way", async () => {
  const budget = (name: string, app: string, disruptionsAllowed: number): object =>
    object(name, "", { spec: { selector: { matchLabels: { app } } }, status: { disruptionsAllowed } });
  const evict = (cluster: Cluster) => effects(cluster, { resource: "pods", group: "" }, { name: "evict" });
  expect(await evict({ poddisruptionbudgets: [budget("open", "web", 2), budget("other", "api", 0)] })).toEqual([
    [BUDGET, "PodDisruptionBudget open allows 2 disruptions now", [], 0, false],
  ]);
  expect(await evict({ poddisruptionbudgets: [budget("shut", "web", 0)] })).toEqual([
    [BUDGET, "PodDisruptionBudget shut allows no disruption now: the eviction is refused until more pods are healthy", [], 0, true],
  ]);
  expect(await evict({ poddisruptionbudgets: [budget("open", "web", 2), budget("wide", "web", 2)] })).toEqual([
    [BUDGET, "several PodDisruptionBudgets cover the pod: the API server evicts only pods that one covers", ["open", "wide"], 0, true],
  ]);
  expect(await evict({ poddisruptionbudgets: [budget("other", "api", 0)] })).toEqual([
    [BUDGET, "no PodDisruptionBudget covers the pod", [], 0, false],
  ]);
  expect(await evict({})).toEqual([
    [
      NOT_KNOWN,
      "not known whether a PodDisruptionBudget is in the way: you may not list poddisruptionbudgets in namespace shop",
      [],
      0,
      false,
    ],
  ]);
});

test("a budget without disruptions is not in the way of a pod that is not ready, when its policy or enough healthy pods allow it, or that does not run", async () => {
  const ready = { type: "Ready", status: "True" };
  const sentences = async (budget: { readonly spec?: object; readonly status?: object }, status: object) => {
    const selector = { matchLabels: { app: "web" } };
    const shut = object("shut", "", { spec: { selector, ...budget.spec }, status: { disruptionsAllowed: 0, ...budget.status } });
    const found = await effects({ poddisruptionbudgets: [shut] }, { resource: "pods", group: "", status }, { name: "evict" });
    return found.map(([, sentence, , , isObstacle]) => [sentence, isObstacle]);
  };
  const running = (...conditions: object[]) => ({ phase: "Running", conditions });
  const refused = ["PodDisruptionBudget shut allows no disruption now: the eviction is refused until more pods are healthy", true];
  const allowed = ["PodDisruptionBudget shut allows the eviction, since the pod is not ready", false];
  const always = { spec: { unhealthyPodEvictionPolicy: "AlwaysAllow" } };
  const enough = { status: { desiredHealthy: 2, currentHealthy: 2 } };
  expect(await sentences(always, running(ready))).toEqual([refused]);
  expect(await sentences(always, running({ ...ready, status: "False" }))).toEqual([allowed]);
  expect(await sentences(enough, running(ready))).toEqual([refused]);
  expect(await sentences(enough, running())).toEqual([allowed]);
  expect(await sentences({ status: { desiredHealthy: 2, currentHealthy: 1 } }, running())).toEqual([refused]);
  expect(await sentences({ status: { desiredHealthy: 0, currentHealthy: 0 } }, running())).toEqual([refused]);
  expect(await sentences({}, { phase: "Pending" })).toEqual([["PodDisruptionBudgets do not apply to a pod that is Pending", false]]);
});

test("more replicas show the quotas that they count against; one with less left than needed is in the way", async () => {
  const requests = { cpu: "250m", memory: "100Mi" };
  const spec = { replicas: 1, template: { spec: { containers: [{ resources: { requests } }, { resources: { requests } }] } } };
  const scale = (hard: object, used: object) =>
    effects(
      { resourcequotas: [object("team", "", { status: { hard, used } })] },
      { resource: "deployments", spec },
      {
        name: "scale",
        parameters: { replicas: 4 },
      },
    );
  const enough = { pods: "4", "requests.cpu": "2", services: "1" };
  expect(await scale(enough, { pods: "1", "requests.cpu": "500m", services: "1" })).toEqual([
    [QUOTA, "ResourceQuota team: 1 of 4 pods used, 500m of 2 requests.cpu used", [], 0, false],
  ]);
  const tight = { pods: "10", "requests.cpu": "1900m", memory: "700Mi", "limits.cpu": "1" };
  const used = { pods: "1", "requests.cpu": "500m", memory: "200Mi", "limits.cpu": "1" };
  expect(await scale(tight, used)).toEqual([
    [QUOTA, "ResourceQuota team is in the way: 1.5 more requests.cpu needed, 500m of 1900m used", [], 0, true],
    [QUOTA, "ResourceQuota team is in the way: 600Mi more memory needed, 200Mi of 700Mi used", [], 0, true],
  ]);
});

test("what a LimitRange may set is not known, and never in the way, also where the quota is used up", async () => {
  const scale = async (...resources: readonly object[]) => {
    const spec = { replicas: 1, template: { spec: { containers: resources.map((each) => ({ resources: each })) } } };
    const status = { hard: { "requests.cpu": "1", "limits.memory": "1Gi" }, used: { "requests.cpu": "1", "limits.memory": "1Gi" } };
    const cluster = { resourcequotas: [object("team", "", { status })] };
    const found = await effects(cluster, { resource: "deployments", spec }, { name: "scale", parameters: { replicas: 2 } });
    return found.map(([, sentence, , , isObstacle]) => [sentence, isObstacle]);
  };
  const unknown =
    "ResourceQuota team: 1 of 1 requests.cpu used, not known how much is needed, 1Gi of 1Gi limits.memory used, not known how much is needed";
  expect(await scale({})).toEqual([[unknown, false]]);
  expect(await scale({ requests: { cpu: "1" }, limits: { memory: "1Gi" } }, {})).toEqual([[unknown, false]]);
  expect(await scale({ limits: { memory: "1Gi" } })).toEqual([
    ["ResourceQuota team is in the way: 1024Mi more limits.memory needed, 1Gi of 1Gi used", true],
  ]);
});

test("a quota that fits exactly is not in the way; sidecars count beside the containers, and a limit is the request where none is", async () => {
  const isInTheWay = async (hard: string, podSpec: object) => {
    const spec = { replicas: 0, template: { spec: podSpec } };
    const cluster = { resourcequotas: [object("team", "", { status: { hard: { "requests.cpu": hard }, used: { "requests.cpu": "0" } } })] };
    const found = await effects(cluster, { resource: "deployments", spec }, { name: "scale", parameters: { replicas: 3 } });
    return found.map(([, , , , isObstacle]) => isObstacle);
  };
  const cpu = (amount: string, more: object = {}) => ({ resources: { requests: { cpu: amount } }, ...more });
  expect(await isInTheWay("300m", { containers: [cpu("100m")] })).toEqual([false]);
  expect(await isInTheWay("299m", { containers: [cpu("100m")] })).toEqual([true]);
  const sidecar = cpu("50m", { restartPolicy: "Always" });
  expect(await isInTheWay("450m", { containers: [cpu("100m")], initContainers: [sidecar] })).toEqual([false]);
  expect(await isInTheWay("449m", { containers: [cpu("100m")], initContainers: [sidecar] })).toEqual([true]);
  // An init container needs 200m while the sidecar before it runs.
  expect(await isInTheWay("749m", { containers: [cpu("100m")], initContainers: [sidecar, cpu("200m")] })).toEqual([true]);
  expect(await isInTheWay("600m", { containers: [cpu("100m")], initContainers: [cpu("200m"), sidecar] })).toEqual([false]);
  expect(await isInTheWay("299m", { containers: [{ resources: { limits: { cpu: "100m" } } }] })).toEqual([true]);
});

test("a new Job counts against quotas with the pods that it starts at once; one that is suspended starts none", async () => {
  const run = async (job: ActionContent) => {
    const status = { hard: { pods: "3", "count/jobs.batch": "9" }, used: { pods: "3", "count/jobs.batch": "2" } };
    const cluster = { resourcequotas: [object("team", "", { status })] };
    const found = await effects(cluster, { resource: "cronjobs", group: "batch" }, { name: "run-now", job });
    return found.map(([, sentence, , , isObstacle]) => [sentence, isObstacle]);
  };
  expect(await run({ parallelism: 4, completions: 2 })).toEqual([
    ["ResourceQuota team is in the way: 2 more pods needed, 3 of 3 used", true],
  ]);
  expect(await run({ suspend: true })).toEqual([["ResourceQuota team: 2 of 9 count/jobs.batch used", false]]);
});

test("a Job that is resumed counts against quotas with the pods of its remaining completions", async () => {
  const resume = async (status: object) => {
    const quota = { status: { hard: { pods: "3", "count/jobs.batch": "2" }, used: { pods: "1", "count/jobs.batch": "2" } } };
    const job = { resource: "jobs", group: "batch", spec: { suspend: true, parallelism: 4, completions: 6 }, status };
    const found = await effects({ resourcequotas: [object("team", "", quota)] }, job, { name: "unsuspend" });
    return found.map(([, sentence, , , isObstacle]) => [sentence, isObstacle]);
  };
  expect(await resume({})).toEqual([["ResourceQuota team is in the way: 4 more pods needed, 1 of 3 used", true]]);
  expect(await resume({ succeeded: 4 })).toEqual([["ResourceQuota team: 1 of 3 pods used", false]]);
  expect(await resume({ succeeded: 6 })).toEqual([]);
});
