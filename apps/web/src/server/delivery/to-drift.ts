import { DriftedFieldSchema, DriftedObjectSchema, KeptFieldSchema, ProjectDriftSchema, type ProjectDrift } from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import type { ProjectDrift as Drift } from "./drift.ts";

/** Objects of one project, and fields of one object, that are sent. */
const MAX_OBJECTS = 50;
const MAX_FIELDS = 20;
const MAX_KEPT = 100;

/** Converts the drift of a project. */
export function toProjectDrift({ project, isIgnored, objects, compared, unknown, kept }: Drift): ProjectDrift {
  return create(ProjectDriftSchema, {
    project,
    ignored: isIgnored,
    compared,
    unknown,
    total: objects.length,
    objects: objects.slice(0, MAX_OBJECTS).map(({ key, kind, fields, unnamed, reason }) =>
      create(DriftedObjectSchema, {
        ...key,
        reason,
        gone: kind === "gone",
        fields: fields
          .slice(0, MAX_FIELDS)
          .map(({ field, manager, atMs }) => create(DriftedFieldSchema, { field, manager, ...timeField("at", atMs) })),
        moreFields: unnamed + Math.max(0, fields.length - MAX_FIELDS),
      }),
    ),
    kept: kept
      .slice(0, MAX_KEPT)
      .map(({ key, field, user, isVerified, sinceMs }) =>
        create(KeptFieldSchema, { ...key, field, user, verified: isVerified, ...timeField("since", sinceMs) }),
      ),
  });
}
