import type { JsonPatchOperation } from "@binnacle/environment-view";
import { fieldsAt, type KubeObject } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { entryProblem, type MetadataEntry } from "../../features/actions/label-syntax.ts";
import type { ActionField, PlannedAction, PlannedObject, PlannedRequest } from "./action-plan.ts";
import { editableObject, hasMask, isSecret } from "./edit/editable-object.ts";
import { jsonPatch, targetOf } from "./field-plans.ts";

const MAX_ENTRIES = 200;
/** Its value is the whole manifest; kubectl alone writes it, and the document of an edit does not show it either. */
const OF_KUBECTL = "kubectl.kubernetes.io/last-applied-configuration";

type Texts = Readonly<Record<string, string>>;
type List = "labels" | "annotations";
const LISTS: readonly List[] = ["labels", "annotations"];
const listOf = ({ annotation }: MetadataEntry): List => (annotation ? "annotations" : "labels");

/** The present labels and annotations by their keys. Those of a Secret that may hold one of its values are masked. */
export function entriesOf({ kind, object }: Pick<PlannedObject, "kind" | "object">): readonly MetadataEntry[] {
  const { metadata } = editableObject(object, { isMasked: isSecret(kind.resource, object) });
  return LISTS.flatMap((list) =>
    Object.entries(textsAt({ metadata }, list))
      .map(([key, value]) => ({ annotation: list === "annotations", key, value }))
      .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
  );
}

/**
 * Sets and removes labels and annotations; all others stay. Each value that is replaced or removed is tested. An absent key cannot be tested by a JSON
 * patch, and the values of a Secret must not be quoted in an answer: then the version of the object is the precondition.
 */
export function planLabels(of: PlannedObject, { parameters: { entries = [] } }: PlannedRequest): PlannedAction {
  const { kind, object } = of;
  if (entries.length > MAX_ENTRIES) return { refused: words("action/labels-many", { most: MAX_ENTRIES }) };
  const named = new Set<string>();
  for (const entry of entries) {
    const { key } = entry;
    const problem = entry.annotation && key === OF_KUBECTL ? "action/label-of-kubectl" : entryProblem(entry);
    if (problem !== undefined) return { refused: words(problem, { key }) };
    if (hasMask(entry.value)) return { refused: words("edit/mask") };
    const id = `${listOf(entry)} ${key}`;
    if (named.has(id)) return { refused: words("action/label-twice", { key }) };
    named.add(id);
  }
  const shown = new Map(entriesOf(of).map((entry) => [`${listOf(entry)} ${entry.key}`, entry.value]));
  const ofSecret = isSecret(kind.resource, object);
  const changed = entries.filter((entry) => entry.value !== presentOf(object, entry));
  const fields = entries.map((entry): ActionField => {
    const path = `metadata.${listOf(entry)}[${entry.key}]`;
    return { path, before: shown.get(`${listOf(entry)} ${entry.key}`), after: entry.value ?? "" };
  });
  const before = entries.map((entry) => ({ ...entry, value: shown.get(`${listOf(entry)} ${entry.key}`) }));
  const isByVersion = ofSecret || changed.some((entry) => presentOf(object, entry) === undefined);
  return {
    field: { path: "metadata", before: textOfEntries(before), after: textOfEntries(entries) },
    target: { ...targetOf(kind, object), ...(isByVersion && { resourceVersion: object.metadata.resourceVersion ?? "" }) },
    change: jsonPatch(
      LISTS.flatMap((list) => patchOf(object, list, { changed: changed.filter((entry) => listOf(entry) === list), ofSecret })),
    ),
    notes: [],
    labels: fields.filter((_, index) => changed.includes(entries[index] ?? NO_ENTRY)),
    ...(!before.some(({ value }) => hasMask(value)) && { undo: { name: "edit-labels", parameters: { entries: before } } }),
  };
}

const NO_ENTRY: MetadataEntry = { annotation: false, key: "" };

function patchOf(
  object: KubeObject,
  list: List,
  { changed, ofSecret }: { readonly changed: readonly MetadataEntry[]; readonly ofSecret: boolean },
): readonly JsonPatchOperation[] {
  const isAbsent = object.metadata[list] === undefined;
  const create =
    isAbsent && changed.some(({ value }) => value !== undefined) ? [{ op: "add", path: `/metadata/${list}`, value: {} } as const] : [];
  return [
    ...create,
    ...changed.flatMap((entry): JsonPatchOperation[] => {
      const path = `/metadata/${list}/${entry.key.replaceAll("/", "~1")}`;
      const present = presentOf(object, entry);
      const test: JsonPatchOperation[] = present === undefined || ofSecret ? [] : [{ op: "test", path, value: present }];
      return [...test, entry.value === undefined ? { op: "remove", path } : { op: "add", path, value: entry.value }];
    }),
  ];
}

function textsAt(object: Readonly<Record<string, unknown>>, list: List): Texts {
  const found = fieldsAt(fieldsAt(object, "metadata"), list);
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function presentOf(object: KubeObject, entry: MetadataEntry): string | undefined {
  const found = textsAt(object, listOf(entry));
  return Object.hasOwn(found, entry.key) ? found[entry.key] : undefined;
}

/** One line for each key, also of one that is absent, so that the text tells both apart. */
function textOfEntries(entries: readonly MetadataEntry[]): string {
  return entries.map((entry) => `${listOf(entry)}[${entry.key}]${entry.value === undefined ? " -" : `=${entry.value}`}`).join("\n");
}
