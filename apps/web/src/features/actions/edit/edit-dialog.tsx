"use client";
import { EditPreference } from "@binnacle/proto/action-enums";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { messageText, tLater } from "../../../ui/messages.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { ActionDialogProps } from "../action-dialog.tsx";
import { attemptWords, sentenceOf } from "../attempt-words.ts";
import { OutcomeButtons, TypedName } from "../confirmation-parts.tsx";
import { useConfirmation } from "../use-confirmation.ts";
import { guardLeaving, leaveUnguarded } from "../../address/leave-guard.ts";
import { MissingRole } from "../../resource/missing-role.tsx";
import styles from "./edit-dialog.module.css";
import { Conflicts, EditReview, Fields, managersOf, EditorField } from "./edit-parts.tsx";
import { useDocument, useSchema, type OpenDocument } from "./use-document.ts";
import type { EditorProblem, YamlEditor } from "./yaml-editor.ts";

const NOWHERE_ELSE = (): void => undefined;
const NO_PROBLEMS: readonly EditorProblem[] = [];

/** An object as YAML to edit, then what the cluster says of the changes in a dry run, and one press that sends them. */
export function EditDialog(props: ActionDialogProps): ReactNode {
  const { node, onClose } = props;
  const [isDirty, setDirty] = useState(false);
  const [leave, setLeave] = useState<() => void>();
  useEffect(() => (isDirty ? guardLeaving((proceed) => setLeave(() => proceed)) : undefined), [isDirty]);
  const keep = (): void => setLeave(undefined);
  const name = `${node.ref?.kind ?? ""} ${node.ref?.name ?? ""}`;
  return (
    <Dialog
      title={tLater("actions/edit-title", { name })}
      open
      onClose={() => {
        if (!isDirty) onClose();
        else if (leave === undefined) setLeave(() => NOWHERE_ELSE);
        else keep();
      }}
    >
      {leave !== undefined && (
        <div className={styles["leave"]} role="alert">
          <p>{tLater("edit-page/unsaved")}</p>
          <div className={styles["buttons"]}>
            <button
              type="button"
              className="btn danger sm"
              onClick={() => {
                onClose();
                leaveUnguarded(leave);
              }}
            >
              {tLater("edit-page/discard")}
            </button>
            <button type="button" className="btn sm" onClick={keep}>
              {tLater("edit-page/keep")}
            </button>
          </div>
        </div>
      )}
      <EditContent
        {...props}
        name={name}
        onDirty={(next) => {
          setDirty(next);
          if (!next) keep();
        }}
      />
    </Dialog>
  );
}

function EditContent(props: ActionDialogProps & { readonly name: string; readonly onDirty: (isDirty: boolean) => void }): ReactNode {
  const { of, node, intent, roleYaml, actor, onDirty, name } = props;
  const { projectPath, environment } = of;
  const { base: firstBase, edited: firstEdited } = intent;
  const first = firstBase === undefined || firstEdited === undefined ? undefined : { base: firstBase, edited: firstEdited };
  const resource = { projectPath, environment, node };
  const { document: shown, isLoading, problem, changed, open } = useDocument(resource, first);
  const schema = useSchema(resource);
  const editor = useRef<YamlEditor>(undefined);
  const [text, setText] = useState<{ readonly serial: number; readonly value: string }>();
  const { previewState, own, isEnded, preview, reset: back, ...confirmation } = useConfirmation(props);
  const isWritten = own?.state.kind === "written";
  const now = text !== undefined && text.serial === shown?.serial ? text.value : (shown?.text ?? "");
  const isChanged = shown !== undefined && now !== shown.yaml;
  const tell = useEffectEvent((isDirty: boolean) => onDirty(isDirty));
  useEffect(() => tell(isChanged && !isWritten), [isChanged, isWritten]);
  const { answer } = previewState;
  const problems = answer?.edit?.problems.map(toProblem) ?? NO_PROBLEMS;
  const isOutdated = answer?.edit?.changedSince === true || own?.state.kind === "conflict" || own?.state.kind === "changed";
  const isReviewed = answer !== undefined && problems.length === 0 && !isOutdated;
  const onReview = (): void => {
    if (shown === undefined || !isChanged || previewState.isLoading) return;
    const { yaml, resourceVersion } = shown;
    preview({ kind: intent.kind, base: yaml, edited: now, resourceVersion });
  };
  const reopen = (how: { readonly reveal: boolean; readonly preference?: EditPreference }): void => {
    if (shown === undefined) return;
    back();
    open({ ...how, ...(isChanged && { changes: { base: shown.yaml, edited: now } }) });
  };
  if (shown === undefined)
    return (
      <div className={styles["content"]}>
        {isLoading ? <Skeleton rows={8} label={tLater("ui/loading")} /> : <p>{sentenceOf(problem ?? "")}</p>}
      </div>
    );
  return (
    <div className={styles["content"]} data-edit-dialog={isReviewed ? "review" : "edit"}>
      {problem !== undefined && <p className={`${styles["outcome"]} degraded`}>{sentenceOf(problem)}</p>}
      <Outdated isOutdated={isOutdated} changed={changed} shown={shown} disabled={isLoading} onRebase={reopen} />
      <div className={styles["document"]} hidden={isReviewed}>
        {shown.isMasked && (
          <p className={styles["note"]}>
            <span>{tLater("edit-page/masked")}</span>
            <button type="button" className="btn sm" disabled={isLoading} onClick={() => reopen({ reveal: true })}>
              {tLater("edit-page/reveal")}
            </button>
          </p>
        )}
        <EditorField
          key={shown.serial}
          document={shown}
          label={tLater("edit-page/editor", { name })}
          schema={schema}
          problems={problems}
          onEditor={(made) => {
            editor.current = made;
          }}
          onText={(next) => {
            setText({ serial: shown.serial, value: next });
            if (answer !== undefined) back();
          }}
          onReview={onReview}
        />
      </div>
      <output aria-busy={previewState.isLoading}>
        {previewState.isLoading && <p className="muted">{tLater("actions/previewing")}</p>}
        {previewState.problem !== undefined && (
          <p className={`${styles["outcome"]} degraded`}>
            {tLater("actions/preview-failed", { sentence: sentenceOf(previewState.problem) })}
          </p>
        )}
        {problems.length > 0 && <Problems problems={problems} onLine={(line) => editor.current?.goTo(line)} />}
        {isReviewed && <EditReview answer={answer} before={shown.yaml} edited={now} />}
      </output>
      {isReviewed && confirmation.needsName && (
        <TypedName name={node.ref?.name ?? ""} value={confirmation.typedName} onChange={confirmation.setTypedName} />
      )}
      {isReviewed && answer.refused !== undefined && <MissingRole yaml={roleYaml} />}
      {own !== undefined && !isWritten && own.state.kind !== "conflict" && (
        <p className={`${styles["outcome"]} ${attemptWords(own).look}`} data-action-outcome={own.state.kind}>
          {attemptWords(own).text}
        </p>
      )}
      <div className={styles["buttons"]}>
        <OutcomeButtons attempt={own} actor={actor} size="primary" />
        {!isReviewed && (
          <button type="button" className="btn primary" aria-disabled={!isChanged || previewState.isLoading} onClick={onReview}>
            {tLater("edit-page/review")}
          </button>
        )}
        {isReviewed && !isEnded && (
          <button type="button" className="btn primary" aria-disabled={confirmation.confirm === undefined} onClick={confirmation.confirm}>
            {tLater("actions/edit-confirm")}
          </button>
        )}
        {isReviewed && (own === undefined || isEnded) && (
          <button type="button" className="btn" onClick={back}>
            {tLater("edit-page/back")}
          </button>
        )}
        {!isChanged && <span className="muted">{tLater("edit-page/nothing")}</span>}
      </div>
    </div>
  );
}

