"use client";
import type { ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { ActionKind } from "@binnacle/proto/action-enums";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { Dialog } from "../../ui/dialog.tsx";
import { randomId } from "../../ui/random-id.ts";
import { sayLater } from "../../ui/said.ts";
import { sayLaterWith } from "../../ui/say-with.ts";
import { confirmedOf, isUnderWay, REQUEST_ID_BYTES, type Attempt } from "./action-attempt.ts";
import styles from "./action-dialog.module.css";
import { ActionForm } from "./action-form.tsx";
import { hasOnlyChoices, isRemoval, takesParameters, textsOf, type ActionIntent } from "./action-intent.ts";
import { ActionPreviewPart, ConflictPart, FromGit } from "./action-preview.tsx";
import type { ResultIdentity } from "./action-results.ts";
import { attemptWords } from "./attempt-words.ts";
import { markOf, type ActedNode } from "./follow-action.ts";
import { MissingRole } from "../resource/missing-role.tsx";
import { useActionPreview, type Actor } from "./use-action-calls.ts";

/** An action that is about to be confirmed. */
export interface ActionDialogProps {
  readonly of: ResultIdentity;
  readonly node: ActedNode;
  /** What it begins with. */
  readonly intent: ActionIntent;
  /** The preview of that is asked for at once. */
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
    <Dialog title={sayLater(texts.title, { name, label })} open onClose={onClose}>
      <DialogContent {...props} confirm={sayLater(texts.confirm, { label })} />
    </Dialog>
  );
}

function DialogContent(props: ActionDialogProps & { readonly confirm: string }): ReactNode {
  const { of, node, isComplete, review, roleYaml, actor, attempt, onClose, confirm } = props;
  const { projectPath, environment } = of;
  const name = `${node.ref?.kind ?? ""} ${node.ref?.name ?? ""}`;
  const target = { projectPath, environment, ...(node.ref && { ref: node.ref }) };
  const [intent, setIntent] = useState(props.intent);
  // One request has one id: what was confirmed once is never sent as another request, however often it is pressed.
  const [requestId, setRequestId] = useState(() => randomId(REQUEST_ID_BYTES));
  const { preview, reset, ...asked } = useActionPreview(target);
  const previewFirst = useEffectEvent(() => {
    if (isComplete || props.intent.kind === ActionKind.DELETE) preview({ intent: props.intent, requestId });
  });
  useEffect(() => previewFirst(), []);
  const own = attempt?.action.request.requestId === requestId ? attempt : undefined;
  const isWritten = own?.state.kind === "written";
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isWritten) close();
  }, [isWritten]);
  const { answer } = asked;
  const [typedName, setTypedName] = useState("");
  const confirmed =
    answer && asked.question && confirmedOf(answer, { ...asked.question, mark: markOf(node), target, typedName: typedName.trim() });
  const isEnded = own !== undefined && !isUnderWay(own);
  const canConfirm = confirmed !== undefined && own === undefined;
  const previewAgain = (again: ActionIntent): void => {
    const next = { intent: again, requestId: randomId(REQUEST_ID_BYTES) };
    setRequestId(next.requestId);
    preview(next);
  };
  const onIntent = (next: ActionIntent): void => {
    setIntent(next);
    if (hasOnlyChoices(next.kind)) previewAgain(next);
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
          isLoading={asked.isLoading}
          onIntent={onIntent}
          onPreview={() => preview({ intent, requestId })}
        />
      )}
      <output className={styles["preview"]} aria-busy={asked.isLoading}>
        {own?.state.kind === "conflict" ? (
          <ConflictPart attempt={own} state={own.state} />
        ) : (
          <ActionPreviewPart asked={asked} name={name} />
        )}
      </output>
      {answer?.needsName === true && answer.refused === undefined && own === undefined && (
        <TypedName name={node.ref?.name ?? ""} value={typedName} onChange={setTypedName} />
      )}
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
            className={isRemoval(intent.kind) ? "btn danger" : "btn primary"}
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

/** Asks for the name of what is destroyed in production: a confirmation that a habit does not give. */
export function TypedName(props: { readonly name: string; readonly value: string; readonly onChange: (value: string) => void }): ReactNode {
  const { name, value, onChange } = props;
  return (
    <label className={`${styles["field"]} ${styles["wide"]}`}>
      <span>
        {sayLaterWith("actions/type-name", {
          name: <code translate="no">{name}</code>,
        })}
      </span>
      <input
        type="text"
        className="mono"
        data-typed-name=""
        maxLength={253}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        translate="no"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
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
