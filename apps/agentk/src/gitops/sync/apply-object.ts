import {
  fieldsAt,
  fieldsOf,
  GITOPS_FIELD_MANAGER,
  isFields,
  listAt,
  objectPath,
  OWNING_INVENTORY,
  parseStatus,
  textAt,
  type Fields,
  type KubeObject,
  formatInventoryId,
} from "@binnacle/kube";
import { fieldLine } from "@binnacle/manifests";

import { isOk, reasonOf, type ApiAnswer, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import { isOwned, ownerOf, whyForeign, type InventoryIds } from "../inventory/ownership.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import type { Inventory } from "../inventory/inventory.ts";
import type { InventoryStore } from "../inventory/inventory-store.ts";
import { digestAfter, leaveOut, type KeptNames } from "./left-fields.ts";
import type { OwnWrites } from "./own-writes.ts";
import { resultOf, type ObjectResult } from "./object-result.ts";
import type { InventoryPolicy } from "./sync-options.ts";

/** Conflicts that are named. */
const MAX_CONFLICTS = 5;

/** What objects are applied with. */
export interface Applying {
  readonly api: ClusterApi;
  readonly inventory: InventoryIds;
  readonly policy: InventoryPolicy;
  /** Fields that belong to other managers are taken from them. */
  readonly force: boolean;
  /** The API server checks everything and keeps nothing. */
  readonly dryRun: boolean;
  readonly ownWrites: OwnWrites;
  /** Fields that stay as others have written them. */
  readonly kept: KeptNames;
  readonly signal: AbortSignal;
}

/**
 * Applies one object by server-side apply. Fields that belong to other managers are not taken from them, unless `force` says so: the object is
 * left as it is then (`drifted`), and the reason names them.
 *
 * @throws Fault when the API server does not answer, so that it is not known what became of the object
 */
export async function applyObject(manifest: PlacedManifest, by: Applying): Promise<ObjectResult> {
  const tried = await tryObject(manifest, by);
  if ("outcome" in tried) return tried.outcome === "drifted" ? withDigest(tried, manifest, by) : tried;
  const appliedDigest = by.dryRun ? undefined : digestAfter(tried.after);
  return resultOf(manifest, isSame(tried, by.dryRun) ? "unchanged" : "applied", { appliedDigest });
}

/** A conflict, with what an apply that wins would give to agentk: by that the fields that it has lost are found. */
async function withDigest(conflict: ObjectResult, manifest: PlacedManifest, by: Applying): Promise<ObjectResult> {
  const wanted = await tryObject(manifest, { ...by, force: true, dryRun: true });
  if ("outcome" in wanted || !isOwned(wanted.before, by.inventory)) return conflict;
  const appliedDigest = digestAfter(wanted.after, wanted.before);
  return appliedDigest === undefined ? conflict : { ...conflict, appliedDigest };
}

/** An object as it was found, and as it is after its manifest was applied. */
export interface TriedObject {
  /** Undefined where there was none. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Like `applyObject`. @returns the object, or why it was refused */
export async function tryObject(manifest: PlacedManifest, by: Applying): Promise<TriedObject | ObjectResult> {
  const { api, inventory, ownWrites, signal } = by;
  const path = objectPath(manifest.kind, manifest.object.metadata);
  const before = await api.call({ method: "GET", target: path, signal });
  if (before.statusCode !== 404 && !isOk(before)) return refused(manifest, before);
  const found = before.statusCode === 404 ? undefined : before.value;
  const foreign = found === undefined ? undefined : whyForeign(found, inventory, by.policy);
  if (foreign !== undefined) return resultOf(manifest, "failed", { reason: foreign });
  if (found !== undefined) ownWrites.found(manifest.key, found);
  if (!by.dryRun) ownWrites.begun(manifest.key);
  // What only looks does not take a former id for drift.
  const isFormer = inventory.formerId !== "" && ownerOf(found) === inventory.formerId;
  const id = by.dryRun && isFormer ? inventory.formerId : inventory.id;
  const answer = await api.call({
    method: "PATCH",
    target: `${path}?fieldManager=${GITOPS_FIELD_MANAGER}&force=${by.force}${by.dryRun ? "&dryRun=All" : ""}`,
    body: owned(leaveOut(manifest, found, by), id),
    // JSON is YAML.
    contentType: "application/apply-patch+yaml",
    signal,
  });
  if (!isOk(answer)) return refused(manifest, answer);
  if (!by.dryRun) ownWrites.applied(manifest.key, answer.value);
  return { before: found, after: answer.value };
}

/** A dry run gives no new versions, so there the content decides; the API server writes fields in one order. */
function isSame({ before, after }: TriedObject, dryRun: boolean): boolean {
  if (before === undefined) return false;
  return dryRun ? JSON.stringify(contentOf(before)) === JSON.stringify(contentOf(after)) : versionOf(before) === versionOf(after);
}

/** An object without what the API server counts and books by itself. */
export function contentOf(object: unknown): Fields {
  const { managedFields: _bookkeeping, generation: _count, resourceVersion: _version, ...metadata } = fieldsAt(object, "metadata");
  return { ...fieldsOf(object), metadata };
}

function versionOf(object: unknown): string {
  return textAt(fieldsAt(object, "metadata"), "resourceVersion");
}

function owned(object: KubeObject, inventoryId: string): KubeObject {
  const annotations = { ...object.metadata.annotations, [OWNING_INVENTORY]: inventoryId };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/**
 * The API server's reason and the line of the field that it names. Of a Secret only the reason's name and the field are given, because the message
 * may contain a value. A conflict with other field managers is no failure: the manifest is valid, and the object is left as it is.
 */
function refused(manifest: PlacedManifest, answer: ApiAnswer): ObjectResult {
  const status = parseStatus(answer.value);
  const causes = listAt(status?.details, "causes").filter(isFields);
  const field = causes.map((cause) => textAt(cause, "field")).find((named) => named !== "") ?? "";
  const conflicts = causes.filter((cause) => textAt(cause, "reason") === "FieldManagerConflict");
  let reason = reasonOf(answer);
  if (conflicts.length > 0) reason = conflictReason(conflicts);
  else if (manifest.key.kind === "Secret") reason = `the API server refused it: ${[status?.reason, field].filter(Boolean).join(", ")}`;
  const outcome = conflicts.length > 0 ? "drifted" : "failed";
  return resultOf(manifest, outcome, { reason, fieldLine: field === "" ? 0 : fieldLine(manifest, field) });
}

function conflictReason(conflicts: readonly unknown[]): string {
  const named = conflicts.slice(0, MAX_CONFLICTS).map((cause) => `${textAt(cause, "field")} (${textAt(cause, "message")})`);
  const more = conflicts.length > MAX_CONFLICTS ? ` and ${conflicts.length - MAX_CONFLICTS} more` : "";
  return `other managers own fields of the manifest: ${named.join(", ")}${more}`;
}

/** What became of a request to take an object over. */
export interface TakenOver {
  /** As it is without the request. */
  readonly inventory: Inventory;
  /** Why nothing was applied; empty when something was. Quotes nothing of the request, which may be any text. */
  readonly reason: string;
}

/**
 * Applies, with force and nothing else, the object that annotation `gitops.binnacle/take-over` of the inventory names, and removes the annotation. An
 * agent that is killed in between does it again. Only an object of the commit that is in the inventory can be named.
 *
 * @throws Fault when the cluster does not answer, or `conflict` when the inventory was changed meanwhile: the request stays
 */
export async function takeOver(
  inventory: Inventory,
  by: { readonly manifests: readonly PlacedManifest[]; readonly applying: Applying; readonly store: InventoryStore },
): Promise<TakenOver> {
  const { manifests, applying, store } = by;
  const isListed = inventory.objects.has(inventory.takeOver);
  const manifest = isListed ? manifests.find(({ key }) => formatInventoryId(key) === inventory.takeOver) : undefined;
  const result = manifest && (await applyObject(manifest, { ...applying, force: true }));
  return { inventory: await store.withoutTakeOver(inventory), reason: reasonOfTakeOver(result) };
}

function reasonOfTakeOver(result: ObjectResult | undefined): string {
  if (result === undefined) return "a request to take an object over names none of this commit and inventory";
  return result.outcome === "failed" ? `an object could not be taken over: ${result.reason}` : "";
}
