"use client";
import type { Change, ChangeAuthor, FieldChange } from "@binnacle/proto/dashboard";
import { ChangeKind } from "@binnacle/proto/dashboard-enums";
import { Fragment, type ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { tLater } from "../../ui/messages.ts";
import { tLaterElements } from "../../ui/message-elements.ts";
import { shortenEnd } from "../../ui/shorten-end.ts";
import type { WordsId } from "@binnacle/words";
import { OWN_MANAGER } from "./resource-query.ts";

const HAPPENED: Readonly<Record<ChangeKind, WordsId>> = {
  [ChangeKind.UNSPECIFIED]: "resource-detail/changed",
  [ChangeKind.CREATED]: "ui/created",
  [ChangeKind.CHANGED]: "resource-detail/changed",
  [ChangeKind.DELETED]: "resource-detail/deleted",
  [ChangeKind.RECREATED]: "resource-detail/created-again",
};

/** Of a name that its bearer may choose. */
const MAX_NAME_CHARS = 60;

/** One change of a resource: what, by whom, and each field with what it was and is. */
export function ChangeLine({ change }: { readonly change: Change }): ReactNode {
  const { kind, manager, subresource, fields, moreFields, count, afterGap, by } = change;
  const words = [
    // Only the page that deleted a resource knows who did it.
    ...(manager === "" && by === undefined ? [] : [writerWords(manager || OWN_MANAGER, subresource)]),
    ...(by === undefined ? [] : [<Author key="author" by={by} />]),
    ...(by !== undefined && by.others > 0 ? [tLater("resource-detail/same-to-others", { others: by.others })] : []),
    ...(count > 1 ? [tLater("resource-detail/times", { count })] : []),
    ...(afterGap ? [tLater("resource-detail/seen-after-gap")] : []),
  ];
  return (
    <div>
      <b>{tLater(HAPPENED[kind] ?? "resource-detail/changed")}</b>{" "}
      <span className="muted">
        {words.map((word, index) => (
          // Parts of one line, which never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <Fragment key={index}>
            {index > 0 && ", "}
            {word}
          </Fragment>
        ))}
      </span>
      {fields.map((field) => (
        <Field key={field.path} field={field} />
      ))}
      {moreFields > 0 && <div className="muted">{tLater("resource-detail/and-more", { moreFields })}</div>}
    </div>
  );
}

/** The field manager that wrote it; that of actions on our pages is named as people know it. */
function writerWords(manager: string, subresource: string): string {
  const what = subresource === "" ? "" : ` (${subresource})`;
  return manager === OWN_MANAGER ? tLater("resource-detail/from-binnacle", { what }) : tLater("resource-detail/by", { manager, what });
}

/** The viewer who made it on a page: the name that he chose, and the one that is his alone. */
function Author({ by: { name, username } }: { readonly by: ChangeAuthor }): ReactNode {
  const own = `@${drawnName(username)}`;
  const chosen = shortenEnd(drawnName(name), MAX_NAME_CHARS);
  return tLaterElements("resource-detail/by-viewer", {
    who: (
      <span translate="no">
        <bdi>{chosen}</bdi> <bdi>({own})</bdi>
      </span>
    ),
  });
}

function Field({ field: { path, before, after, hidden } }: { readonly field: FieldChange }): ReactNode {
  const values = hidden
    ? tLater("resource-detail/changed-not-shown")
    : `${before ?? tLater("action/not-set")} \u2192 ${after ?? tLater("action/not-set")}`;
  return (
    <div>
      <code>{path}</code> {values}
    </div>
  );
}
