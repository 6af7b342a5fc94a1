import { fieldsAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { refOf } from "../../health-ref.ts";
import { podReferencesOf } from "../pod-references.ts";
import type { PrecedingChange } from "../why.ts";
import { relatedNamed, type World } from "../world.ts";
import { changedBy } from "./managed-time.ts";

/** Changes of the ConfigMaps and Secrets that a pod spec takes something from. */
export function configChanges(podSpec: Fields, namespace: string, world: World): PrecedingChange[] {
  return podReferencesOf(podSpec).flatMap(({ kind, name }) => {
    if (kind !== "ConfigMap" && kind !== "Secret") return [];
    const object = relatedNamed({ group: "", kind, namespace, name }, world);
    if (object === undefined) return [];
    const { at, manager, created } = changedBy(fieldsAt(object, "metadata"));
    if (at === "") return [];
    const message = words(created ? "change/created" : "change/changed", { kind, name, manager });
    return [{ what: "config" as const, ref: refOf(object), at, message }];
  });
}
