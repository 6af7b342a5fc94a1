import { ownershipOf } from "./field-ownership.ts";
import { OWNING_INVENTORY } from "./inventory-id.ts";
import type { KubeObject, ObjectMeta } from "./kube-object.ts";
import { fieldsOf, isFields, listOf, textAt, type Fields } from "./loose-json.ts";
import { PROJECTED_KINDS } from "./projected-kinds.ts";
import { applyCut, cut, dropping, type Cut } from "./projection.ts";
import { groupOf } from "./resource-kind.ts";
import type { TextSharing } from "./string-pool.ts";
import { LAST_APPLIED } from "./trim-object.ts";

/** Of kinds that are cut, annotations beyond this many characters are left out, unless rules read them. */
const MAX_ANNOTATION_CHARS = 1_024;

/** Annotations that a rule, an edge or an inventory reads and that may be long. */
const READ_ANNOTATIONS: ReadonlySet<string> = new Set([
  // Conditions of a HorizontalPodAutoscaler in autoscaling/v1.
  "autoscaling.alpha.kubernetes.io/conditions",
  // Edges that users draw.
  "app.openshift.io/connects-to",
  // Of which application, release or inventory an object is a part.
  "argocd.argoproj.io/tracking-id",
  OWNING_INVENTORY,
  "meta.helm.sh/release-name",
  "meta.helm.sh/release-namespace",
]);

const METADATA = cut({
  ...dropping("selfLink", "generateName", "managedFields", "annotations", "ownership"),
  name: "own",
  uid: "own",
  resourceVersion: "own",
});
const UNSHARED: TextSharing = { share: (text) => text };
const UNCUT: Cut = new Map();

/** About this many characters of JSON stay whole. */
const MAX_CHARS = 256 * 1024;
/** Beyond that, texts are cut to this many characters. */
const MAX_TEXT_CHARS = 1_024;
/** Nothing deeper than this is read: no rule refers to it, and recursion would exhaust the stack. */
const MAX_DEPTH = 64;

/**
 * What views keep of an object: what health rules, edges and inventories read. Not mutated.
 *
 * - `metadata` without kubectl's copy of the object; of `managedFields` the newest entry outside of the status, as
 *   `{manager, operation, time}`: who changed the object last, and when; of objects of an inventory also `ownership`, by which drift shows;
 * - ConfigMaps and Secrets: keys without values, so that a heap dump has no secrets;
 * - kinds of Kubernetes that are cut ({@link isCutKind}): without fields that are not read (PROJECTED_KINDS), and without annotations
 *   beyond 1 KiB;
 * - all others: whole, because users' rules may read anything; beyond 256 KiB their texts are cut to 1 KiB each.
 *
 * @param pool shares equal texts between the objects of one view
 */
export function projectObject(object: KubeObject, pool: TextSharing = UNSHARED): KubeObject {
  return project(object, PROJECTED_KINDS.get(`${groupOf(object.apiVersion)}/${object.kind}`), pool);
}

/** As {@link projectObject} does with kinds that are not cut: for objects whose fields any rule may read. */
export function projectFull(object: KubeObject, pool: TextSharing = UNSHARED): KubeObject {
  return project(object, undefined, pool);
}

/** Whether {@link projectObject} leaves anything out of `spec`, `status` or data of a kind. @param group empty for core */
export function isCutKind(group: string, kind: string): boolean {
  return PROJECTED_KINDS.has(`${group}/${kind}`);
}

function project(object: KubeObject, rules: Cut | undefined, pool: TextSharing): KubeObject {
  const { apiVersion, kind, metadata, ...rest } = rules === undefined ? bounded(object) : object;
  const maxChars = rules === undefined ? Number.POSITIVE_INFINITY : MAX_ANNOTATION_CHARS;
  return {
    apiVersion: pool.share(apiVersion),
    kind: pool.share(kind),
    metadata: projectMetadata(metadata, maxChars, pool),
    ...fieldsOf(applyCut(rest, rules ?? UNCUT, pool)),
  };
}

function projectMetadata(metadata: ObjectMeta, maxChars: number, pool: TextSharing): ObjectMeta {
  const fields = fieldsOf(metadata);
  const projected: Record<string, unknown> & { name: string } = { name: metadata.name, ...fieldsOf(applyCut(fields, METADATA, pool)) };
  const annotations = projectAnnotations(fields["annotations"], maxChars, pool);
  if (annotations !== undefined) projected["annotations"] = annotations;
  const changed = lastChange(fields["managedFields"]);
  if (changed !== undefined) projected["managedFields"] = [changed];
  if (textAt(fields["annotations"], OWNING_INVENTORY) !== "") projected["ownership"] = ownershipOf(fields["managedFields"], pool);
  return projected;
}

function projectAnnotations(value: unknown, maxChars: number, pool: TextSharing): unknown {
  if (!isFields(value)) return value;
  const projected: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(value)) {
    if (name === LAST_APPLIED || name === "__proto__") continue;
    if (typeof text !== "string") projected[name] = text;
    else if (isShortOrRead(name, text, maxChars)) projected[name] = pool.share(text);
  }
  return projected;
}

/** Whether an annotation stays with objects of kinds that are cut, or leaves only because it repeats the object. */
export function isAnnotationProjected(name: string, text: unknown): boolean {
  return typeof text !== "string" || name === LAST_APPLIED || isShortOrRead(name, text, MAX_ANNOTATION_CHARS);
}

function isShortOrRead(name: string, text: string, maxChars: number): boolean {
  return text.length <= maxChars || READ_ANNOTATIONS.has(name);
}

/** The newest entry that is not about the status; of two at the same time the one whose manager comes first. */
function lastChange(managedFields: unknown): Fields | undefined {
  let newest: { readonly manager: string; readonly operation: string; readonly time: string } | undefined;
  let newestMs = Number.NEGATIVE_INFINITY;
  for (const entry of listOf(managedFields)) {
    if (textAt(entry, "subresource") === "status") continue;
    const [manager, operation, time] = [textAt(entry, "manager"), textAt(entry, "operation"), textAt(entry, "time")];
    const timeMs = Date.parse(time);
    if (Number.isNaN(timeMs)) continue;
    if (timeMs < newestMs || (timeMs === newestMs && !(time === newest?.time && manager < newest.manager))) continue;
    newest = { manager, operation, time };
    newestMs = timeMs;
  }
  return newest;
}

/** The value itself while it is of a usual size (256 KiB); a copy with every text cut to 1 KiB when it is not. */
function bounded<T extends object>(value: T): T {
  if (weigh(value, 0) <= MAX_CHARS) return value;
  // Only texts change, and they stay texts.
  return cutTexts(value, 0) as T;
}

/** About the length of the value as JSON; counting stops soon after the limit. */
function weigh(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length + 3;
  if (typeof value !== "object" || value === null || depth >= MAX_DEPTH) return 6;
  let sum = 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && sum <= MAX_CHARS; index += 1) sum += weigh(value[index], depth + 1);
    return sum;
  }
  if (!isFields(value)) return sum;
  for (const name in value) {
    sum += name.length + 3 + weigh(value[name], depth + 1);
    if (sum > MAX_CHARS) break;
  }
  return sum;
}

function cutTexts(value: unknown, depth: number): unknown {
  // Split and joined, because a slice would keep all of the text alive.
  if (typeof value === "string") return value.length > MAX_TEXT_CHARS ? value.slice(0, MAX_TEXT_CHARS).split("").join("") : value;
  if (depth >= MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => cutTexts(item, depth + 1));
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, cutTexts(field, depth + 1)]));
}
