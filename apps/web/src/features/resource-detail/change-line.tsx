"use client";
import type { Change, FieldChange } from "@binnacle/proto/dashboard";
import { ChangeKind } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";

const HAPPENED: Readonly<Record<ChangeKind, string>> = {
  [ChangeKind.UNSPECIFIED]: "Changed",
  [ChangeKind.CREATED]: "Created",
  [ChangeKind.CHANGED]: "Changed",
  [ChangeKind.DELETED]: "Deleted",
  [ChangeKind.RECREATED]: "Created again",
};

/** One change of a resource: what, by whom, and each field with what it was and is. */
export function ChangeLine({ change }: { readonly change: Change }): ReactNode {
  const { kind, manager, subresource, fields, moreFields, count, afterGap } = change;
  const words = [
    ...(manager === "" ? [] : [`by ${manager}${subresource === "" ? "" : ` (${subresource})`}`]),
    ...(count > 1 ? [`${count} times`] : []),
    ...(afterGap ? ["seen after a gap"] : []),
  ];
  return (
    <div>
      <b>{HAPPENED[kind] ?? "Changed"}</b> <span className="muted">{words.join(", ")}</span>
      {fields.map((field) => (
        <Field key={field.path} field={field} />
      ))}
      {moreFields > 0 && <div className="muted">and {moreFields} more</div>}
    </div>
  );
}

function Field({ field: { path, before, after, hidden } }: { readonly field: FieldChange }): ReactNode {
  const values = hidden ? "changed, not shown" : `${before ?? "not set"} \u2192 ${after ?? "not set"}`;
  return (
    <div>
      <code>{path}</code> {values}
    </div>
  );
}
