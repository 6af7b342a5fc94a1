// needs: control-plane
import { randomUUID } from "node:crypto";

import { fieldsOf, INVENTORY_LABEL } from "@binnacle/kube";
import {
  ActionKind,
  ActionOutcome,
  ActionRight,
  MetadataEntrySchema,
  type ActionParameters,
  type OfferedAction,
  type PreviewActionResponse,
} from "@binnacle/proto/dashboard";
import { eventually, HurriedClock } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";

import { featuresSchema } from "../../config/features.ts";
import { ActionBench, CLUSTERS, NAMESPACE, podSpec, workloadSpec, type BenchObject } from "../../testing/action-bench.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";
import { KINDS } from "../../actions/open-action.ts";

const CANARY = "canary-4711";
const COMMIT = "abcdef12".padEnd(40, "0");
const RBAC = "/apis/rbac.authorization.k8s.io/v1";
/** Its kinds are those of operators, which no cluster of the tests has: `tools/tool-actions.itest.ts`. */
const TESTED_ELSEWHERE: readonly ActionKind[] = [ActionKind.TOOL];

/** Verbs that each role has on everything, besides reading. */
const ROLES = { full: ["*"], reader: [], patcher: ["patch"], creator: ["create"], deleter: ["delete"] } as const;
/** Has all rights in the namespaces of the tests, by a RoleBinding in each, and none to other objects of the cluster. */
const NAMESPACED = "namespaced" as const;
type Role = keyof typeof ROLES | typeof NAMESPACED;

const PARAMETERS: Readonly<Partial<Record<ActionKind, Partial<Omit<ActionParameters, "$typeName">>>>> = {
  [ActionKind.SCALE]: { replicas: 3 },
  [ActionKind.SET_IMAGE]: { container: "web", image: "example/web:9" },
  [ActionKind.ROLL_BACK]: { revision: 1n },
  [ActionKind.SET_LIMITS]: { minReplicas: 2, maxReplicas: 4 },
  [ActionKind.CONSENT_PRUNE]: { commit: COMMIT },
  [ActionKind.EDIT_LABELS]: { entries: [create(MetadataEntrySchema, { key: "tier", value: "front" })] },
};

const nameOf = (values: Readonly<Record<string, number>>, value: number): string =>
  Object.entries(values).find(([, each]) => each === value)?.[0] ?? String(value);

const clock = new HurriedClock();
let bench: ActionBench;
/** A dialog has an id of its own. */
let dialogs = 0;
let clusterObjects = 0;

beforeAll(async () => {
  const [, start] = CLUSTERS[1] ?? [];
  if (start === undefined) throw new Error("there is no real control plane");
  // Without controllers: objects stay as a test has made them.
  bench = await ActionBench.start(start);
  await bench.open({ features: featuresSchema.parse({ actions: "all" }) }, clock);
  reportInventories();
  for (const [role, verbs] of Object.entries(ROLES)) {
    const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", ...verbs] }];
    await grant(role, rules);
  }
  await bindIn(NAMESPACE);
  await grant("everybody", [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list"] }], {
    kind: "Group",
    name: "system:authenticated",
  });
});
afterAll(async () => {
  await bench.close();
  await bench.stop();
});

/** A user, or the subject, has the rules in all namespaces. */
async function grant(name: string, rules: readonly object[], subject: object = { kind: "User", name }): Promise<void> {
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", ...subject }];
  await bench.cluster.send("POST", `${RBAC}/clusterroles`, { body: { metadata: { name }, rules } });
  await bench.cluster.send("POST", `${RBAC}/clusterrolebindings`, { body: { metadata: { name }, roleRef, subjects } });
}

/** The user "namespaced" has all rights in a namespace. */
async function bindIn(namespace: string): Promise<void> {
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "full" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: NAMESPACED }];
  await bench.cluster.send("POST", `${RBAC}/namespaces/${namespace}/rolebindings`, {
    body: { metadata: { name: NAMESPACED }, roleRef, subjects },
  });
  // The authorizer of the API server follows bindings by a watch.
  const spec = { user: NAMESPACED, resourceAttributes: { verb: "delete", resource: "namespaces", namespace, name: namespace } };
  await eventually(async () => {
    const { status } = await bench.cluster.send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", { body: { spec } });
    return fieldsOf(status)["allowed"] === true ? undefined : `${NAMESPACED} may not delete ${namespace}`;
  }, 10_000);
}

