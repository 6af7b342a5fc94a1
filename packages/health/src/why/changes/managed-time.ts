import { listAt, textAt, type Fields } from "@binnacle/kube";

import { timeOf } from "../../age.ts";

/** Subresources whose changes are reported by other means: status of controllers, and scaling. */
const ELSEWHERE = new Set(["status", "scale"]);

/** When, and by whom, an object was last changed apart from its status. */
export interface ManagedChange {
  /** As written; empty when it is not known. */
  readonly at: string;
  /** Name of the field manager, for example "kubectl-edit"; empty when it is not known. */
  readonly manager: string;
  /** Whether that was its creation. */
  readonly created: boolean;
}

/** When an object was last changed apart from its status and its scale, as written; `undefined` when nothing says so. */
export function specChangedAt(metadata: Fields): string | undefined {
  const { at } = changedBy(metadata);
  return at === "" ? undefined : at;
}

/**
 * The latest `metadata.managedFields[].time` of an entry that is about neither status nor scale; else the creation. Times are compared as
 * times, so that their form does not matter.
 *
 * @see Kubernetes reference, "Server-Side Apply", managed fields
 */
export function changedBy(metadata: Fields): ManagedChange {
  const created = textAt(metadata, "creationTimestamp");
  let latest = { at: created, manager: "" };
  for (const entry of listAt(metadata, "managedFields")) {
    if (ELSEWHERE.has(textAt(entry, "subresource"))) continue;
    const [at, manager] = [textAt(entry, "time"), textAt(entry, "manager")];
    if (Number.isNaN(timeOf(at))) continue;
    const later = Number.isNaN(timeOf(latest.at)) || timeOf(at) > timeOf(latest.at);
    if (later || (at === latest.at && (latest.manager === "" || manager < latest.manager))) latest = { at, manager };
  }
  return { ...latest, created: latest.at === created };
}
