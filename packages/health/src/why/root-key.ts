import { fieldsOf, listAt, textAt } from "@binnacle/kube";

import type { HealthRef } from "../health-result.ts";
import { maskCredentials } from "../mask-credentials.ts";
import type { Root, Subject } from "./root.ts";

/** What an object is called by, whether or not it is there. */
type Named = Pick<HealthRef, "group" | "kind" | "namespace" | "name">;

/** Says what is to blame, when that is not simply the object at the end of the chain. Without a key the root stays as it is. */
export function blaming(root: Root, key: string | undefined): Root {
  return key === undefined ? root : { ...root, key };
}

/** Key of an object: the same for everybody who blames it, whether it is there, unwell or missing. */
export function keyOfObject({ group, kind, namespace, name }: Named): string {
  return `object/${group}/${kind}/${namespace}/${name}`;
}

/** Key of an entry that a ConfigMap or Secret lacks; what another entry lacks is another fault. */
export function keyOfEntry(ref: Named, entry: string): string {
  return `${keyOfObject(ref)}#${entry}`;
}

/** Key of a node; `undefined` when nobody says which. */
export function keyOfNode(name: string): string | undefined {
  return name === "" ? undefined : keyOfObject({ group: "", kind: "Node", namespace: "", name });
}

/**
 * Key of an image; `undefined` when the spec names none.
 *
 * @param namespace where it is pulled with the wrong credentials: those are of a namespace; empty = it fails everywhere
 */
export function keyOfImage(image: string, namespace: string): string | undefined {
  return image === "" ? undefined : `image/${namespace}/${maskCredentials(image)}`;
}

/** Key of something that the API server, the scheduler or a controller names and that is no object of ours: a webhook, an API. */
export function keyOfService(what: "webhook" | "metrics-api" | "scheduler", name: string): string {
  return `${what}/${maskCredentials(name)}`;
}

/**
 * Key of an object that is to blame itself. Pods are alike: the fault of one is that of whatever makes them, so that two
 * ways down that end in different pods of one ReplicaSet end in the same place.
 */
export function keyOfSubject({ ref, input }: Subject): string {
  if (ref.kind !== "Pod" || ref.group !== "") return keyOfObject(ref);
  const owner = fieldsOf(listAt(input.metadata, "ownerReferences").find((entry) => fieldsOf(entry)["controller"] === true));
  const [apiVersion, kind, name] = [textAt(owner, "apiVersion"), textAt(owner, "kind"), textAt(owner, "name")];
  if (kind === "" || name === "") return keyOfObject(ref);
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return keyOfObject({ group, kind, namespace: ref.namespace, name });
}
