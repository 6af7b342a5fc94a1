"use client";
import type { Change, FieldChange } from "@binnacle/proto/dashboard";
import { ChangeKind } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import type { WordsId } from "@binnacle/words";

const HAPPENED: Readonly<Record<ChangeKind, WordsId>> = {
  [ChangeKind.UNSPECIFIED]: "resource-detail/changed",
  [ChangeKind.CREATED]: "resource-detail/created",
  [ChangeKind.CHANGED]: "resource-detail/changed",
  [ChangeKind.DELETED]: "resource-detail/deleted",
  [ChangeKind.RECREATED]: "resource-detail/created-again",
};

/** `packages/environment-view/src/act/kube-action.ts` */
const OWN_MANAGER = "binnacle";

/** One change of a resource: what, by whom, and each field with what it was and is. */
export function ChangeLine({ change }: { readonly change: Change }): ReactNode {
  const { kind, manager, subresource, fields, moreFields, count, afterGap } = change;
  const words = [
    ...(manager === "" ? [] : [writerWords(manager, subresource)]),
    ...(count > 1 ? [sayLater("resource-detail/times", { count })] : []),
    ...(afterGap ? [sayLater("resource-detail/seen-after-gap")] : []),
  ];
  return (
    <div>
      <b>{sayLater(HAPPENED[kind] ?? "resource-detail/changed")}</b> <span className="muted">{words.join(", ")}</span>
      {fields.map((field) => (
        <Field key={field.path} field={field} />
      ))}
      {moreFields > 0 && <div className="muted">{sayLater("resource-detail/and-more", { moreFields })}</div>}
    </div>
  );
}

/** The field manager that wrote it; that of actions on our pages is named as people know it. */
function writerWords(manager: string, subresource: string): string {
  const what = subresource === "" ? "" : ` (${subresource})`;
  return manager === OWN_MANAGER ? sayLater("resource-detail/from-binnacle", { what }) : sayLater("resource-detail/by", { manager, what });
}

function Field({ field: { path, before, after, hidden } }: { readonly field: FieldChange }): ReactNode {
  const values = hidden
    ? sayLater("resource-detail/changed-not-shown")
    : `${before ?? sayLater("resource-detail/not-set")} \u2192 ${after ?? sayLater("resource-detail/not-set")}`;
  return (
    <div>
      <code>{path}</code> {values}
    </div>
  );
}