const metadata = { annotations: { note: CANARY } };
const jobSpec = { template: { spec: { ...podSpec(), restartPolicy: "Never" } } };
const ownerOf = async ({ read }: BenchObject) => {
  const { apiVersion, kind, metadata: own } = await read();
  const { name, uid } = own as { readonly name: string; readonly uid: string };
  return [{ apiVersion, kind, name, uid, controller: true }];
};
/** A workload with an older revision. */
const workload = async (kind: string, spec: object = {}) => {
  const made = await bench.create(`apps/${kind.toLowerCase()}s`, kind, { metadata, spec: workloadSpec(spec) });
  const ownerReferences = await ownerOf(made);
  const { template } = workloadSpec({}, {}, "example/web:0") as { readonly template: object };
  if (kind === "Deployment") {
    const revision = { ownerReferences, annotations: { "deployment.kubernetes.io/revision": "1" }, labels: { app: "web" } };
    await bench.create("apps/replicasets", "ReplicaSet", { metadata: revision, spec: workloadSpec({ replicas: 0 }, {}, "example/web:0") });
  } else {
    const data = { spec: { template: { ...template, $patch: "replace" } } };
    await bench.create("apps/controllerrevisions", "ControllerRevision", {
      metadata: { labels: { app: "web" }, ownerReferences },
      revision: 1,
      data,
    });
  }
  return made;
};
const job = async (status: object, spec: object = {}) => {
  const made = await bench.create("batch/jobs", "Job", { metadata, spec: { ...jobSpec, ...spec } });
  await bench.cluster.merge(`${made.path}/status`, { status });
  return made;
};
const FINISHED = (() => {
  const [startTime, completionTime] = ["2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"];
  const condition = (type: string) => ({ type, status: "True", lastProbeTime: completionTime, lastTransitionTime: completionTime });
  return { startTime, completionTime, succeeded: 1, conditions: [condition("SuccessCriteriaMet"), condition("Complete")] };
})();
/** Names of the inventories that kas reports, whose list web reads once in its poll period. */
const INVENTORIES = ["inventory-paused", "inventory-active"] as const;
const MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

/** An inventory, created anew. */
const inventory = async (name: (typeof INVENTORIES)[number], annotations: Readonly<Record<string, string>>): Promise<BenchObject> => {
  const path = `${MAPS}/${name}`;
  await bench.cluster.send("DELETE", path).catch(() => undefined); // it is the first one
  const labels = { [INVENTORY_LABEL]: name };
  const about = { name, labels, annotations: { ...metadata.annotations, ...annotations } };
  await bench.cluster.send("POST", MAPS, { body: { apiVersion: "v1", kind: "ConfigMap", metadata: about } });
  const ref = { group: "", version: "v1", kind: "ConfigMap", resource: "configmaps", namespace: NAMESPACE, name };
  return { path, target: { ...NAMES, ref }, read: () => bench.cluster.send("GET", path) };
};

function reportInventories(): void {
  const syncs = INVENTORIES.map((name) => ({
    project: `group/${name}`,
    commitId: COMMIT.slice(0, 8),
    state: "GITOPS_SYNC_STATE_SYNCED",
    pruneHeld: "3 objects",
    objects: 3,
    namespaces: [NAMESPACE],
    inventoryId: name,
    inventoryNamespace: NAMESPACE,
    inventoryName: name,
  }));
  bench.world.kas.gitops = (_project, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ syncs }));
  };
}

/** An object of no namespace, with a name of its own. */
const clusterObject = async (
  { group, kind, resource }: { readonly group: string; readonly kind: string; readonly resource: string },
  fields: object = {},
): Promise<BenchObject> => {
  clusterObjects += 1;
  const name = `shared-${clusterObjects}`;
  const collection = group === "" ? `/api/v1/${resource}` : `/apis/${group}/v1/${resource}`;
  const apiVersion = group === "" ? "v1" : `${group}/v1`;
  await bench.cluster.send("POST", collection, { body: { apiVersion, kind, metadata: { ...metadata, name }, ...fields } });
  const path = `${collection}/${name}`;
  const ref = { group, version: "v1", kind, resource, namespace: "", name };
  return { path, target: { ...NAMES, ref }, read: () => bench.cluster.send("GET", path) };
};
const clusterRole = (): Promise<BenchObject> =>
  clusterObject({ group: "rbac.authorization.k8s.io", kind: "ClusterRole", resource: "clusterroles" }, { rules: [] });

