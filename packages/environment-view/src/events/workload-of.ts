import type { EventTarget } from "@binnacle/graph";
import type { ObjectKey } from "@binnacle/kube";

import type { NamedObjects } from "../projection/named-objects.ts";

/** With letters of which the API server and controllers make names: none that spell words (k8s.io/apimachinery/pkg/util/rand). */
const GENERATED = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
const HASHED = /^(.+)-[bcdfghjklmnpqrstvwxz2456789]{6,10}$/;
const COUNTED = /^(.+)-\d{1,10}$/;

/** How controllers call what they make: of which kind its owner may be, and what the owner is called. */
const MAKERS: Readonly<Record<string, readonly (readonly [group: string, kind: string, name: RegExp])[]>> = {
  "/Pod": [
    ["apps", "ReplicaSet", GENERATED],
    ["apps", "DaemonSet", GENERATED],
    ["batch", "Job", GENERATED],
    ["apps", "StatefulSet", COUNTED],
  ],
  "apps/ReplicaSet": [["apps", "Deployment", HASHED]],
  "batch/Job": [["batch", "CronJob", COUNTED]],
};

/**
 * What an Event's object belongs to, of what a scope shows: the topmost of its owners. Of an object that is not there any more, what has its
 * name now, or what would have called it so.
 *
 * @returns `undefined` when nothing shown has to do with it
 */
export function workloadOf(about: EventTarget, objects: Pick<NamedObjects, "shownTopOf">): ObjectKey | undefined {
  const { key } = about;
  return objects.shownTopOf(about) ?? objects.shownTopOf({ key, uid: "" }) ?? makerOf(key, objects);
}

function makerOf(key: ObjectKey, objects: Pick<NamedObjects, "shownTopOf">): ObjectKey | undefined {
  for (const [group, kind, pattern] of MAKERS[`${key.group}/${key.kind}`] ?? []) {
    const name = pattern.exec(key.name)?.[1];
    if (name === undefined) continue;
    const maker = { group, kind, namespace: key.namespace, name };
    // A ReplicaSet that is gone as well has been made by somebody.
    const top = objects.shownTopOf({ key: maker, uid: "" }) ?? makerOf(maker, objects);
    if (top !== undefined) return top;
  }
  return undefined;
}
