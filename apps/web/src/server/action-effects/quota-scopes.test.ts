import { KubeClientError } from "@binnacle/environment-view";
import { createStatus, namespacedKind } from "@binnacle/kube";
import { renderEnglish } from "@binnacle/words/render-english";
import { expect, test } from "vitest";

import { quotaEffects, type Added } from "./quota-effects.ts";

const DEPLOYMENTS = namespacedKind({ group: "apps", version: "v1", kind: "Deployment", resource: "deployments" });

const NOT_KNOWN = "ResourceQuota team counts only pods of its scopes; not known whether these are counted: 1 of 1 pods used";
const COUNTED = "ResourceQuota team is in the way: 1 more pods needed, 1 of 1 used";

interface Given {
  /** Of the namespace; absent: they may not be listed. */
  readonly limitRanges?: readonly object[];
  /** Default: one pod. */
  readonly added?: Added;
}

/** What one more pod shows of a quota that has no pod left. */
async function shown(scopes: object, pod: object, { limitRanges, added }: Given = {}) {
  const quota = {
    metadata: { name: "team" },
    spec: scopes,
    status: { hard: { pods: "1", "count/jobs.batch": "1" }, used: { pods: "1", "count/jobs.batch": "1" } },
  };
  const requests: string[] = [];
  const json = ({ path }: { readonly path: string }): Promise<unknown> => {
    requests.push(path);
    if (path.includes("/resourcequotas?")) return Promise.resolve({ metadata: {}, items: [quota] });
    if (limitRanges !== undefined && path.includes("/limitranges?")) return Promise.resolve({ metadata: {}, items: limitRanges });
    return Promise.reject(new KubeClientError("api", "no", { status: createStatus(403, "no") }));
  };
  const get = (): never => {
    throw new Error("effects read lists alone");
  };
  const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "shop" } };
  const of = { kind: DEPLOYMENTS, object, client: { json, get }, signal: new AbortController().signal };
  const found = await quotaEffects(of, added ?? { pods: 1, jobs: 0, spec: { template: { spec: pod } } });
  return {
    sentences: found.map(({ words }) => renderEnglish(words)),
    isObstacle: found.some((each) => each.isObstacle === true),
    requests,
  };
}

const sentencesOf = async (...given: Parameters<typeof shown>) => (await shown(...given)).sentences;
const containers = (...resources: readonly object[]) => ({ containers: resources.map((each) => ({ resources: each })) });
const expression = (scopeName: string, operator: string, ...values: readonly string[]) => ({
  scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values.length > 0 && { values }) }] },
});

const BURSTABLE = containers({}, { requests: { memory: "1Mi" } });

test("a quota of BestEffort counts no pods with CPU or memory of any container, one of NotBestEffort counts them", async () => {
  const pods = [
    BURSTABLE,
    containers({ limits: { cpu: "1m" } }),
    { ...containers({}), initContainers: [{ resources: { requests: { cpu: 1 } } }] },
    { ...containers({}), resources: { limits: { memory: "1Gi" } } },
  ];
  for (const pod of pods) {
    expect(await sentencesOf({ scopes: ["BestEffort"] }, pod)).toEqual([]);
    expect(await shown({ scopes: ["NotBestEffort"] }, pod)).toMatchObject({ sentences: [COUNTED], isObstacle: true });
  }
});

test("pods without CPU and memory are BestEffort unless a LimitRange gives them some, which is not known without the right to list", async () => {
  const requests = { cpu: "0", "ephemeral-storage": "1Gi" };
  const pod = containers({ requests });
  const limitRange = (item: object) => ({ limitRanges: [{ metadata: { name: "defaults" }, spec: { limits: [item] } }] });
  const silent = [{ limitRanges: [] }, limitRange({ type: "Container", max: { cpu: "1" }, default: { "ephemeral-storage": "1Gi" } })];
  for (const namespace of silent) {
    expect(await sentencesOf({ scopes: ["BestEffort"] }, pod, namespace)).toEqual([COUNTED]);
    expect(await sentencesOf({ scopes: ["NotBestEffort"] }, pod, namespace)).toEqual([]);
  }
  for (const list of ["default", "defaultRequest"]) {
    const namespace = limitRange({ type: "Container", [list]: { memory: "64Mi" } });
    expect(await sentencesOf({ scopes: ["BestEffort"] }, pod, namespace)).toEqual([]);
    expect(await sentencesOf({ scopes: ["NotBestEffort"] }, pod, namespace)).toEqual([COUNTED]);
  }
  expect(await shown({ scopes: ["BestEffort"] }, pod)).toMatchObject({ sentences: [NOT_KNOWN], isObstacle: false });
});

