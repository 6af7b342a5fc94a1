import { ChangeKind, ChangeSchema, type Change } from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import type { ViewNames } from "../nodes/view-names.ts";
import type { ObjectChange } from "./journal-entry.ts";

const KINDS = {
  created: ChangeKind.CREATED,
  changed: ChangeKind.CHANGED,
  deleted: ChangeKind.DELETED,
  recreated: ChangeKind.RECREATED,
} as const satisfies Record<ObjectChange["kind"], ChangeKind>;

/** A change as it is sent: without its hashes. */
export function changeMessage(change: ObjectChange, names: Pick<ViewNames, "ref">): Change {
  const { key, version, kind, atMs, isArrival, manager, subresource, isAfterGap, fields, moreFields, count, uid, versions } = change;
  return create(ChangeSchema, {
    ref: names.ref({ ...key, version }),
    kind: KINDS[kind],
    ...timeField("at", atMs),
    atIsArrival: isArrival,
    manager,
    subresource,
    afterGap: isAfterGap,
    fields: fields.map(({ path, before, after, hidden }) => ({
      path,
      hidden,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
    moreFields,
    count,
    uid,
    resourceVersions: [...versions],
  });
}
