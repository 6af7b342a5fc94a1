"use client";
import type { ActionField, PreviewActionResponse } from "@binnacle/proto/dashboard";
import { ActionEffectKind, ActionKind } from "@binnacle/proto/action-enums";
import { visibleText } from "@binnacle/words";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import type { Attempt, AttemptState } from "./action-attempt.ts";
import styles from "./action-dialog.module.css";
import { ActionEffects } from "./action-effects.tsx";
import { isCreation, isRemoval } from "./action-intent.ts";
import { sentenceOf } from "./attempt-words.ts";
import type { ActionPreview } from "./use-action-calls.ts";

/** What an action would do, as the cluster says in a dry run. */
export function ActionPreviewPart(props: {
  readonly asked: Pick<ActionPreview, "isLoading" | "answer" | "problem" | "question">;
  /** Kind and name of the resource. */
  readonly name: string;
}): ReactNode {
  const { isLoading, answer, problem, question } = props.asked;
  if (isLoading) return <p className="muted">{tLater("actions/previewing")}</p>;
  if (problem !== undefined)
    return <p className={`${styles["outcome"]} degraded`}>{tLater("actions/preview-failed", { sentence: sentenceOf(problem) })}</p>;
  if (answer === undefined) return <p className="muted">{tLater("actions/preview-hint")}</p>;
  const { field, refused, manifest } = answer;
  const isChanged = field !== undefined && field.before !== field.after;
  // With the file's place that is said above, with its link.
  const { effects } = answer;
  const counts = effects.some(({ kind }) => kind === ActionEffectKind.REPLACED);
  const notes = answer.notes.filter(
    ({ id }) => !(manifest !== undefined && id === "action/git-reverts") && !(counts && id === "action/replaces-pods"),
  );
  return (
    <>
      {field !== undefined && isChanged && <Change kind={question?.intent.kind} answer={answer} field={field} name={props.name} />}
      {field !== undefined && !isChanged && <p data-action-outcome="nothing">{tLater("actions/nothing-to-change")}</p>}
      {isChanged && <ActionEffects effects={effects} />}
      {isChanged && notes.length > 0 && (
        <ul className={styles["notes"]}>
          {notes.map((note) => (
            <li key={messageText(note)}>
              <Icon name="info" size={14} />
              <span>{tLater("actions/note", { sentence: sentenceOf(messageText(note)) })}</span>
            </li>
          ))}
        </ul>
      )}
      {refused !== undefined && (
        <p className={`${styles["outcome"]} degraded`} data-action-outcome="refused">
          {tLater("actions/refused", { sentence: sentenceOf(messageText(refused)) })}
        </p>
      )}
    </>
  );
}

/** What is changed: a value, the fields of a template, or a whole object. */
function Change(props: {
  readonly kind: ActionKind | undefined;
  readonly answer: Pick<PreviewActionResponse, "changes" | "moreChanges">;
  readonly field: Pick<ActionField, "path" | "before" | "after">;
  readonly name: string;
}): ReactNode {
  const { kind, answer, field, name } = props;
  if (kind !== undefined && isCreation(kind)) return <p data-change="creation">{tLater("actions/creates-job", { name: field.after })}</p>;
  if (kind !== undefined && isRemoval(kind))
    return <p data-change="removal">{tLater(kind === ActionKind.EVICT ? "actions/evicts" : "actions/deletes", { name })}</p>;
  if (kind !== ActionKind.ROLL_BACK && kind !== ActionKind.EDIT_LABELS) return <BeforeAndAfter field={field} />;
  const { changes, moreChanges } = answer;
  if (changes.length === 0) return <p>{tLater("actions/same-template")}</p>;
  return (
    <>
      {changes.map((change) =>
        change.hidden ? (
          <p key={change.path} data-change="hidden">
            {tLater("actions/hidden-change", { path: change.path })}
          </p>
        ) : (
          <BeforeAndAfter key={change.path} field={change} />
        ),
      )}
      {moreChanges > 0 && <p className="muted">{tLater("actions/more-changes", { count: moreChanges })}</p>}
    </>
  );
}

function BeforeAndAfter({ field }: { readonly field: Pick<ActionField, "path" | "before" | "after"> }): ReactNode {
  return (
    <Values
      path={field.path}
      values={[
        ["before", tLater("actions/present-value"), field.before],
        ["after", tLater("actions/after"), field.after === "" ? undefined : field.after],
      ]}
    />
  );
}

/** A conflict: the value that was previewed, the one that was to be written, and the one that the field has now. */
export function ConflictPart(props: { readonly attempt: Attempt; readonly state: Extract<AttemptState, { kind: "conflict" }> }): ReactNode {
  const { field } = props.attempt.action;
  return (
    <>
      <Values
        path={field.path}
        values={[
          ["before", tLater("actions/conflict-expected"), field.before],
          ["after", tLater("actions/conflict-wanted"), field.after],
          ["present", tLater("actions/present-value"), props.state.present],
        ]}
      />
      <p className={`${styles["outcome"]} missing`} data-action-outcome="conflict">
        {tLater("actions/conflict", { sentence: sentenceOf(props.state.why) })}
      </p>
    </>
  );
}

function Values(props: {
  readonly path: string;
  readonly values: readonly (readonly [key: string, label: string, value: string | undefined])[];
}): ReactNode {
  return (
    <div className={styles["change"]}>
      <code translate="no">{props.path}</code>
      <dl>
        {props.values.map(([key, label, value]) => (
          <div key={key} data-value={key}>
            <dt>{label}</dt>
            <dd>{value === undefined ? <i>{tLater("action/not-set")}</i> : <pre translate="no">{visibleText(value)}</pre>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
