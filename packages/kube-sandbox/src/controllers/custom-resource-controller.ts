import type { ApiObject } from "../api-object.ts";
import { isTree, listIn, textIn, treeIn, valueIn } from "../json-tree.ts";
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
  return `${textIn(crd, "spec", "group") ?? ""}/${textIn(crd, "spec", "names", "plural") ?? ""}`;
}

function dyingDefinitions(cluster: Cluster, object: ApiObject): { namespace: undefined; name: string }[] {
  const group = object.apiVersion.split("/")[0];
  return cluster
    .list(STORAGE)
    .filter(
      (crd) =>
        crd.metadata.deletionTimestamp !== undefined &&
        textIn(crd, "spec", "group") === group &&
        textIn(crd, "spec", "names", "kind") === object.kind,
    )
    .map((crd) => ({ namespace: undefined, name: crd.metadata.name }));
}

function establish(cluster: Cluster, crd: ApiObject): void {
  if (!crd.metadata.finalizers?.includes(CLEANUP)) {
    cluster.update(STORAGE, { ...crd, metadata: { ...crd.metadata, finalizers: [...(crd.metadata.finalizers ?? []), CLEANUP] } });
    return;
  }
  const now = cluster.timestamp();
  let conditions = [...listIn(crd, "status", "conditions")];
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
  const names = treeIn(crd, "spec", "names");
  const kind = textIn(names, "kind") ?? "";
  const storage = listIn(crd, "spec", "versions").find((version) => valueIn(version, "storage") === true);
  const stored = listIn(crd, "status", "storedVersions");
  const current = textIn(storage, "name");
  cluster.updateStatus(STORAGE, crd, {
    conditions,
    acceptedNames: {
      ...names,
      listKind: textIn(names, "listKind") ?? `${kind}List`,
      singular: textIn(names, "singular") ?? kind.toLowerCase(),
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
  const spec = treeIn(crd, "spec");
  const names = treeIn(spec, "names");
  const group = textIn(spec, "group") ?? "";
  const kind = textIn(names, "kind") ?? "";
  const plural = textIn(names, "plural") ?? "";
  const texts = (field: string): string[] => listIn(names, field).filter((one): one is string => typeof one === "string");
  const versions = listIn(spec, "versions").filter((version) => valueIn(version, "served") === true);
  const stored = listIn(spec, "versions").find((version) => valueIn(version, "storage") === true);
  return versions.map((version) => {
    const name = textIn(version, "name") ?? "";
    const schema = valueIn(version, "schema", "openAPIV3Schema");
    const scale = scaleOf(valueIn(version, "subresources", "scale"));
    const own: SubresourceDefinition[] = [];
    const verbs = ["get", "patch", "update"];
    if (isTree(valueIn(version, "subresources", "status"))) own.push({ name: "status", group, version: name, kind, verbs });
    if (scale) own.push({ name: "scale", group: "autoscaling", version: "v1", kind: "Scale", verbs });
    return {
      group,
      version: name,
      plural,
      singular: textIn(names, "singular") ?? kind.toLowerCase(),
      kind,
      listKind: textIn(names, "listKind") ?? `${kind}List`,
      namespaced: textIn(spec, "scope") === "Namespaced",
      shortNames: texts("shortNames"),
      categories: texts("categories"),
      verbs: VERBS,
      subresources: own,
      storage: `${group}/${plural}`,
      storageVersion: textIn(stored, "name") ?? name,
      ...(isTree(schema) ? { schema } : {}),
      custom: true,
      printerColumns: listIn(version, "additionalPrinterColumns").flatMap(columnOf),
      ...(scale ? { scale } : {}),
    };
  });
}

function scaleOf(value: unknown): ScalePaths | undefined {
  const specReplicasPath = textIn(value, "specReplicasPath");
  const statusReplicasPath = textIn(value, "statusReplicasPath");
  const labelSelectorPath = textIn(value, "labelSelectorPath");
  if (specReplicasPath === undefined || statusReplicasPath === undefined) return undefined;
  return { specReplicasPath, statusReplicasPath, ...(labelSelectorPath === undefined ? {} : { labelSelectorPath }) };
}

function columnOf(value: unknown): PrinterColumn[] {
  const name = textIn(value, "name");
  const type = textIn(value, "type");
  const jsonPath = textIn(value, "jsonPath");
  const priority = valueIn(value, "priority");
  if (name === undefined || type === undefined || jsonPath === undefined) return [];
  return [{ name, type, jsonPath, ...(typeof priority === "number" ? { priority } : {}) }];
}
