"use client";
import type { ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { tLater } from "../../ui/messages.ts";
import type { Attempt } from "./action-attempt.ts";
import styles from "./action-dialog.module.css";
import { ActionForm } from "./action-form.tsx";
import { hasAllChoices, hasOnlyChoices, isRemoval, takesParameters, textsOf, type ActionIntent } from "./action-intent.ts";
import { ActionPreviewPart, ConflictPart } from "./action-preview.tsx";
import type { ResultIdentity } from "./action-results.ts";
import { attemptWords } from "./attempt-words.ts";
import { FromGit, OutcomeButtons, TypedName } from "./confirmation-parts.tsx";
import type { ActedNode } from "./follow-action.ts";
import { MissingRole } from "../resource/missing-role.tsx";
import type { Actor } from "./use-action-calls.ts";
import { useConfirmation } from "./use-confirmation.ts";

/** An action that is about to be confirmed. */
export interface ActionDialogProps {
  readonly of: ResultIdentity;
  readonly node: ActedNode;
  /** What it begins with. */
  readonly intent: ActionIntent;
  /** The preview of that is requested at once. */
  readonly isComplete: boolean;
  /** The values that the resource has now; absent: not known. */
  readonly review: ReviewActionsResponse | undefined;
  /** The Role that is missing for it, as YAML; empty unless the review says so. */
  readonly roleYaml: string;
  readonly actor: Actor;
  /** The last attempt on the resource, of this dialog or an earlier one. */
  readonly attempt: Attempt | undefined;
  readonly onClose: () => void;
}

/** Parameters, what the cluster says of them in a dry run, and one press that sends it. Escape closes it and gives the focus back. */
export function ActionDialog(props: ActionDialogProps): ReactNode {
  const { node, intent, onClose } = props;
  const texts = textsOf(intent.kind);
  if (texts === undefined) return null;
  const { label = "" } = intent;
  const name = `${node.ref?.kind ?? ""} ${node.ref?.name ?? ""}`;
  return (
    <Dialog title={tLater(texts.title, { name, label })} open onClose={onClose}>
      <DialogContent {...props} confirm={tLater(texts.confirm, { label })} />
    </Dialog>
  );
}

function DialogContent(props: ActionDialogProps & { readonly confirm: string }): ReactNode {
  const { of, node, isComplete, review, roleYaml, actor, onClose, confirm } = props;
  const { projectPath, environment } = of;
  const name = `${node.ref?.kind ?? ""} ${node.ref?.name ?? ""}`;
  const [intent, setIntent] = useState(props.intent);
  const { previewState, own, isEnded, preview, reset, ...confirmation } = useConfirmation(props);
  const previewFirst = useEffectEvent(() => {
    if (isComplete || hasAllChoices(props.intent)) preview(props.intent);
  });
  useEffect(() => previewFirst(), []);
  const { answer } = previewState;
  const onIntent = (next: ActionIntent): void => {
    setIntent(next);
    if (hasOnlyChoices(next.kind)) preview(next);
    else reset();
  };
  return (
    <div className={styles["content"]} data-action-dialog={intent.kind}>
      {answer?.manifest !== undefined && <FromGit manifest={answer.manifest} />}
      {takesParameters(intent.kind) && (
        <ActionForm
          resource={{ projectPath, environment, node }}
          intent={intent}
          review={review}
          disabled={own !== undefined}
          hasFocus={!isComplete}
          isLoading={previewState.isLoading}
          onIntent={onIntent}
          onPreview={() => preview(intent)}
        />
      )}
      <output className={styles["preview"]} aria-busy={previewState.isLoading}>
        {own?.state.kind === "conflict" ? (
          <ConflictPart attempt={own} state={own.state} />
        ) : (
          <ActionPreviewPart previewState={previewState} name={name} />
        )}
      </output>
      {confirmation.needsName && (
        <TypedName name={node.ref?.name ?? ""} value={confirmation.typedName} onChange={confirmation.setTypedName} />
      )}
      {answer?.refused !== undefined && <MissingRole yaml={roleYaml} />}
      {own !== undefined && <Outcome attempt={own} />}
      <div className={styles["buttons"]}>
        <OutcomeButtons attempt={own} actor={actor} size="primary" />
        {(own?.state.kind === "conflict" || own?.state.kind === "changed") && (
          <button type="button" className="btn primary" onClick={() => preview(own.action.intent)}>
            {tLater("actions/preview-again")}
          </button>
        )}
        {!isEnded && (
          <button
            type="button"
            className={isRemoval(intent.kind) ? "btn danger" : "btn primary"}
            aria-disabled={confirmation.confirm === undefined}
            onClick={confirmation.confirm}
          >
            {confirm}
          </button>
        )}
        <button type="button" className="btn" onClick={onClose}>
          {own === undefined ? tLater("ui/cancel") : tLater("ui/close")}
        </button>
      </div>
    </div>
  );
}

/** What became of it, but for a conflict, which has a table, and what is done, which the drawer shows. */
function Outcome({ attempt }: { readonly attempt: Attempt }): ReactNode {
  if (attempt.state.kind === "written" || attempt.state.kind === "conflict") return null;
  const { look, text } = attemptWords(attempt);
  return (
    <p className={`${styles["outcome"]} ${look}`} data-action-outcome={attempt.state.kind}>
      {text}
    </p>
  );
}
