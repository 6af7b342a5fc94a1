import { fieldsOf, OWNING_INVENTORY, splitFieldPath, type KubeObject, isFields, type Fields } from "@binnacle/kube";

import { FieldLines } from "../field-lines.ts";
import type { ManifestText } from "../manifests-in.ts";
import { comparedPart, diffTexts, type DiffTexts } from "./diff-texts.ts";
import { FieldComparison, type ComparedField, type FieldState } from "./compare-fields.ts";
import { fieldsLeft } from "./fields-left.ts";
import { ManagedEntries } from "./managed-entries.ts";

/** Fields that are listed; those that differ come before the others when there are more. */
const MAX_LISTED = 500;
/** A path that is longer loses its end. */
const MAX_PATH_CHARS = 1_024;

/** Says nothing about what is wanted: names, the kind, and what only API servers write. */
const UNCOMPARED: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);
/** What a manifest may ask for in the metadata. */
const COMPARED_METADATA = ["labels", "annotations", "finalizers"] as const;
/** Written by agentk in addition to the manifest. */
const OF_OURS: ReadonlySet<string> = new Set([`metadata.annotations[${OWNING_INVENTORY}]`]);
/** No values of these are shown for a Secret, nor those of annotations: tools keep copies there. */
const HIDDEN_OF_SECRETS = /^(?:data|stringData|metadata\.annotations)(?:$|[.[])/;

/** A field of a comparison. */
export interface ManifestField {
  /** "spec.template.spec.containers[web].image" */
  readonly path: string;
  /** Line of the file that it stands at, or what is around it. From 1. */
  readonly line: number;
  readonly state: FieldState;
  /** It belongs to a Secret: its values are not shown. */
  readonly isHidden: boolean;
  /** At most 258 characters; empty where there is none. */
  readonly desired: string;
  readonly live: string;
  /** Who else owns the field of the cluster where it is another; empty when there is none or it is not known. */
  readonly manager: string;
}

/** A manifest beside what the cluster has. */
export interface ManifestComparison {
  /** At most 500, in the manifest's order. */
  readonly fields: readonly ManifestField[];
  /** Number of fields that differ from the manifest, of all. */
  readonly different: number;
  /** How many were compared. */
  readonly compared: number;
  /** There is more than was compared. */
  readonly isCut: boolean;
  /** Both as YAML; absent when there is more than was compared, or more than 256 KiB of it. */
  readonly texts?: DiffTexts | undefined;
}

/** What is compared. */
export interface ManifestComparing {
  readonly manifest: ManifestText;
  /** The same object in the same version of the API, with its managed fields. */
  readonly live: KubeObject;
  /** Field manager that applies the manifest. */
  readonly applier: string;
  /** The manifest was requested as a Secret. An object whose kind is Secret is treated as one too. */
  readonly isSecret: boolean;
}

/** Of a longer text only a part is shown. */
const MAX_CHARS = 256;
/** Characters of a long text that are shown before the first difference. */
const BEFORE = 48;
const CUT = "…";

/**
 * Compares a manifest with the object in the cluster. Fields that it does not name are left out: defaults, what API servers and other managers
 * have set, the status. `extra` is what its applier has set there and the manifest does not name any more. Costs as much as both are large.
 */
export function compareManifest({ manifest, live, applier, isSecret }: ManifestComparing): ManifestComparison {
  const isHiding = isSecret || manifest.object.kind === "Secret" || live.kind === "Secret";
  const desired = isHiding ? withDesiredBytes(manifest.object) : manifest.object;
  const actual = isHiding ? withLiveBytes(live) : live;
  const entries = new ManagedEntries(live, applier);
  const comparison = new FieldComparison(entries);
  for (const field of COMPARED_METADATA)
    comparison.compare(fieldsOf(desired.metadata)[field], fieldsOf(actual.metadata)[field], {
      path: `metadata.${field}`,
      steps: ["metadata", field],
    });
  for (const [field, value] of Object.entries(desired))
    if (!UNCOMPARED.has(field)) comparison.compare(value, actual[field], { path: field, steps: [field] });
  const merged = isHiding ? withMergedData(desired) : desired;
  for (const { live: value, ...at } of fieldsLeft(entries.applied, merged, actual)) if (!OF_OURS.has(at.path)) comparison.extra(value, at);
  const { fields, isCut } = comparison;
  const lines = new FieldLines(manifest);
  const listed = listedFields(fields).map((field) => toField(field, { entries, lines, isHiding }));
  const isHidden = (path: string): boolean => isHiding && HIDDEN_OF_SECRETS.test(path);
  const texts = isCut ? undefined : diffTexts({ desired: comparedPart(manifest.object, COMPARED_METADATA), fields, isHidden });
  return { fields: listed, different: fields.filter(({ state }) => state !== "same").length, compared: fields.length, isCut, texts };
}

/** In their order: all that differ, and of the others as many as there is room for. */
function listedFields(fields: readonly ComparedField[]): readonly ComparedField[] {
  let room = MAX_LISTED - fields.filter(({ state }) => state !== "same").length;
  return fields.filter(({ state }) => state !== "same" || (room -= 1) >= 0).slice(0, MAX_LISTED);
}

function toField(
  { path, steps, state, desired, live }: ComparedField,
  { entries, lines, isHiding }: { readonly entries: ManagedEntries; readonly lines: FieldLines; readonly isHiding: boolean },
): ManifestField {
  const isHidden = isHiding && HIDDEN_OF_SECRETS.test(path);
  const values = isHidden ? { desired: "", live: "" } : shownValues(desired, live);
  const manager = state === "different" ? entries.otherOwner(splitFieldPath(path)) : "";
  return { path: path.slice(0, MAX_PATH_CHARS), line: lines.at(steps), state, isHidden, ...values, manager };
}

/** The Secret of a manifest, its values as the bytes that they stand for (latin1): base64 may be written in more than one way. Not mutated. */
function withDesiredBytes(desired: KubeObject): KubeObject {
  const { data, stringData } = desired;
  return {
    ...desired,
    ...(isFields(data) && { data: bytesOf(data, "base64") }),
    ...(isFields(stringData) && { stringData: bytesOf(stringData, "utf8") }),
  };
}

/** A Secret of the cluster in the same way: API servers keep `stringData` as `data`, so it stands under both. */
function withLiveBytes(live: KubeObject): KubeObject {
  const data = isFields(live["data"]) ? bytesOf(live["data"], "base64") : live["data"];
  return { ...live, data, stringData: data };
}

/** The `data` that a manifest sets in either way. */
function withMergedData(desired: KubeObject): KubeObject {
  return { ...desired, data: { ...fieldsOf(desired["data"]), ...fieldsOf(desired["stringData"]) } };
}

function bytesOf(values: Fields, encoding: "base64" | "utf8"): Fields {
  const bytes = (value: unknown): unknown => (typeof value === "string" ? Buffer.from(value, encoding).toString("latin1") : value);
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, bytes(value)]));
}

