import type { ApiObject, ManagedFieldsEntry } from "./api-object.ts";
import { ApiError, type StatusCause } from "./api-error.ts";
import {
  childOf,
  difference,
  fieldSetOf,
  follow,
  intersection,
  isAtomic,
  itemOf,
  stepsOf,
  type FieldSet,
  type Typed,
} from "./field-set.ts";
import { isSame, isTree, type Tree } from "./json-tree.ts";
import { entryOf, fieldsOf, isWriter, withFields, type Writer } from "./managed-fields.ts";

/** One application of a configuration. */
export interface Application {
  /** The stored object; absent = the application creates it. */
  readonly live: ApiObject | undefined;
  /** The configuration as the client sent it. */
  readonly config: ApiObject;
  readonly writer: Writer;
  readonly force: boolean;
  readonly typed: Typed;
}

/**
 * Server-side apply: the configuration is merged into the object, what the same manager applied before and left out now is
 * taken away, and the manager owns exactly what the configuration names.
 *
 * @throws ApiError 409 with one cause per field another manager owns with another value, unless `force`
 */
export function applyConfiguration({ live, config, writer, force, typed }: Application): ApiObject {
  const { managedFields: _, ...metadata } = config.metadata;
  const wanted: ApiObject = { ...config, metadata };
  const applied = fieldSetOf(wanted, typed);
  const entries = live?.metadata.managedFields ?? [];
  const others = entries.filter((one) => !isWriter(one, writer, "Apply"));
  const before = entries.find((one) => isWriter(one, writer, "Apply"));
  const lost = live === undefined ? [] : others.map((one) => conflictsWith(fieldsOf(one), { applied, live, wanted, typed }));
  if (!force && !isUpgrade(writer, lost, { live, typed })) refuseConflicts(others, lost);
  // Both are API objects, so their merge has apiVersion, kind and metadata.
  const merged = (live === undefined ? structuredClone(wanted) : mergeValue(structuredClone(live), wanted, typed)) as ApiObject;
  const dropped = others.reduce<FieldSet>(
    (rest, one) => difference(rest, fieldsOf(one)),
    difference(before ? fieldsOf(before) : {}, applied),
  );
  removeFields(merged, dropped, typed);
  const kept = others.flatMap((one, index) => withFields(one, difference(fieldsOf(one), lost[index] ?? {})));
  const entry = before && isSame(before.fieldsV1, applied) ? before : { ...entryOf(writer, "Apply"), fieldsV1: applied };
  merged.metadata.managedFields = [...kept, ...(Object.keys(applied).length === 0 ? [] : [entry])];
  return merged;
}

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * True when kubectl, which applied on the client's side before, now applies on the server's: then it may change what was not changed since that last
 * application. (kube-apiserver: managedfields/internal/lastappliedmanager)
 */
function isUpgrade(
  writer: Writer,
  lost: readonly FieldSet[],
  { live, typed }: { readonly live: ApiObject | undefined; readonly typed: Typed },
): boolean {
  const text = live?.metadata.annotations?.[LAST_APPLIED];
  if (writer.manager !== "kubectl" || typeof text !== "string") return false;
  let lastApplied: unknown;
  try {
    lastApplied = JSON.parse(text);
  } catch {
    return false; // any client may write that annotation
  }
  const applied = fieldSetOf(lastApplied, typed);
  const unchanged = difference(applied, differing(applied, { live, wanted: lastApplied, typed, applied }));
  return lost.every((fields) => Object.keys(difference(fields, unchanged)).length === 0);
}

interface Contest {
  readonly applied: FieldSet;
  readonly live: unknown;
  readonly wanted: unknown;
  readonly typed: Typed;
}

function conflictsWith(owned: FieldSet, contest: Contest): FieldSet {
  return differing(intersection(owned, contest.applied), contest);
}

function differing(set: FieldSet, { live, wanted, typed, applied }: Contest): FieldSet {
  const result: FieldSet = {};
  for (const [step, inner] of Object.entries(set)) {
    if (step === ".") continue;
    const left = follow(live, step, typed);
    const right = follow(wanted, step, typed);
    if (Object.keys(inner).length === 0) {
      if (!isSame(left.value, right.value) && !(step.startsWith("k:") && isTree(left.value))) result[step] = {};
    } else {
      const below = differing(inner, { live: left.value, wanted: right.value, typed: left.typed, applied });
      if (Object.keys(below).length > 0) result[step] = below;
    }
  }
  return result;
}

