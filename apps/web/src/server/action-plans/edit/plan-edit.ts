import { createHash } from "node:crypto";

import type { KubeObject } from "@binnacle/kube";
import { words } from "@binnacle/words";

import type { ActionPlan, PlannedAction, PlannedObject, PlannedRequest } from "../action-plan.ts";
import { jsonPatch, replacing, targetOf } from "../field-plans.ts";
import { resumeNotes } from "../pod-replacement.ts";
import { editableObject, hasMask, isSecret, withoutServerFields } from "./editable-object.ts";
import { applyEdits, diffObjects, isSame, pathOfEdit, valueAt, type EditRules, type FieldEdit } from "./object-edit.ts";
import { readDocument, type DocumentProblem, type ReadDocument } from "./read-document.ts";

const VERSION = "metadata.resourceVersion";
const WORKLOADS: ReadonlySet<string> = new Set(["apps/deployments", "apps/statefulsets", "apps/daemonsets"]);

/** What the viewer has changed in a document. */
export interface ReadEdits {
  readonly base: Readonly<Record<string, unknown>>;
  readonly edited: Readonly<Record<string, unknown>>;
  readonly edits: readonly FieldEdit[];
  readonly lineOf: ReadDocument["lineOf"];
}

/** Reads both documents and what is different between them. A field that no edit may change is a problem. */
export function readEdits(
  { kind, object }: Pick<PlannedObject, "kind" | "object">,
  documents: { readonly base: string; readonly edited: string },
): ReadEdits | { readonly problem: DocumentProblem } {
  const [base, edited] = [readDocument(documents.base), readDocument(documents.edited)];
  if ("problem" in base) return { problem: { line: 0, path: "", words: words("edit/base", { why: base.problem.words }) } };
  if ("problem" in edited) return edited;
  const kept = withoutServerFields(edited, { base: base.content, object });
  if ("problem" in kept) return kept;
  if (!isSame(valueAt(base.content, ["metadata", "uid"]), object.metadata.uid))
    return { problem: { line: 0, path: "metadata.uid", words: words("action/replaced") } };
  const edits = diffObjects(base.content, kept.content);
  const masked = isSecret(kind.resource, object) ? edits.find(({ after }) => hasMask(after)) : undefined;
  if (masked !== undefined) {
    const line = edited.lineOf(masked.steps.map((step) => (typeof step === "string" ? step : step.name)));
    return { problem: { line, path: pathOfEdit(masked), words: words("edit/mask") } };
  }
  return { base: base.content, edited: kept.content, edits, lineOf: edited.lineOf };
}

/** A masked value of a Secret counts as the one that it stands for. */
export function maskRules({ kind, object }: Pick<PlannedObject, "kind" | "object">): EditRules {
  if (!isSecret(kind.resource, object)) return {};
  const masked = editableObject(object, { isMasked: true });
  return {
    hasBefore: (edit, present) => {
      if (isSame(edit.before, present)) return true;
      const keys = edit.steps.flatMap((step) => (typeof step === "string" ? [step] : []));
      return keys.length === edit.steps.length && hasMask(edit.before) && isSame(edit.before, valueAt(masked, keys));
    },
  };
}

/**
 * Writes what the viewer has changed in the document of the object. Fields that the document does not show, and masked values, are not in the
 * difference, so they are neither sent nor overwritten. An object whose document is another one by now is a conflict; a change of the status is none.
 */
export function planEdit(of: PlannedObject, { parameters }: PlannedRequest): PlannedAction {
  const { kind, object } = of;
  const { base = "", edited = "", resourceVersion = "" } = parameters;
  const read = readEdits(of, { base, edited });
  if ("problem" in read) return { refused: read.problem.words, problem: read.problem };
  const { edits, lineOf } = read;
  const presentVersion = object.metadata.resourceVersion ?? "";
  if (resourceVersion === "" || presentVersion === "") return { refused: words("edit/no-version") };
  const { patch, collisions } = applyEdits(editableObject(object, { isMasked: false }), edits, maskRules(of));
  const isShown = presentVersion === resourceVersion;
  if (isShown && collisions.length > 0) return { refused: words("edit/other-base") };
  const isDone = patch.length === 0 && collisions.length === 0;
  const after = hashOf(edits);
  const isUnchanged = collisions.length === 0 && (isShown || isSameDocument(read, object));
  // The version that was shown stands for the document: a version that differs in the status alone has the same.
  const version = isUnchanged ? resourceVersion : presentVersion;
  const ofSecret = isSecret(kind.resource, object);
  const touchesMask = ofSecret && edits.some(({ before }) => hasMask(before));
  return {
    field: { path: VERSION, before: isDone ? after : version, after },
    target: { ...targetOf(kind, object), resourceVersion: presentVersion },
    // Answers of the API server quote the patch, which must not show a masked value; the version of the object is a precondition anyway.
    change: jsonPatch(ofSecret ? patch.filter(({ op }) => op !== "test") : patch),
    ...replacementOf(kind, object, read),
    edit: { edits, lineOf },
    // The value before is not known where it was masked.
    ...(edits.length > 0 && !touchesMask && { undo: { name: "edit", parameters: { base: edited, edited: base, resourceVersion } } }),
  };
}

/** Whether the object still has the document that the viewer began with. One with masked values is never the same. */
function isSameDocument({ base }: Pick<ReadEdits, "base">, object: KubeObject): boolean {
  return isSame(base, editableObject(object, { isMasked: false }));
}

/** An edit can also change when pods are replaced, so the edited specification decides. */
function replacementOf(
  kind: PlannedObject["kind"],
  object: KubeObject,
  { edits, edited }: Pick<ReadEdits, "edits" | "edited">,
): Pick<ActionPlan, "notes" | "replacement"> {
  if (!WORKLOADS.has(`${kind.group}/${kind.resource}`)) return { notes: [] };
  const hasEdit = (field: string): boolean => edits.some(({ steps: [first, second] }) => first === "spec" && second === field);
  if (hasEdit("template")) return replacing(kind, { ...object, spec: edited["spec"] });
  const isResumed = hasEdit("paused") && valueAt(object, ["spec", "paused"]) === true && valueAt(edited, ["spec", "paused"]) !== true;
  return { notes: isResumed ? resumeNotes(object) : [] };
}

/** Stands for the edits in the preview and the request; it tells nothing of a value. */
function hashOf(edits: readonly FieldEdit[]): string {
  const parts = edits.map(({ steps, before, after, place }) => ({ steps, before, after, place }));
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}
