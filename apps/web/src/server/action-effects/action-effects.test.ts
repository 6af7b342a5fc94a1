import { KubeClientError } from "@binnacle/environment-view";
import { createStatus, namespacedKind, type KubeObject } from "@binnacle/kube";
import { ActionEffectKind, ActionEffectSchema } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import type { ActionName, ActionParameters } from "../action-plans/action-plan.ts";
import { effectsOf } from "./action-effects.ts";

/** Objects of the namespace by resource; a resource that is not here may not be listed. */
type Cluster = Readonly<Record<string, readonly object[]>>;

const REPLACES = { notes: [words("action/replaces-pods")], change: { verb: "delete", propagation: "Background" } } as const;

function object(name: string, owner = "", fields: object = {}): object {
  return {
    metadata: { name, uid: `uid-${name}`, labels: { app: "web" }, ...(owner && { ownerReferences: [{ uid: `uid-${owner}` }] }) },
    ...fields,
  };
}

/** Sentences with their kinds, names and the number of further names. */
async function effects(
  cluster: Cluster,
  of: { readonly resource: string; readonly group?: string; readonly spec?: object },
  action: { readonly name: ActionName; readonly parameters?: ActionParameters; readonly isMore?: boolean },
) {
  const { resource, group = "apps", spec = {} } = of;
  const kind = namespacedKind({ group, version: "v1", kind: resource, resource });
  const about: KubeObject = {
    apiVersion: "v1",
    kind: resource,
    metadata: { name: "web", namespace: "shop", uid: "uid-web", labels: { app: "web" } },
    spec: { selector: { matchLabels: { app: "web" } }, ...spec },
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
  const found = await effectsOf(planned, { name: action.name, parameters: action.parameters ?? {} }, REPLACES);
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
  expect(await evict({ poddisruptionbudgets: [budget("open", "web", 2), budget("other", "api", 0), budget("shut", "web", 0)] })).toEqual([
    [BUDGET, "PodDisruptionBudget open allows 2 disruptions now", [], 0, false],
    [BUDGET, "PodDisruptionBudget shut allows no disruption now: the eviction is refused until more pods are healthy", [], 0, true],
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

test("more replicas show the quotas that they count against; one with less left than needed is in the way, unless it is of a scope", async () => {
  const requests = { cpu: "250m", memory: "100Mi" };
  const spec = { replicas: 1, template: { spec: { containers: [{ resources: { requests } }, { resources: { requests } }] } } };
  const scale = (hard: object, used: object, quota: object = {}) =>
    effects(
      { resourcequotas: [object("team", "", { spec: quota, status: { hard, used } })] },
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
  expect(await scale({ pods: "1" }, { pods: "1" }, { scopes: ["BestEffort"] })).toEqual([
    [QUOTA, "ResourceQuota team: 1 of 1 pods used", [], 0, false],
  ]);
});
