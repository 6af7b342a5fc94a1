import { groupOf, isFields, listAt, textAt, versionOf, type KubeObject } from "@binnacle/kube";

import { namespaceFor } from "../cluster-kinds.ts";
import { rowOf, type EdgeRow } from "../edge-catalogue.ts";
import { FieldPath } from "../field-path.ts";
import { uidToken, type NameTarget } from "../name-target.ts";
import { NO_DETAILS, type Reference, type ReferenceDetails } from "../reference.ts";

const PATH = FieldPath.of("metadata", "ownerReferences");
const CONTROLLER: ReferenceDetails = Object.freeze({ controller: true });
const OWNER = rowOf("owner");
const SLICE_OWNER: EdgeRow = { ...rowOf("slice-service"), class: "owner" };

/**
 * Owners by uid. An owner of the same name but another uid is another object: the child of its predecessor is an orphan.
 * The owner reference of an EndpointSlice to its Service is the same line as its label, so it gets the same kind.
 */
export function ownerReferences(object: KubeObject): Reference[] {
  const owners = listAt(object.metadata, "ownerReferences");
  const references: Reference[] = [];
  for (let index = 0; index < owners.length; index += 1) {
    const owner = owners[index];
    const uid = textAt(owner, "uid");
    const kind = textAt(owner, "kind");
    const name = textAt(owner, "name");
    if (uid === "" || kind === "" || name === "" || uid === object.metadata.uid) continue;
    const apiVersion = textAt(owner, "apiVersion");
    const group = groupOf(apiVersion);
    const key = { group, kind, namespace: namespaceFor(group, kind, object.metadata.namespace ?? ""), name };
    const target: NameTarget = { by: "uid", token: uidToken(uid), key, hasGhost: true, version: versionOf(apiVersion) };
    const row = object.kind === "EndpointSlice" && kind === "Service" && group === "" ? SLICE_OWNER : OWNER;
    const details = isFields(owner) && owner["controller"] === true ? CONTROLLER : NO_DETAILS;
    references.push({ row, fieldPath: PATH.at(index).text, optional: false, target, details });
  }
  return references;
}

/** Whether the object has a controller: then it was generated, and its labels are copies. */
export function isControlled(object: KubeObject): boolean {
  return listAt(object.metadata, "ownerReferences").some((owner) => isFields(owner) && owner["controller"] === true);
}
