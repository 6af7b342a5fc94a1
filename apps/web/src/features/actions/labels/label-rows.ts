import type { MetadataEntry } from "../label-syntax.ts";

/** A label or an annotation in the form. */
export interface LabelRow {
  /** Stays when the key is edited. */
  readonly id: number;
  readonly annotation: boolean;
  readonly key: string;
  readonly value: string;
  /** The value that the object has; absent: the row was added. */
  readonly present?: string;
  readonly isRemoved: boolean;
}

/** Rows for what an object has, with changes, such as the reverse of an earlier action, made to them. */
export function rowsOf(present: readonly MetadataEntry[], changes: readonly MetadataEntry[] = []): readonly LabelRow[] {
  const changeOf = (entry: MetadataEntry): MetadataEntry | undefined => changes.find((change) => isSameKey(change, entry));
  const kept = present.map((entry, id): LabelRow => {
    const { annotation, key, value = "" } = entry;
    const change = changeOf(entry);
    return {
      id,
      annotation,
      key,
      value: change?.value ?? value,
      present: value,
      isRemoved: change !== undefined && change.value === undefined,
    };
  });
  const added = changes.filter((change) => change.value !== undefined && !present.some((entry) => isSameKey(change, entry)));
  return [
    ...kept,
    ...added.map(({ annotation, key, value = "" }, index) => ({ id: kept.length + index, annotation, key, value, isRemoved: false })),
  ];
}

/** Rows with an empty one at the end of the labels or annotations. */
export function withRow(rows: readonly LabelRow[], annotation: boolean): readonly LabelRow[] {
  return [...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, annotation, key: "", value: "", isRemoved: false }];
}

/** What is sent: values that are another one, and keys that are removed. A row without a key and a value is none. */
export function changesOf(rows: readonly LabelRow[]): readonly MetadataEntry[] {
  return rows.flatMap(({ annotation, key, value, present, isRemoved }): readonly MetadataEntry[] => {
    if (isRemoved) return [{ annotation, key }];
    if (present === value || (present === undefined && key === "" && value === "")) return [];
    return [{ annotation, key, value }];
  });
}

/** Whether another row has the key of a row that was added. */
export function isTwice(rows: readonly LabelRow[], row: LabelRow): boolean {
  return row.present === undefined && rows.some((other) => other.id !== row.id && isSameKey(other, row));
}

function isSameKey(one: MetadataEntry, other: MetadataEntry): boolean {
  return one.key === other.key && one.annotation === other.annotation;
}
