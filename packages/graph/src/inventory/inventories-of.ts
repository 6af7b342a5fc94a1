import {
  encodeKey,
  fieldsAt,
  groupOf,
  INVENTORY_LABEL,
  isFields,
  keyOf,
  listAt,
  parseInventoryId,
  textAt,
  type KubeObject,
  type ObjectKey,
} from "@binnacle/kube";

import type { KindAccessEntry } from "../graph-model.ts";
import { KindAccessTable } from "../kind-access.ts";
import type { ManagedBy } from "./managed-by.ts";
import { isLineOf, type ScopeNode } from "./scope-selector.ts";

/** One line of an inventory. */
export interface InventoryEntry {
  readonly inventory: ManagedBy;
  /** The object that holds the list. */
  readonly listedBy: ObjectKey;
  /** The object that is listed. */
  readonly target: ObjectKey;
}

/**
 * What an object lists, when it is an inventory: a ConfigMap or ResourceGroup of cli-utils, a Flux Kustomization or HelmRelease,
 * an Argo CD Application. The keys of a ConfigMap are enough, its values may have been dropped. Hooks of Argo CD are left out:
 * they come and go. Lines that cannot be read are left out too; each object is listed once. Never throws on odd shapes.
 */
export function inventoriesOf(object: KubeObject): readonly InventoryEntry[] {
  const listed = listedIn(object);
  // A list without an inventory id belongs to no inventory.
  if (listed === undefined || listed.inventory.name === "") return [];
  const listedBy = keyOf(object);
  const entries = new Map<string, InventoryEntry>();
  for (const target of listed.targets) {
    if (target === undefined || target.kind === "" || target.name === "") continue;
    entries.set(encodeKey(target), { inventory: listed.inventory, listedBy, target });
  }
  return [...entries.values()];
}

interface Listed {
  readonly inventory: ManagedBy;
  readonly targets: readonly (ObjectKey | undefined)[];
}

function listedIn(object: KubeObject): Listed | undefined {
  const id = textAt(fieldsAt(object.metadata, "labels"), INVENTORY_LABEL);
  const { name, namespace = "" } = object.metadata;
  switch (`${groupOf(object.apiVersion)}/${object.kind}`) {
    case "/ConfigMap":
      return { inventory: { tool: "cli-utils", name: id }, targets: Object.keys(fieldsAt(object, "data")).map(parseInventoryId) };
    case "kpt.dev/ResourceGroup":
      return { inventory: { tool: "cli-utils", name: id }, targets: listAt(object["spec"], "resources").map(fieldsKey) };
    case "kustomize.toolkit.fluxcd.io/Kustomization":
      return { inventory: { tool: "flux-kustomization", name: `${namespace}/${name}` }, targets: fluxTargets(object) };
    case "helm.toolkit.fluxcd.io/HelmRelease":
      return { inventory: { tool: "flux-helmrelease", name: `${namespace}/${name}` }, targets: fluxTargets(object) };
    case "argoproj.io/Application": {
      const resources = listAt(object["status"], "resources").filter((entry) => !(isFields(entry) && entry["hook"] === true));
      return { inventory: { tool: "argocd", name }, targets: resources.map(fieldsKey) };
    }
    default:
      return undefined;
  }
}

function fluxTargets(object: KubeObject): (ObjectKey | undefined)[] {
  return listAt(fieldsAt(object["status"], "inventory"), "entries").map((entry) => parseInventoryId(textAt(entry, "id")));
}

function fieldsKey(entry: unknown): ObjectKey {
  return { group: textAt(entry, "group"), kind: textAt(entry, "kind"), namespace: textAt(entry, "namespace"), name: textAt(entry, "name") };
}

/**
 * Lines of inventories whose object is not there although its kind is synced in its namespace; of other kinds this is unknown.
 *
 * @param nodes of a graph; ghosts do not count as there
 * @param access as given to `ResourceGraph.setKindAccess`
 * @param inventory only its lines; absent = those of all inventories
 * @returns sorted by target, then by who lists it
 */
export function missingEntriesOf(nodes: Iterable<ScopeNode>, access: Iterable<KindAccessEntry>, inventory?: ManagedBy): InventoryEntry[] {
  const table = new KindAccessTable();
  for (const entry of access) table.set(entry);
  const there = new Set<string>();
  const lines: InventoryEntry[] = [];
  for (const node of nodes) {
    if (node.presence !== "present") continue;
    there.add(encodeKey(node));
    if (node.object === undefined) continue;
    for (const line of inventoriesOf(node.object)) if (inventory === undefined || isLineOf(line, inventory)) lines.push(line);
  }
  const missing = lines.filter(({ target }) => !there.has(encodeKey(target)) && table.isComplete(target));
  return missing.sort((left, right) => (orderOf(left) < orderOf(right) ? -1 : 1));
}

function orderOf({ target, listedBy }: InventoryEntry): string {
  return `${encodeKey(target)} ${encodeKey(listedBy)}`;
}
