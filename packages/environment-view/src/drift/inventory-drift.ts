import { driftOf, shownPath, type AppliedFields, type ObjectKey } from "@binnacle/kube";

import type { ViewOwnership } from "./view-ownership.ts";

/** An object that the last sync of an inventory applied, as its agent reports it. */
export interface AppliedObject {
  readonly key: ObjectKey;
  /** Absent: the agent does not report it. */
  readonly applied?: AppliedFields | undefined;
  /** Fields that agentk leaves as others have written them: "spec.replicas". They are no drift. */
  readonly kept: readonly string[];
}

/** A field that others have taken from agentk. */
export interface DriftedField {
  /** "spec.template.spec.containers[web].image". */
  readonly field: string;
  readonly manager: string;
  /** When that manager wrote last, in milliseconds since the epoch. */
  readonly atMs?: number;
}

/** An object that is out of sync. */
export interface DriftedObject {
  readonly key: ObjectKey;
  readonly kind: "changed" | "gone";
  readonly fields: readonly DriftedField[];
  /** Further fields that agentk has lost: they were removed, or their owner is unknown. */
  readonly unnamed: number;
}

/** How the objects of an inventory stand in a view. */
export interface InventoryDrift {
  readonly drifted: readonly DriftedObject[];
  /** Objects of which it is known. */
  readonly compared: number;
  /** Objects of which it is not: not shown, not reported, or applied again since the report. */
  readonly unknown: number;
}

/** Which objects of an inventory are out of sync: those that are gone, and those of which agentk has lost fields since its last apply. */
export function inventoryDrift(objects: readonly AppliedObject[], view: Pick<ViewOwnership, "of">): InventoryDrift {
  const drifted: DriftedObject[] = [];
  let [compared, unknown] = [0, 0];
  for (const { key, applied, kept } of objects) {
    const seen = view.of(key);
    if (seen.kind === "gone") drifted.push({ key, kind: "gone", fields: [], unnamed: 0 });
    const drift = seen.kind === "present" && applied !== undefined ? driftOf(applied, seen.ownership, seen.isAutoscaled) : undefined;
    if (seen.kind !== "gone" && (drift === undefined || drift.kind === "pending")) {
      unknown += 1;
      continue;
    }
    compared += 1;
    if (drift?.kind !== "changed") continue;
    const fields = drift.taken
      .map(({ path, manager, atMs }) => ({ field: shownPath(path), manager, ...(atMs !== undefined && { atMs }) }))
      .filter(({ field }) => !kept.includes(field));
    if (fields.length + drift.unnamed > 0) drifted.push({ key, kind: "changed", fields, unnamed: drift.unnamed });
  }
  return { drifted, compared, unknown };
}