/** Objects in the states in which they have other actions. */
const OBJECTS: Readonly<Record<string, () => Promise<BenchObject>>> = {
  Deployment: () => workload("Deployment"),
  "paused Deployment": () => workload("Deployment", { paused: true }),
  StatefulSet: () => workload("StatefulSet", { serviceName: "web" }),
  DaemonSet: () => workload("DaemonSet"),
  CronJob: () => bench.create("batch/cronjobs", "CronJob", { metadata, spec: { schedule: "0 3 * * *", jobTemplate: { spec: jobSpec } } }),
  "waiting Job": () => job({}),
  "running Job": () => job({ startTime: "2026-01-01T00:00:00Z", active: 1, ready: 0 }),
  "suspended Job": () => job({}, { suspend: true }),
  "finished Job": () => job(FINISHED),
  HorizontalPodAutoscaler: () =>
    bench.create("autoscaling/horizontalpodautoscalers", "HorizontalPodAutoscaler", {
      metadata,
      spec: { minReplicas: 1, maxReplicas: 3, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" } },
    }),
  Pod: () => bench.create("/pods", "Pod", { metadata, spec: podSpec() }),
  ClusterRole: clusterRole,
  Node: () => clusterObject({ group: "", kind: "Node", resource: "nodes" }),
  Namespace: async () => {
    const made = await clusterObject({ group: "", kind: "Namespace", resource: "namespaces" });
    await bindIn(made.target.ref.name);
    return made;
  },
  "paused inventory": () => inventory("inventory-paused", { "gitops.binnacle/paused": "true" }),
  inventory: () => inventory("inventory-active", {}),
};

/** The environment is one namespace, or all of the cluster, which has the objects of no namespace. */
function setScope(kind: string): void {
  const [environment] = bench.world.main.environments;
  if (environment === undefined) throw new Error("there is an environment");
  bench.world.main.environments = [{ ...environment, namespace: CLUSTER_KINDS.has(kind) ? "" : NAMESPACE }];
}
const CLUSTER_KINDS: ReadonlySet<string> = new Set(["ClusterRole", "Node", "Namespace"]);

const as = async <T>(user: string, work: () => Promise<T>): Promise<T> => {
  bench.cluster.as = user;
  try {
    return await work();
  } finally {
    bench.cluster.as = undefined;
  }
};
const offeredTo = (user: string, { target }: BenchObject): Promise<OfferedAction[]> => {
  // All users come with the same credential here: what was answered to another one is no longer used.
  clock.skip(31_000);
  return as(user, async () => (await bench.dashboard.reviewActions({ target })).actions);
};
const actionOf = (kind: ActionKind, { target }: BenchObject) => {
  dialogs += 1;
  const request = { requestId: `dialog-${target.ref.name}-${dialogs}`, typedName: target.ref.name };
  return { kind, parameters: PARAMETERS[kind] ?? {}, request };
};
const versionOf = async ({ read }: BenchObject): Promise<unknown> => {
  const found = await read().catch(() => undefined);
  return (found?.["metadata"] as { readonly resourceVersion?: string } | undefined)?.resourceVersion ?? "gone";
};

/** Another annotation each time. */
async function editOf(object: BenchObject): Promise<ReturnType<typeof actionOf>> {
  const { yaml: base, resourceVersion } = await as("full", () => bench.dashboard.openEditor({ target: object.target }));
  const edited = base.replace(`note: ${CANARY}`, `note: ${CANARY}-${randomUUID()}`);
  return { ...actionOf(ActionKind.EDIT, object), parameters: { base, edited, resourceVersion } };
}

/** Actions that were performed, or refused. */
const seen = new Set<ActionKind>();

/** What a user with all rights is shown, and what another one makes of it: a page can send anything. */
async function attempt(object: BenchObject, { kind, user }: { readonly kind: ActionKind; readonly user: string }) {
  const action = kind === ActionKind.EDIT ? await editOf(object) : actionOf(kind, object);
  const shown: PreviewActionResponse = await as("full", () => bench.preview(object.target, action));
  // Its state forbids it for all viewers: a paused rollout is not restarted.
  if (shown.refused !== undefined) return undefined;
  seen.add(kind);
  const before = await versionOf(object);
  const answer = await as(user, () => bench.perform(object.target, action, shown));
  const created = shown.field?.path === "job" ? `/apis/batch/v1/namespaces/${NAMESPACE}/jobs/${shown.field.after}` : undefined;
  const isCreated =
    created !== undefined &&
    (await bench.cluster.send("GET", created).then(
      () => true,
      () => false,
    ));
  return { answer, isChanged: isCreated || (await versionOf(object)) !== before };
}

test.each(Object.entries(OBJECTS))("T53: the review of a %s says for each role and action what Act does", async (objectKind, make) => {
  setScope(objectKind);
  const kinds = (await offeredTo("full", await make())).map(({ kind }) => kind);
  expect(kinds).not.toEqual([]);
  const cells: string[] = [];
  const expected: string[] = [];
  // Keys of ROLES are its roles.
  const roles: readonly Role[] = [...(Object.keys(ROLES) as Role[]), ...(CLUSTER_KINDS.has(objectKind) ? [NAMESPACED] : [])];
  for (const role of roles) {
    for (const kind of kinds) {
      const object = await make();
      const offered = (await offeredTo(role, object)).find((each) => each.kind === kind);
      const attempted = await attempt(object, { kind, user: role });
      if (attempted === undefined) continue;
      const { answer, isChanged } = attempted;
      // A request for a Namespace is one in this namespace to the API server.
      const known: Partial<Record<Role, boolean>> = { full: true, reader: false, [NAMESPACED]: objectKind === "Namespace" };
      const isAllowed = known[role] ?? offered?.right === ActionRight.ALLOWED;
      const right = nameOf(ActionRight, offered?.right ?? ActionRight.UNSPECIFIED);
      const cell = `${role} ${nameOf(ActionKind, kind)}`;
      cells.push(`${cell}: ${right} ${nameOf(ActionOutcome, answer.outcome)} ${isChanged ? "changed" : "unchanged"}`);
      expected.push(`${cell}: ${isAllowed ? "ALLOWED DONE changed" : "DENIED REFUSED unchanged"}`);
      // The reverse of an edit has the documents of its viewer.
      const { undoParameters: reverse, ...about } = answer;
      const contents = kind === ActionKind.EDIT ? [offered, about] : [offered, about, reverse];
      expect(JSON.stringify(contents, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value))).not.toContain(CANARY);
    }
  }
  expect(cells).toEqual(expected);
});

