import { KubeClientError } from "@binnacle/environment-view";
import {
  fieldsAt,
  isFields,
  listAt,
  listPath,
  namespacedKind,
  objectPath,
  textAt,
  type KubeObject,
  type ResourceKind,
} from "@binnacle/kube";
import { matchesSelector, parseLabelMap } from "@binnacle/graph";
import { words, type Words } from "@binnacle/words";

import type { ActionField } from "../action-plans/action-plan.ts";
import type { ActionResource } from "./open-action.ts";

const SERVICES = namespacedKind({ group: "", version: "v1", kind: "Service", resource: "services" });
/** More than a namespace has in practice; what comes behind them is not read. */
const MAX_SERVICES = 500;
/** Owners that find their objects by a selector. */
const OWNERS: readonly ResourceKind[] = [
  namespacedKind({ group: "apps", version: "v1", kind: "Deployment", resource: "deployments" }),
  namespacedKind({ group: "apps", version: "v1", kind: "ReplicaSet", resource: "replicasets" }),
  namespacedKind({ group: "apps", version: "v1", kind: "StatefulSet", resource: "statefulsets" }),
  namespacedKind({ group: "apps", version: "v1", kind: "DaemonSet", resource: "daemonsets" }),
  namespacedKind({ group: "batch", version: "v1", kind: "Job", resource: "jobs" }),
];
const LABEL = /^metadata\.labels\[(.+)\]$/;

/** Which selectors stop selecting an object when labels of it change: of its controller, and of Services for a pod. */
export async function selectorNotes(resource: ActionResource, changes: readonly ActionField[]): Promise<readonly Words[]> {
  const changed = new Map(
    changes.flatMap(({ path, before, after }) => {
      const key = LABEL.exec(path)?.[1];
      return key === undefined || before === undefined || before === after ? [] : [[key, before] as const];
    }),
  );
  if (changed.size === 0 || !resource.kind.namespaced) return [];
  const notesOf = (kind: string, name: string, selector: Readonly<Record<string, unknown>>): readonly Words[] =>
    [...changed].flatMap(([key, before]) => (selector[key] === before ? [words("action/leaves-selector", { key, kind, name })] : []));
  try {
    const [owner, services] = await Promise.all([ownerOf(resource), servicesOf(resource)]);
    return [
      ...(owner === undefined ? [] : notesOf(textAt(owner, "kind"), owner.name, fieldsAt(fieldsAt(owner, "selector"), "matchLabels"))),
      ...services.flatMap((service) =>
        isSelecting(fieldsAt(fieldsAt(service, "spec"), "selector"), resource.object)
          ? notesOf("Service", textAt(fieldsAt(service, "metadata"), "name"), fieldsAt(fieldsAt(service, "spec"), "selector"))
          : [],
      ),
    ];
  } catch (error) {
    if (error instanceof KubeClientError) return [words("action/selectors-unknown", { why: error.words })];
    throw error;
  }
}

/** Kind, name and selector of the controller, where it has one. */
async function ownerOf({ access, object, ref, signal }: ActionResource) {
  const controller = listAt(object.metadata, "ownerReferences").find((owner) => isFields(owner) && owner["controller"] === true);
  const kind = OWNERS.find(
    (each) => each.kind === textAt(controller, "kind") && textAt(controller, "apiVersion") === `${each.group}/${each.version}`,
  );
  if (kind === undefined) return undefined;
  const name = textAt(controller, "name");
  const owner = await access.client.json({ path: objectPath(kind, { namespace: ref.namespace, name }) }, signal);
  return { kind: kind.kind, name, selector: fieldsAt(fieldsAt(owner, "spec"), "selector") };
}

async function servicesOf({ access, kind, ref, signal }: ActionResource): Promise<readonly unknown[]> {
  if (kind.group !== "" || kind.resource !== "pods") return [];
  return listAt(await access.client.json({ path: listPath(SERVICES, { namespace: ref.namespace, limit: MAX_SERVICES }) }, signal), "items");
}

function isSelecting(selector: unknown, { metadata: { labels = {} } }: KubeObject): boolean {
  const parsed = parseLabelMap(selector);
  return parsed !== undefined && matchesSelector(parsed, labels);
}
