import { groupOf, isFields, listAt, textAt, versionOf, type KubeObject } from "@binnacle/kube";

import { namespaceFor } from "../cluster-kinds.ts";
import { bareToken, uidToken, type Reference } from "../reference.ts";

/**
 * Owners by uid. An owner of the same name but another uid is another object: the child of its predecessor is an orphan.
 * The owner reference of an EndpointSlice to its Service is the same line as its label, so it gets the same kind.
 */
export function ownerReferences(object: KubeObject): Reference[] {
  const references: Reference[] = [];
  const namespace = object.metadata.namespace ?? "";
  for (const [index, entry] of listAt(object.metadata, "ownerReferences").entries()) {
    const uid = textAt(entry, "uid");
    const kind = textAt(entry, "kind");
    const name = textAt(entry, "name");
    if (uid === "" || kind === "" || name === "" || uid === object.metadata.uid) continue;
    const apiVersion = textAt(entry, "apiVersion");
    const group = groupOf(apiVersion);
    const ghost = { group, version: versionOf(apiVersion), kind, namespace: namespaceFor(group, kind, namespace), name };
    const isSlice = object.kind === "EndpointSlice" && kind === "Service" && group === "";
    const path = `metadata.ownerReferences[${index}]`;
    const target = { by: "name", tokens: [uidToken(uid), bareToken(ghost)], ghost } as const;
    const controller = isFields(entry) && entry["controller"] === true;
    references.push({ kind: isSlice ? "slice-service" : "owner", class: "owner", fieldPath: path, optional: false, controller, target });
  }
  return references;
}