test("the Role that a review offers is enough for its action", async () => {
  for (const [objectKind, make] of Object.entries(OBJECTS)) {
    setScope(objectKind);
    const missing = await offeredTo("nobody", await make());
    for (const { kind, roleYaml } of missing) {
      const object = await make();
      const { kind: roleKind, rules } = parse(roleYaml) as { readonly kind: "Role" | "ClusterRole"; readonly rules: readonly object[] };
      const user = `narrow-${object.target.ref.name}-${kind}`;
      const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: user }];
      const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: roleKind, name: user };
      // The right to a Namespace is one in itself.
      const { namespace, name } = object.target.ref;
      const [root, prefix] = roleKind === "Role" ? [`${RBAC}/namespaces/${namespace || name}`, ""] : [RBAC, "cluster"];
      await bench.cluster.send("POST", `${root}/${prefix}roles`, { body: { metadata: { name: user }, rules } });
      await bench.cluster.send("POST", `${root}/${prefix}rolebindings`, { body: { metadata: { name: user }, roleRef, subjects } });
      // The authorizer of the API server follows bindings by a watch.
      const rightNow = async () => (await offeredTo(user, object)).find((each) => each.kind === kind)?.right;
      await expect.poll(rightNow, { timeout: 10_000, interval: 20 }).toBe(ActionRight.ALLOWED);
      const attempted = await attempt(object, { kind, user });
      const outcome = attempted?.answer.outcome ?? ActionOutcome.DONE;
      expect(nameOf(ActionOutcome, outcome), `${object.target.ref.kind} ${nameOf(ActionKind, kind)}`).toBe("DONE");
    }
  }
});

test("every action of the catalogue is among those that were tested", () => {
  const all = Object.values(KINDS).filter((kind) => !TESTED_ELSEWHERE.includes(kind));
  expect(all.filter((kind) => !seen.has(kind)).map((kind) => nameOf(ActionKind, kind))).toEqual([]);
});

test("T8, T53: a foreign or absent Origin, a repeated request and an outdated value change nothing", async () => {
  setScope("Deployment");
  const object = await OBJECTS["Deployment"]?.();
  if (object === undefined) throw new Error("there is no Deployment");
  const action = actionOf(ActionKind.SCALE, object);
  const shown = await bench.preview(object.target, action);
  const { uid, requestedAt } = shown;
  const sent = { target: object.target, kind: action.kind, parameters: action.parameters, uid, expected: "1", requestId: "dialog-0001" };
  const request = { ...sent, ...(requestedAt && { requestedAt }) };
  const before = await versionOf(object);
  const headers: readonly Record<string, string>[] = [{ origin: "http://evil.example" }, {}];
  for (const given of headers)
    await expect(bench.world.clientWith(undefined, given).act(request)).rejects.toMatchObject({ code: Code.PermissionDenied });
  expect(await versionOf(object)).toBe(before);
  expect(await bench.dashboard.act(request)).toMatchObject({ outcome: ActionOutcome.DONE });
  const after = await versionOf(object);
  expect(await bench.dashboard.act(request), "the same request again").toMatchObject({ outcome: ActionOutcome.DONE });
  const outdated = { ...request, requestId: "dialog-0002", parameters: { replicas: 7 } };
  expect(await bench.dashboard.act(outdated)).toMatchObject({ outcome: ActionOutcome.CONFLICT });
  expect(await versionOf(object)).toBe(after);
});
