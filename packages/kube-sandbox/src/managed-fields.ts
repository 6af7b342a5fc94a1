import type { ApiObject, ManagedFieldsEntry } from "./api-object.ts";
import { changedFields, difference, fieldSetOf, intersection, union, type FieldSet, type Typed } from "./field-set.ts";
import { isSame } from "./json-tree.ts";
import type { Schema, SchemaCatalog } from "./schema.ts";

/** Who wrote; becomes an entry of managedFields. */
export interface Writer {
  readonly manager: string;
  readonly apiVersion: string;
  readonly time: string;
  readonly subresource?: string;
}

/** The fields of an entry; this server wrote them itself or took them from a client as JSON. */
export function fieldsOf(entry: ManagedFieldsEntry): FieldSet {
  // fieldsV1 is by definition a tree of objects; a client that sends something else harms only its own ownership.
  return entry.fieldsV1 as FieldSet;
}

/** Records a create, update or patch in `object.metadata.managedFields`: changed fields move to the writer. */
export function trackUpdate(input: {
  readonly old: ApiObject | undefined;
  readonly object: ApiObject;
  readonly entry: Writer;
  readonly catalog: SchemaCatalog;
  readonly schema: Schema | undefined;
}): void {
  const { old, object, entry } = input;
  const typed: Typed = { catalog: input.catalog, schema: input.schema };
  // A client may clear the list by sending one empty entry; otherwise what it sends is ignored.
  const cleared = isSame(object.metadata.managedFields, [{}]);
  const before = cleared ? [] : (old?.metadata.managedFields ?? []);
  const changed = changedFields(old, object, typed);
  const present = fieldSetOf(object, typed);
  if (old && Object.keys(changed).length === 0 && isSame(present, fieldSetOf(old, typed))) {
    object.metadata.managedFields = before;
    return;
  }
  const others = before.filter((one) => !isWriter(one, entry, "Update"));
  const own = before.find((one) => isWriter(one, entry, "Update"));
  const mine = intersection(union(own ? fieldsOf(own) : {}, changed), present);
  const kept = others.flatMap((one) => withFields(one, intersection(difference(fieldsOf(one), changed), present)));
  object.metadata.managedFields = [...kept, ...withFields(entryOf(entry, "Update"), mine)];
}

/** True for the entry this writer would continue. */
export function isWriter(entry: ManagedFieldsEntry, writer: Writer, operation: ManagedFieldsEntry["operation"]): boolean {
  return entry.manager === writer.manager && entry.operation === operation && (entry.subresource ?? "") === (writer.subresource ?? "");
}

/** A new entry without fields. */
export function entryOf(writer: Writer, operation: ManagedFieldsEntry["operation"]): ManagedFieldsEntry {
  const { manager, apiVersion, time, subresource } = writer;
  return {
    manager,
    operation,
    apiVersion,
    time,
    fieldsType: "FieldsV1",
    fieldsV1: {},
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** The entry with other fields; none when no field is left. */
export function withFields(entry: ManagedFieldsEntry, fields: FieldSet): ManagedFieldsEntry[] {
  return Object.keys(fields).length === 0 ? [] : [{ ...entry, fieldsV1: fields }];
}
