import { fieldsAt, groupOf, textAt, type KubeObject, type ObjectKey } from "@binnacle/kube";

/** What an Event is about. */
export interface EventTarget {
  /** Kind and name are empty when the Event gives only the uid. */
  readonly key: ObjectKey;
  /** Empty when the Event does not say it, or says something that is none. */
  readonly uid: string;
}

/** Whether the object is an Event. Events are no nodes of a graph: they belong to what they are about. */
export function isEvent(object: KubeObject): boolean {
  if (object.kind !== "Event") return false;
  const group = groupOf(object.apiVersion);
  return group === "" || group === "events.k8s.io";
}

/**
 * The object that an Event is about (`regarding`, in the core group `involvedObject`).
 *
 * @returns `undefined` when it names none
 */
export function aboutOf(event: KubeObject): EventTarget | undefined {
  const regarding = fieldsAt(event, "regarding");
  const target = textAt(regarding, "kind") === "" ? fieldsAt(event, "involvedObject") : regarding;
  const [kind, name, uid] = [textAt(target, "kind"), textAt(target, "name"), textAt(target, "uid")];
  if (uid === "" && (kind === "" || name === "")) return undefined;
  const key = { group: groupOf(textAt(target, "apiVersion")), kind, namespace: textAt(target, "namespace"), name };
  // A kubelet gives the name of its Node as the uid.
  return { key, uid: kind === "Node" && uid === name ? "" : uid };
}
