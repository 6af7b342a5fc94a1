import type { ApiObject } from "../api-object.ts";
import { isTree, listAt, textAt, treeAt, valueAt } from "../json-tree.ts";
import type { PrinterColumn, ResourceDefinition, ScalePaths, SubresourceDefinition } from "../resource-definition.ts";
import type { Cluster } from "./cluster.ts";
import { itself, type Controller } from "./controller-loop.ts";
import { withCondition } from "./pod-state.ts";

const STORAGE = "apiextensions.k8s.io/customresourcedefinitions";
const CLEANUP = "customresourcecleanup.apiextensions.k8s.io";
const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/**
 * Serves CustomResourceDefinitions: their resources are there in the very moment the definition is stored, the conditions
 * follow; a deleted definition takes its objects with it.
 */
export function customResourceController(cluster: Cluster): Controller & { stop(): void } {
  const unsubscribe = cluster.writer.store.subscribe(({ type, storage, object }) => {
    if (storage !== STORAGE) return;
    const table = tableOf(object);
    const taken = cluster.writer.registry.findStorage(table)?.custom === false;
    if (!taken) cluster.writer.registry.setCustom(table, type === "DELETED" ? [] : definitionsOf(object));
  });
  return {
    name: "customresource-controller",
    stop: unsubscribe,
    watches: new Proxy<Controller["watches"]>(
      {},
      {
        get: (_, storage) =>
          storage === STORAGE
            ? itself
            : ({ type, object }: { type: string; object: ApiObject }) => (type === "DELETED" ? dyingDefinitions(cluster, object) : []),
      },
    ),
    reconcile({ name }) {
      const crd = cluster.get(STORAGE, undefined, name);
      if (!crd) return undefined;
      if (crd.metadata.deletionTimestamp !== undefined) removeObjects(cluster, crd);
      else establish(cluster, crd);
      return undefined;
    },
  };
}

function tableOf(crd: ApiObject): string {
  return `${textAt(crd, "spec", "group") ?? ""}/${textAt(crd, "spec", "names", "plural") ?? ""}`;
}

function dyingDefinitions(cluster: Cluster, object: ApiObject): { namespace: undefined; name: string }[] {
  const group = object.apiVersion.split("/")[0];
  return cluster
    .list(STORAGE)
    .filter(
      (crd) =>
        crd.metadata.deletionTimestamp !== undefined &&
        textAt(crd, "spec", "group") === group &&
        textAt(crd, "spec", "names", "kind") === object.kind,
    )
    .map((crd) => ({ namespace: undefined, name: crd.metadata.name }));
}

function establish(cluster: Cluster, crd: ApiObject): void {
  if (!crd.metadata.finalizers?.includes(CLEANUP)) {
    cluster.update(STORAGE, { ...crd, metadata: { ...crd.metadata, finalizers: [...(crd.metadata.finalizers ?? []), CLEANUP] } });
    return;
  }
  const now = cluster.timestamp();
  let conditions = [...listAt(crd, "status", "conditions")];
  conditions = withCondition(
    conditions,
    { type: "NamesAccepted", status: "True", reason: "NoConflicts", message: "no conflicts found" },
    now,
  );
  conditions = withCondition(
    conditions,
    { type: "Established", status: "True", reason: "InitialNamesAccepted", message: "the initial names have been accepted" },
    now,
  );
  const names = treeAt(crd, "spec", "names");
  const kind = textAt(names, "kind") ?? "";
  const storage = listAt(crd, "spec", "versions").find((version) => valueAt(version, "storage") === true);
  const stored = listAt(crd, "status", "storedVersions");
  const current = textAt(storage, "name");
  cluster.updateStatus(STORAGE, crd, {
    conditions,
    acceptedNames: {
      ...names,
      listKind: textAt(names, "listKind") ?? `${kind}List`,
      singular: textAt(names, "singular") ?? kind.toLowerCase(),
    },
    storedVersions: stored.includes(current) ? stored : [...stored, current],
  });
}

function removeObjects(cluster: Cluster, crd: ApiObject): void {
  const table = tableOf(crd);
  for (const object of cluster.list(table))
    if (object.metadata.deletionTimestamp === undefined) cluster.delete(table, object, { propagation: "Background" });
  if (cluster.list(table).length > 0 || !crd.metadata.finalizers?.includes(CLEANUP)) return;
  cluster.update(STORAGE, { ...crd, metadata: { ...crd.metadata, finalizers: crd.metadata.finalizers.filter((one) => one !== CLEANUP) } });
}

/** What a CustomResourceDefinition makes this server serve: one definition per served version, the preferred first. */
function definitionsOf(crd: ApiObject): ResourceDefinition[] {
  const spec = treeAt(crd, "spec");
  const names = treeAt(spec, "names");
  const group = textAt(spec, "group") ?? "";
  const kind = textAt(names, "kind") ?? "";
  const plural = textAt(names, "plural") ?? "";
  const texts = (field: string): string[] => listAt(names, field).filter((one): one is string => typeof one === "string");
  const versions = listAt(spec, "versions").filter((version) => valueAt(version, "served") === true);
  const stored = listAt(spec, "versions").find((version) => valueAt(version, "storage") === true);
  return versions.map((version) => {
    const name = textAt(version, "name") ?? "";
    const schema = valueAt(version, "schema", "openAPIV3Schema");
    const scale = scaleOf(valueAt(version, "subresources", "scale"));
    const own: SubresourceDefinition[] = [];
    const verbs = ["get", "patch", "update"];
    if (isTree(valueAt(version, "subresources", "status"))) own.push({ name: "status", group, version: name, kind, verbs });
    if (scale) own.push({ name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs });
    return {
      group,
      version: name,
      plural,
      singular: textAt(names, "singular") ?? kind.toLowerCase(),
      kind,
      listKind: textAt(names, "listKind") ?? `${kind}List`,
      namespaced: textAt(spec, "scope") === "Namespaced",
      shortNames: texts("shortNames"),
      categories: texts("categories"),
      verbs: VERBS,
      subresources: own,
      storage: `${group}/${plural}`,
      storageVersion: textAt(stored, "name") ?? name,
      ...(isTree(schema) ? { schema } : {}),
      custom: true,
      printerColumns: listAt(version, "additionalPrinterColumns").flatMap(columnOf),
      ...(scale ? { scale } : {}),
    };
  });
}

function scaleOf(value: unknown): ScalePaths | undefined {
  const specReplicasPath = textAt(value, "specReplicasPath");
  const statusReplicasPath = textAt(value, "statusReplicasPath");
  const labelSelectorPath = textAt(value, "labelSelectorPath");
  if (specReplicasPath === undefined || statusReplicasPath === undefined) return undefined;
  return { specReplicasPath, statusReplicasPath, ...(labelSelectorPath === undefined ? {} : { labelSelectorPath }) };
}

function columnOf(value: unknown): PrinterColumn[] {
  const name = textAt(value, "name");
  const type = textAt(value, "type");
  const jsonPath = textAt(value, "jsonPath");
  const priority = valueAt(value, "priority");
  if (name === undefined || type === undefined || jsonPath === undefined) return [];
  return [{ name, type, jsonPath, ...(typeof priority === "number" ? { priority } : {}) }];
}
