"use client";
import type { ActionParameters } from "@binnacle/proto/dashboard";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { sayLater } from "../../ui/said.ts";
import type { LiveNode } from "../live/live-node.ts";
import { confirmedOf, isUnderWay, type Attempt } from "./action-attempt.ts";
import styles from "./action-dialog.module.css";
import { ActionForm } from "./action-form.tsx";
import { takesParameters, textsOf, type ActionIntent } from "./action-intent.ts";
import { ActionPreviewPart, ConflictPart, FromGit } from "./action-preview.tsx";
import type { ResultIdentity } from "./action-results.ts";
import { attemptWords } from "./attempt-words.ts";
import { markOf } from "./follow-action.ts";
import { MissingRole } from "./missing-role.tsx";
import { newRequestId } from "./request-id.ts";
import { useActionPreview, type Actor } from "./use-action-calls.ts";

/** An action that is about to be confirmed. */
export interface ActionDialogProps {
  readonly of: ResultIdentity;
  readonly node: LiveNode;
  /** What it begins with. */
  readonly intent: ActionIntent;
  /** The preview of that is asked for at once. */
  readonly isComplete: boolean;
  /** The image that each container has now. */
  readonly images: readonly Pick<ActionParameters, "container" | "image">[];
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
  const name = `${node.ref?.kind ?? ""} ${node.ref?.name ?? ""}`;
  return (
    <Dialog title={sayLater(texts.title, { name })} open onClose={onClose}>
      <DialogContent {...props} confirm={sayLater(texts.confirm)} />
    </Dialog>
  );
}

function DialogContent(props: ActionDialogProps & { readonly confirm: string }): ReactNode {
  const { of, node, isComplete, images, roleYaml, actor, attempt, onClose, confirm } = props;
  const { projectPath, environment } = of;
  const target = { projectPath, environment, ...(node.ref && { ref: node.ref }) };
  const [intent, setIntent] = useState(props.intent);
  // One request has one id: what was confirmed once is never sent as another request, however often it is pressed.
  const [requestId, setRequestId] = useState(newRequestId);
  const { preview, reset, ...asked } = useActionPreview(target);
  const previewFirst = useEffectEvent(() => {
    if (isComplete) preview(props.intent);
  });
  useEffect(() => previewFirst(), []);
  const own = attempt?.action.request.requestId === requestId ? attempt : undefined;
  const isWritten = own?.state.kind === "written";
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isWritten) close();
  }, [isWritten]);
  const { answer } = asked;
  const confirmed = answer && asked.intent && confirmedOf(answer, { intent: asked.intent, mark: markOf(node), target, requestId });
  const isEnded = own !== undefined && !isUnderWay(own);
  const canConfirm = confirmed !== undefined && own === undefined;
  const previewAgain = (next: ActionIntent): void => {
    setRequestId(newRequestId());
    preview(next);
  };
  const onIntent = (next: ActionIntent): void => {
    setIntent(next);
    reset();
  };
  return (
    <div className={styles["content"]} data-action-dialog={intent.kind}>
      {answer?.manifest !== undefined && <FromGit manifest={answer.manifest} />}
      {takesParameters(intent.kind) && (
        <ActionForm
          intent={intent}
          images={images}
          disabled={own !== undefined}
          hasFocus={!isComplete}
          isLoading={asked.isLoading}
          onIntent={onIntent}
          onPreview={() => preview(intent)}
        />
      )}
      <output className={styles["preview"]} aria-busy={asked.isLoading}>
        {own?.state.kind === "conflict" ? <ConflictPart attempt={own} state={own.state} /> : <ActionPreviewPart asked={asked} />}
      </output>
      {answer?.refused !== undefined && <MissingRole yaml={roleYaml} />}
      {own !== undefined && <Outcome attempt={own} />}
      <div className={styles["buttons"]}>
        {own?.state.kind === "unknown" && (
          <button type="button" className="btn primary" onClick={actor.check}>
            {sayLater("actions/check")}
          </button>
        )}
        {own?.state.kind === "conflict" && (
          <button type="button" className="btn primary" onClick={() => previewAgain(own.action.intent)}>
            {sayLater("actions/preview-again")}
          </button>
        )}
        {!isEnded && (
          <button
            type="button"
            className="btn primary"
            aria-disabled={!canConfirm}
            onClick={() => {
              if (canConfirm) actor.confirm(confirmed);
            }}
          >
            {confirm}
          </button>
        )}
        <button type="button" className="btn" onClick={onClose}>
          {own === undefined ? sayLater("actions/cancel") : sayLater("actions/close")}
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