/** The two values of a field as texts of one line, at most 258 characters each. Of long ones the part around the first difference. */
function shownValues(desired: unknown, live: unknown): { readonly desired: string; readonly live: string } {
  const [a, b] = [textOf(desired), textOf(live)];
  const from =
    Math.max(a.length, b.length) <= MAX_CHARS || live === undefined || desired === undefined ? 0 : firstDifference(a, b) - BEFORE;
  return { desired: cutFrom(a, from), live: cutFrom(b, from) };
}

/** Texts stand as they are unless they could be taken for something else. Nothing for what is not there. */
function textOf(value: unknown): string {
  if (value === undefined) return "";
  if (typeof value === "string" && isPlain(value)) return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    // Deeper than the stack.
    return CUT;
  }
}

/** Not a number, a flag, nothing or the beginning of a list, and visible as a whole. */
function isPlain(text: string): boolean {
  return text.trim() === text && /^[^\p{C}"'[{]+$/u.test(text) && !/^(?:true|false|null|~|[-+.\d][\d.eE+-]*)$/.test(text);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at === a.length && at === b.length ? 0 : at;
}

function cutFrom(text: string, from: number): string {
  const start = Math.max(0, Math.min(from, text.length));
  const part = text.slice(start, start + MAX_CHARS);
  return `${start > 0 ? CUT : ""}${part.toWellFormed()}${start + MAX_CHARS < text.length ? CUT : ""}`;
}
