import { fieldsAt, fieldsOf, isFields, listAt, objectPath, OWNING_INVENTORY, parseStatus, textAt, type KubeObject } from "@binnacle/kube";

import { isOk, reasonOf, type ApiAnswer, type ClusterApi } from "../cluster/cluster-api.ts";
import { whyForeign } from "../inventory/ownership.ts";
import { fieldLine } from "../manifests/field-line.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { resultOf, type ObjectResult } from "./object-result.ts";
import type { InventoryPolicy } from "./sync-options.ts";

/** Field manager, the one of Go's agentk: what it has applied is taken over without a conflict. */
const FIELD_MANAGER = "agentk";

/** Conflicts that are told. */
const MAX_CONFLICTS = 5;

/** What objects are applied with. */
export interface Applying {
  readonly api: ClusterApi;
  readonly inventoryId: string;
  readonly policy: InventoryPolicy;
  /** The API server checks everything and keeps nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/**
 * Applies one object by server-side apply. Fields that belong to other managers are not taken from them: that is a failure that names them.
 *
 * @throws Fault when the API server does not answer, so that it is not known what became of the object
 */
export async function applyObject(manifest: PlacedManifest, by: Applying): Promise<ObjectResult> {
  const { api, signal } = by;
  const path = objectPath(manifest.kind, manifest.object.metadata);
  const before = await api.call({ method: "GET", target: path, signal });
  if (before.statusCode !== 404 && !isOk(before)) return refused(manifest, before);
  const foreign = before.statusCode === 404 ? undefined : whyForeign(before.value, by.inventoryId, by.policy);
  if (foreign !== undefined) return resultOf(manifest, "failed", { reason: foreign });
  const answer = await api.call({
    method: "PATCH",
    target: `${path}?fieldManager=${FIELD_MANAGER}&force=false${by.dryRun ? "&dryRun=All" : ""}`,
    body: owned(manifest.object, by.inventoryId),
    // JSON is YAML.
    contentType: "application/apply-patch+yaml",
    signal,
  });
  if (!isOk(answer)) return refused(manifest, answer);
  return resultOf(manifest, isSame(before, answer, by.dryRun) ? "unchanged" : "applied");
}

/** A dry run gives no new versions, so there the content decides; the API server writes fields in one order. */
function isSame(before: ApiAnswer, after: ApiAnswer, dryRun: boolean): boolean {
  if (before.statusCode === 404) return false;
  return dryRun ? contentOf(before.value) === contentOf(after.value) : versionOf(before.value) === versionOf(after.value);
}

function contentOf(object: unknown): string {
  const { managedFields: _bookkeeping, generation: _count, ...metadata } = fieldsAt(object, "metadata");
  return JSON.stringify({ ...fieldsOf(object), metadata });
}

function versionOf(object: unknown): string {
  return textAt(fieldsAt(object, "metadata"), "resourceVersion");
}

function owned(object: KubeObject, inventoryId: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [OWNING_INVENTORY]: inventoryId };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** The API server's reason and the line of the field that it names. What it says of a Secret may hold a value, so only its word and the field are told. */
function refused(manifest: PlacedManifest, answer: ApiAnswer): ObjectResult {
  const status = parseStatus(answer.value);
  const causes = listAt(status?.details, "causes").filter(isFields);
  const field = causes.map((cause) => textAt(cause, "field")).find((named) => named !== "") ?? "";
  const conflicts = causes.filter((cause) => textAt(cause, "reason") === "FieldManagerConflict");
  let reason = reasonOf(answer);
  if (conflicts.length > 0) reason = conflictReason(conflicts);
  else if (manifest.key.kind === "Secret") reason = `the API server refused it: ${[status?.reason, field].filter(Boolean).join(", ")}`;
  return resultOf(manifest, "failed", { reason, line: field === "" ? manifest.line : fieldLine(manifest, field) });
}

function conflictReason(conflicts: readonly unknown[]): string {
  const told = conflicts.slice(0, MAX_CONFLICTS).map((cause) => `${textAt(cause, "field")} (${textAt(cause, "message")})`);
  const more = conflicts.length > MAX_CONFLICTS ? ` and ${conflicts.length - MAX_CONFLICTS} more` : "";
  return `other managers own fields of the manifest: ${told.join(", ")}${more}`;
}
