"use client";
import { ActionKind } from "@binnacle/proto/action-enums";
import type { ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import { ACTION_REQUESTS } from "../../resource/node-requests.ts";
import { hasActions } from "../lazy-actions.tsx";
import { useActionReview, type ReviewedResource } from "../use-action-review.ts";

/** Opens the editor by the button of the drawer's actions, which has its right; nothing where edits are not offered. @param present the resource is there */
export function EditButton({ present, ...resource }: ReviewedResource & { readonly present: boolean }): ReactNode {
  const { answer } = useActionReview(resource, present && hasActions(resource.node.ref));
  if (answer?.actions.some(({ kind }) => kind === ActionKind.EDIT) !== true) return null;
  return (
    <button
      type="button"
      className="btn sm"
      aria-haspopup="dialog"
      onClick={() => ACTION_REQUESTS.send(resource.node.id, String(ActionKind.EDIT))}
    >
      {tLater("yaml/edit")}
    </button>
  );
}