/** The object is another one by now: who has changed what, and two ways to go on. */
function Outdated(props: {
  readonly isOutdated: boolean;
  readonly changed: ReturnType<typeof useDocument>["changed"];
  readonly shown: OpenDocument;
  readonly disabled: boolean;
  readonly onRebase: (how: { readonly reveal: boolean; readonly preference?: EditPreference }) => void;
}): ReactNode {
  const { isOutdated, changed, shown, disabled, onRebase } = props;
  // Of what is no Secret the server reveals nothing.
  const reveal = !shown.isMasked;
  if (!isOutdated && changed.length === 0) {
    if (shown.conflicts.length === 0) return null;
    return (
      <section className={`${styles["outcome"]} missing`} data-edit-rebased="">
        <p>{tLater("edit-page/rebased")}</p>
        <Conflicts conflicts={shown.conflicts} />
      </section>
    );
  }
  const managers = [...new Set(changed.flatMap((field) => field.managers))];
  return (
    <section className={`${styles["outcome"]} missing`} data-edit-outdated="">
      <p>{managers.length === 0 ? tLater("edit-page/changed") : tLater("edit-page/changed-by", { managers: managersOf(managers) })}</p>
      <Fields fields={changed} />
      <div className={styles["buttons"]}>
        <button
          type="button"
          className="btn sm primary"
          disabled={disabled}
          onClick={() => onRebase({ reveal, preference: EditPreference.PRESENT })}
        >
          {tLater("edit-page/rebase")}
        </button>
        <button
          type="button"
          className="btn sm"
          disabled={disabled}
          onClick={() => onRebase({ reveal, preference: EditPreference.EDITED })}
        >
          {tLater("edit-page/rebase-mine")}
        </button>
      </div>
    </section>
  );
}

function Problems(props: { readonly problems: readonly EditorProblem[]; readonly onLine: (line: number) => void }): ReactNode {
  return (
    <ul className={`${styles["outcome"]} degraded`} data-edit-problems="">
      {props.problems.map(({ line, text }) => (
        <li key={`${line} ${text}`}>
          {line > 0 && (
            <button type="button" className="btn ghost sm" onClick={() => props.onLine(line)}>
              {tLater("edit-page/line", { line })}
            </button>
          )}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

function toProblem({
  line,
  path,
  words,
}: {
  readonly line: number;
  readonly path: string;
  readonly words?: Parameters<typeof messageText>[0];
}): EditorProblem {
  const sentence = sentenceOf(messageText(words));
  return { line, text: path === "" || sentence.includes(path) ? sentence : `${path}: ${sentence}` };
}
