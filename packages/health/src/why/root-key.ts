import { fieldsOf, listAt, textAt } from "@binnacle/kube";

import type { HealthRef } from "../health-result.ts";
import { maskCredentials } from "../mask-credentials.ts";
import type { Root, Subject } from "./root.ts";
import type { Explanation } from "./explanation.ts";

/** What an object is called by, whether or not it is there. */
type Named = Pick<HealthRef, "group" | "kind" | "namespace" | "name">;

/** Says what is to blame, when that is not simply the object at the end of the chain. Without a key the root stays as it is. */
export function blaming(root: Root, key: string | undefined): Root {
  return key === undefined ? root : { ...root, key };
}

/** Cause of an object that does not exist. */
export const MISSING = "missing";

/** Rows of one cause that differ only in what is known of it, or in how long it has lasted. */
const SAME_CAUSE: ReadonlyMap<string, string> = new Map([
  ["start/stuck", "start/starting"],
  ["rollout/stuck", "rollout/progress"],
  ["lifecycle/overdue", "lifecycle/terminating"],
  ["lifecycle/overdue-pod", "lifecycle/terminating"],
  ["autoscaling/silent", "autoscaling/waiting"],
  ["node/lost", "node/not-ready"],
]);

/** What an object is called in a key. */
export function nameOfObject({ group, kind, namespace, name }: Named): string {
  return `object/${group}/${kind}/${namespace}/${name}`;
}

/** Key of a cause at an object: two causes at one object are two keys, because each is fixed by itself. */
export function keyOfObject(ref: Named, cause: string): string {
  return `${nameOfObject(ref)}#${cause}`;
}

/** Key of an entry that a ConfigMap or Secret lacks. */
export function keyOfEntry(ref: Named, entry: string): string {
  return keyOfObject(ref, `entry/${entry}`);
}

/** Key of a cause at a node, the same in every namespace; `undefined` when the name of the node is not known. */
export function keyOfNode(name: string, cause: string): string | undefined {
  return name === "" ? undefined : keyOfObject({ group: "", kind: "Node", namespace: "", name }, cause);
}

const NODE_KEY = /^object\/\/Node\/\/([^#]+)#/;

/** Name of the node that a key blames; `undefined` when it blames something else. */
export function nodeOfKey(key: string): string | undefined {
  return NODE_KEY.exec(key)?.[1];
}

/** Cause of a root reason: its row. */
export function causeOf({ id }: Pick<Explanation, "id">): string {
  return SAME_CAUSE.get(id) ?? id;
}

/**
 * Key of an image; `undefined` when the spec names none.
 *
 * @param namespace where it is pulled with the wrong credentials: those are of a namespace; empty = it fails everywhere
 */
export function keyOfImage(image: string, namespace: string, cause: string): string | undefined {
  return image === "" ? undefined : `image/${namespace}/${maskCredentials(image)}#${cause}`;
}

/** Key of objects of one namespace that are in each other's way, by their names in order. */
export function keyOfRivals(namespace: string, names: readonly string[]): string {
  return `rivals/${namespace}/${names.join(",")}`;
}

/** Key of something that the API server, the scheduler or a controller names and that is no object of ours: a webhook, an API. */
export function keyOfService(what: "webhook" | "metrics-api" | "scheduler", name: string): string {
  return `${what}/${maskCredentials(name)}`;
}

/**
 * Key of a root that names nothing else to blame: its object and cause. Pods with the same owner and cause share a key, so that two
 * chains that end in different pods of one ReplicaSet are one issue.
 */
export function keyOfSubject({ ref, input }: Subject, { explanation, links }: Pick<Root, "explanation" | "links">): string {
  const container = links.at(-1)?.container ?? "";
  const cause = container === "" ? causeOf(explanation) : `${causeOf(explanation)}/${container}`;
  if (ref.kind !== "Pod" || ref.group !== "") return keyOfObject(ref, cause);
  const owner = fieldsOf(listAt(input.metadata, "ownerReferences").find((entry) => fieldsOf(entry)["controller"] === true));
  const [apiVersion, kind, name] = [textAt(owner, "apiVersion"), textAt(owner, "kind"), textAt(owner, "name")];
  if (kind === "" || name === "") return keyOfObject(ref, cause);
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return keyOfObject({ group, kind, namespace: ref.namespace, name }, cause);
}
