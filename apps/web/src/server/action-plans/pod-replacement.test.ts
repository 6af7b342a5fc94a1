import { namespacedKind, type KubeObject } from "@binnacle/kube";
import { words } from "@binnacle/words";
import { expect, test } from "vitest";
import { stringify } from "yaml";

import { planAction } from "./action-catalogue.ts";
import type { ActionName, ActionParameters, PlannedAction } from "./action-plan.ts";

const templateOf = (image: string) => ({ metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image }] } });

/** A workload of which revision 1 had another image. */
function workload(resource: string, spec: object): { readonly object: KubeObject; readonly revisions: readonly object[] } {
  const object: KubeObject = {
    apiVersion: "apps/v1",
    kind: resource,
    metadata: { name: "web", namespace: "shop", uid: "1", resourceVersion: "7" },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: templateOf("web:1"),
      jobTemplate: { spec: { template: templateOf("web:1") } },
      ...spec,
    },
  };
  const metadata = { name: "web-1", uid: "2", ownerReferences: [{ uid: "1" }], annotations: { "deployment.kubernetes.io/revision": "1" } };
  const older = { template: templateOf("web:0") };
  return { object, revisions: [{ metadata, revision: 1, spec: older, data: { spec: older } }] };
}

/** Ids of the notes, and when pods are replaced; the id of a refusal. */
async function replacementBy(
  [resource, spec]: readonly [resource: string, spec: object],
  name: ActionName,
  parameters: ActionParameters = {},
): Promise<unknown> {
  const { object, revisions } = workload(resource, spec);
  const kind = namespacedKind({ group: resource === "cronjobs" ? "batch" : "apps", version: "v1", kind: resource, resource });
  const get = (): never => {
    throw new Error("no single object is read");
  };
  const of = {
    kind,
    object,
    client: { json: () => Promise.resolve({ metadata: {}, items: revisions }), get },
    signal: new AbortController().signal,
  };
  const planned: PlannedAction = await planAction(of, { name, parameters, requestedAtMs: 0, requestId: "", planned: "" });
  return "refused" in planned ? planned.refused.id : [planned.notes.map(({ id }) => id), planned.replacement];
}

/** The parameters of an edit of the image, and of other fields of the specification. */
function editOf([resource, spec]: readonly [resource: string, spec: object], image: string, fields: object = {}): ActionParameters {
  const { object } = workload(resource, spec);
  const edited = { ...object, spec: { ...Object(object["spec"]), template: templateOf(image), ...fields } };
  return { base: stringify(object), edited: stringify(edited), resourceVersion: "7" };
}

const ON_RESUME = [["action/replaces-on-resume"], { when: "on-resume" }];
const ON_DELETE = [["action/replaces-on-delete"], { when: "on-delete" }];
const NOW = [["action/replaces-pods"], { when: "now" }];
const paused = ["deployments", { paused: true }] as const;
const onDelete = { updateStrategy: { type: "OnDelete" } };
const partition = { updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } }, ordinals: { start: 10 } };

test.each<readonly [string, readonly [string, object], unknown]>([
  ["a Deployment", ["deployments", {}], NOW],
  ["a StatefulSet with the strategy OnDelete", ["statefulsets", onDelete], ON_DELETE],
  ["a DaemonSet with the strategy OnDelete", ["daemonsets", onDelete], ON_DELETE],
  ["a StatefulSet with a partition", ["statefulsets", partition], [["action/replaces-from"], { when: "now", firstOrdinal: 12 }]],
  ["a StatefulSet with partition 0", ["statefulsets", { updateStrategy: { rollingUpdate: { partition: 0 } } }], NOW],
])("each change of the template of %s replaces pods when its controller does", async (_, of, expected) => {
  expect(await replacementBy(of, "restart")).toEqual(expected);
  expect(await replacementBy(of, "set-image", { container: "web", image: "web:2" })).toEqual(expected);
  expect(await replacementBy(of, "roll-back", { revision: 1n })).toEqual(expected);
  expect(await replacementBy(of, "edit", editOf(of, "web:2"))).toEqual(expected);
});

test("a paused Deployment replaces pods when it is resumed, and is neither restarted nor rolled back; a CronJob replaces none", async () => {
  expect(await replacementBy(paused, "set-image", { container: "web", image: "web:2" })).toEqual(ON_RESUME);
  expect(await replacementBy(paused, "edit", editOf(paused, "web:2"))).toEqual(ON_RESUME);
  expect(await replacementBy(paused, "restart")).toBe("action/restart-paused");
  expect(await replacementBy(paused, "roll-back", { revision: 1n })).toBe("action/rollback-paused");
  expect(await replacementBy(["cronjobs", {}], "set-image", { container: "web", image: "web:2" })).toEqual([[], undefined]);
});

test("an edit that also resumes, pauses or changes the strategy replaces pods as the edited specification has it", async () => {
  expect(await replacementBy(paused, "edit", editOf(paused, "web:2", { paused: false }))).toEqual(NOW);
  expect(await replacementBy(["deployments", {}], "edit", editOf(["deployments", {}], "web:2", { paused: true }))).toEqual(ON_RESUME);
  expect(await replacementBy(["daemonsets", {}], "edit", editOf(["daemonsets", {}], "web:2", onDelete))).toEqual(ON_DELETE);
  expect(await replacementBy(["daemonsets", {}], "edit", editOf(["daemonsets", {}], "web:1", onDelete))).toEqual([[], undefined]);
});

test("resuming a Deployment says how many pods of earlier templates are replaced, as far as its controller has counted them", async () => {
  const resumed = async (name: "resume" | "edit", status: object, isPaused = true): Promise<unknown> => {
    const spec = { paused: isPaused };
    const { object } = workload("deployments", spec);
    const counted = { ...object, metadata: { ...object.metadata, generation: 4 }, status };
    const kind = namespacedKind({ group: "apps", version: "v1", kind: "Deployment", resource: "deployments" });
    const read = (): never => {
      throw new Error("nothing else is read");
    };
    const of = { kind, object: counted, client: { json: read, get: read }, signal: new AbortController().signal };
    const parameters = name === "edit" ? editOf(["deployments", spec], "web:1", { paused: false }) : {};
    const planned = await planAction(of, { name, parameters, requestedAtMs: 0, requestId: "", planned: "" });
    return "refused" in planned ? planned.refused.id : planned.notes;
  };
  const note = [words("action/resume-replaces", { count: 2 })];
  expect(await resumed("resume", { observedGeneration: 4, replicas: 3, updatedReplicas: 1 })).toEqual(note);
  expect(await resumed("edit", { observedGeneration: 4, replicas: 3, updatedReplicas: 1 })).toEqual(note);
  expect(await resumed("resume", { observedGeneration: 4, replicas: 3, updatedReplicas: 3 })).toEqual([]);
  expect(await resumed("resume", { observedGeneration: 3, replicas: 3 }), "the count is of an earlier specification").toEqual([]);
  expect(await resumed("resume", { observedGeneration: 4, replicas: 3 }, false), "it is not paused").toEqual([]);
});
