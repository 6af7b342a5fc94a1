import { fromDigest, toDigest, type FieldOwnership, type OtherField } from "@binnacle/kube";
import { FieldOwnershipSchema, OtherFieldSchema, type FieldOwnership as FieldOwnershipMessage } from "@binnacle/proto/dashboard";
import { timeField, timeOf } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

/** As many as a view sends of one object, also of a view that another program makes. */
const MAX_OTHERS = 24;

/** The owners of the fields of an object, for the wire. */
export function toOwnershipMessage({ applied, others }: FieldOwnership): FieldOwnershipMessage {
  return create(FieldOwnershipSchema, {
    ...(applied && { applied: toDigest(applied) }),
    others: others.map(({ path, manager, atMs, byDesign = false }) =>
      create(OtherFieldSchema, { path, manager, byDesign, ...timeField("at", atMs) }),
    ),
  });
}

/** Reads what `toOwnershipMessage` makes; a digest that cannot be read is none. */
export function fromOwnershipMessage({ applied: digest, others }: FieldOwnershipMessage): FieldOwnership {
  const applied = fromDigest(digest);
  return {
    ...(applied && { applied }),
    others: others.slice(0, MAX_OTHERS).map(({ path, manager, at, byDesign }): OtherField => {
      const atMs = at && timeOf(at);
      return { path, manager, ...(atMs !== undefined && { atMs }), ...(byDesign && { byDesign }) };
    }),
  };
}