test("LimitRanges are listed only where they decide", async () => {
  for (const scopes of [{}, { scopes: ["NotTerminating"] }, { scopes: ["NotBestEffort"] }])
    expect((await shown(scopes, BURSTABLE)).requests, JSON.stringify(scopes)).toHaveLength(1);
});

test("only the deadline of the pod itself makes it Terminating", async () => {
  const withDeadline = { ...BURSTABLE, activeDeadlineSeconds: 0 };
  expect(await sentencesOf({ scopes: ["Terminating"] }, withDeadline)).toEqual([COUNTED]);
  expect(await sentencesOf({ scopes: ["NotTerminating"] }, withDeadline)).toEqual([]);
  expect(await sentencesOf({ scopes: ["NotTerminating"] }, BURSTABLE)).toEqual([COUNTED]);
  const added = { pods: 1, jobs: 1, spec: { activeDeadlineSeconds: 600, template: { spec: BURSTABLE } } };
  expect(await sentencesOf({ scopes: ["Terminating"] }, {}, { added })).toEqual([]);
});

test("pods are of a PriorityClass by its name; of those without one it is not known, since admission may give them the default", async () => {
  const high = { ...BURSTABLE, priorityClassName: "high" };
  const counts = async (pod: object, ...selector: Parameters<typeof expression>) => sentencesOf(expression(...selector), pod);
  expect(await counts(high, "PriorityClass", "In", "low", "high")).toEqual([COUNTED]);
  expect(await counts(high, "PriorityClass", "In", "low")).toEqual([]);
  expect(await counts(high, "PriorityClass", "NotIn", "low")).toEqual([COUNTED]);
  expect(await counts(high, "PriorityClass", "NotIn", "high")).toEqual([]);
  expect(await counts(high, "PriorityClass", "Exists")).toEqual([COUNTED]);
  expect(await counts(high, "PriorityClass", "DoesNotExist")).toEqual([]);
  expect(await sentencesOf({ scopes: ["PriorityClass"] }, high)).toEqual([COUNTED]);
  for (const operator of ["In", "NotIn", "Exists", "DoesNotExist"])
    expect(await counts(BURSTABLE, "PriorityClass", operator, "high"), operator).toEqual([NOT_KNOWN]);
});

test("pods must be of all scopes; one that is not of a known scope is not counted, whatever the others are", async () => {
  const both = { scopes: ["NotTerminating"], ...expression("PriorityClass", "In", "high") };
  expect(await sentencesOf(both, BURSTABLE)).toEqual([NOT_KNOWN]);
  expect(await sentencesOf(both, { ...BURSTABLE, priorityClassName: "high" })).toEqual([COUNTED]);
  expect(await sentencesOf(both, { ...BURSTABLE, activeDeadlineSeconds: 5 })).toEqual([]);
});

test("whether pods are of a scope that is not known here is not known, nor by an operator that Kubernetes has not", async () => {
  expect(await sentencesOf({ scopes: ["CrossNamespacePodAffinity"] }, BURSTABLE)).toEqual([NOT_KNOWN]);
  expect(await sentencesOf(expression("Terminating", "DoesNotExist"), BURSTABLE)).toEqual([NOT_KNOWN]);
});

test("a quota of scopes counts no Jobs", async () => {
  const added = { pods: 0, jobs: 1, spec: { suspend: true, template: { spec: BURSTABLE } } };
  expect(await sentencesOf({ scopes: ["NotBestEffort"] }, {}, { added })).toEqual([]);
  expect(await sentencesOf({}, {}, { added })).toEqual(["ResourceQuota team is in the way: 1 more count/jobs.batch needed, 1 of 1 used"]);
});