function refuseConflicts(entries: readonly ManagedFieldsEntry[], lost: readonly FieldSet[]): void {
  const causes: StatusCause[] = entries.flatMap((entry, index) =>
    pathsOf(lost[index] ?? {}).map((field) => ({
      reason: "FieldManagerConflict",
      message: `conflict with "${entry.manager}"${entry.subresource === undefined ? "" : ` with subresource "${entry.subresource}"`}${entry.operation === "Apply" ? "" : ` using ${entry.apiVersion}`}`,
      field,
    })),
  );
  if (causes.length === 0) return;
  const plural = causes.length === 1 ? "conflict" : "conflicts";
  const list =
    causes.length === 1 ? `${causes[0]?.message}: ${causes[0]?.field}` : causes.map((one) => `${one.message}:\n- ${one.field}`).join("\n");
  throw new ApiError(409, "Conflict", `Apply failed with ${causes.length} ${plural}: ${list}`, { causes });
}

function pathsOf(set: FieldSet, prefix = ""): string[] {
  return Object.entries(set).flatMap(([step, inner]) => {
    const text = step.startsWith("f:") ? `${prefix}.${step.slice(2)}` : `${prefix}[${keyText(step)}]`;
    return Object.keys(inner).length === 0 ? [text] : pathsOf(inner, text);
  });
}

function keyText(step: string): string {
  const value: unknown = JSON.parse(step.slice(2));
  return isTree(value)
    ? Object.entries(value)
        .map(([key, one]) => `${key}=${JSON.stringify(one)}`)
        .join(",")
    : `=${step.slice(2)}`;
}

/** The live value with the configuration's values in it; lists merge as their schema says. */
function mergeValue(live: unknown, config: unknown, typed: Typed): unknown {
  if (isTree(live) && isTree(config) && !isAtomic(typed)) {
    const result: Tree = { ...live };
    for (const [field, value] of Object.entries(config)) result[field] = mergeValue(live[field], value, childOf(typed, field));
    return result;
  }
  if (!Array.isArray(live) || !Array.isArray(config)) return structuredClone(config);
  const liveSteps = stepsOf(live, typed);
  const configSteps = stepsOf(config, typed);
  if (!liveSteps || !configSteps) return structuredClone(config);
  const items = itemOf(typed);
  // Items of the configuration come in its order; what others added stays behind them.
  const wanted = config.map((item, index) => {
    const at = liveSteps.indexOf(configSteps[index] ?? "");
    return at < 0 ? structuredClone(item) : mergeValue(live[at], item, items);
  });
  return [...wanted, ...live.filter((_, index) => !configSteps.includes(liveSteps[index] ?? ""))];
}

function removeFields(value: unknown, set: FieldSet, typed: Typed): void {
  for (const [step, inner] of Object.entries(set)) {
    if (step === ".") continue;
    const whole = Object.keys(inner).length === 0 || inner["."] !== undefined;
    if (step.startsWith("f:") && isTree(value)) {
      const field = step.slice(2);
      const below = value[field];
      if (whole && !hasMore(below, inner)) delete value[field];
      else removeFields(below, inner, childOf(typed, field));
      if (isEmpty(value[field]) && inner["."] !== undefined) delete value[field];
    } else if (Array.isArray(value)) {
      const index = (stepsOf(value, typed) ?? []).indexOf(step);
      if (index < 0) continue;
      if (whole) value.splice(index, 1);
      else removeFields(value[index], inner, itemOf(typed));
    }
  }
}

/** True when a value holds fields the set does not name: then only the named ones may go. */
function hasMore(value: unknown, set: FieldSet): boolean {
  if (Object.keys(set).length === 0) return false;
  if (isTree(value)) return Object.keys(value).some((field) => set[`f:${field}`] === undefined);
  return Array.isArray(value) && value.length > Object.keys(set).filter((step) => step !== ".").length;
}

function isEmpty(value: unknown): boolean {
  return (isTree(value) && Object.keys(value).length === 0) || (Array.isArray(value) && value.length === 0);
}
