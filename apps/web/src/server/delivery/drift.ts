import { inventoryDrift, type DriftedObject, type ViewOwnership } from "@binnacle/environment-view";
import { encodeKey, type ObjectKey } from "@binnacle/kube";

import type { ReportedObject, ShownKept } from "../syncs/applied-objects.ts";

/** An object that is out of sync. */
interface ShownDrift extends DriftedObject {
  /** What the agent reports where the view does not show who owns the fields; empty otherwise. */
  readonly reason: string;
}

/** Which objects of one manifest project differ from what was applied. */
export interface ProjectDrift {
  readonly project: string;
  /** Nothing is compared: the agent's configuration says so. */
  readonly isIgnored: boolean;
  readonly objects: readonly ShownDrift[];
  readonly compared: number;
  readonly unknown: number;
  readonly kept: readonly (ShownKept & { readonly key: ObjectKey })[];
}

/** The drift of a project whose agent does not compare. */
export function ignoredDrift(project: string): ProjectDrift {
  return { project, isIgnored: true, objects: [], compared: 0, unknown: 0, kept: [] };
}

/**
 * The drift of a project: by the view where that shows who owns the fields of an object, and by the report of its agent elsewhere.
 *
 * @param view absent: there is no open view
 */
export function projectDrift(
  project: string,
  objects: readonly ReportedObject[],
  view: Pick<ViewOwnership, "of"> | undefined,
): ProjectDrift {
  const kept = objects.flatMap(({ key, keptFields }) => keptFields.map((each) => ({ ...each, key })));
  const isSeen = (object: ReportedObject): boolean => {
    const seen = view?.of(object.key).kind;
    return seen === "gone" || (seen === "present" && object.applied !== undefined);
  };
  const [seen, others] = [objects.filter(isSeen), objects.filter((object) => !isSeen(object))];
  const byView = view === undefined ? undefined : inventoryDrift(seen, view);
  const reported = others.flatMap(({ key, drift }): ShownDrift[] =>
    drift === undefined ? [] : [{ key, kind: "changed", fields: [], unnamed: 0, reason: drift }],
  );
  const shown = [...(byView?.drifted ?? []).map((each) => ({ ...each, reason: "" })), ...reported];
  return {
    project,
    isIgnored: false,
    objects: shown.toSorted((a, b) => (encodeKey(a.key) < encodeKey(b.key) ? -1 : 1)),
    compared: (byView?.compared ?? 0) + reported.length,
    unknown: (byView?.unknown ?? 0) + others.length - reported.length,
    kept,
  };
}
