import { fieldsOf, OWNING_INVENTORY, splitFieldPath, type KubeObject } from "@binnacle/kube";

import { FieldLines } from "../field-lines.ts";
import type { ManifestText } from "../manifests-in.ts";
import { comparedPart, diffTexts, type DiffTexts } from "./diff-texts.ts";
import { FieldComparison, type ComparedField, type FieldState } from "./compare-fields.ts";
import { fieldsLeft } from "./fields-left.ts";
import { ManagedEntries } from "./managed-entries.ts";
import { withDesiredBytes, withLiveBytes, withMergedData } from "./secret-data.ts";
import { shownValues } from "./shown-values.ts";

/** Fields that are listed; those that differ come before the others when there are more. */
const MAX_LISTED = 500;
/** A path that is longer loses its end. */
const MAX_PATH_CHARS = 1_024;

/** Says nothing about what is wanted: names, the kind, and what only API servers write. */
const UNCOMPARED: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);
/** What a manifest may ask for in the metadata. */
const COMPARED_METADATA = ["labels", "annotations", "finalizers"] as const;
/** Written by agentk beside what the manifest says. */
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
  /** How many are not as the manifest says, of all. */
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

/**
 * Compares what a manifest says with what the cluster has. Left out is what it does not name: defaults, what API servers and other managers
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
