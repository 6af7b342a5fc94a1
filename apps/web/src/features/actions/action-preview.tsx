"use client";
import type { ActionField, PreviewActionResponse, ActionEffect } from "@binnacle/proto/dashboard";
import { ActionEffectKind, ActionKind } from "@binnacle/proto/action-enums";
import { visibleText } from "@binnacle/words";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import type { Attempt, AttemptState } from "./action-attempt.ts";
import styles from "./action-dialog.module.css";
import { isCreation, isRemoval } from "./action-intent.ts";
import { sentenceOf } from "./attempt-words.ts";
import type { ActionPreview } from "./use-action-calls.ts";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import actionEffectsStyles from "./action-effects.module.css";

/** What an action would do, as the cluster says in a dry run. */
export function ActionPreviewPart(props: {
  readonly previewState: Pick<ActionPreview, "isLoading" | "answer" | "problem" | "question">;
  /** Kind and name of the resource. */
  readonly name: string;
}): ReactNode {
  const { isLoading, answer, problem, question } = props.previewState;
  if (isLoading) return <p className="muted">{tLater("actions/previewing")}</p>;
  if (problem !== undefined)
    return <p className={`${styles["outcome"]} degraded`}>{tLater("actions/preview-failed", { sentence: sentenceOf(problem) })}</p>;
  if (answer === undefined) return <p className="muted">{tLater("actions/preview-hint")}</p>;
  const { field, refused, manifest } = answer;
  const isChanged = field !== undefined && field.before !== field.after;
  // With a location in a file, the link above shows it.
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

/** What an action does to other objects and what may be in its way: a sentence each, with the names of the objects. */
export function ActionEffects({ effects }: { readonly effects: readonly ActionEffect[] }): ReactNode {
  if (effects.length === 0) return null;
  return (
    <section className={actionEffectsStyles["effects"]} aria-label={tLater("actions/effects")}>
      <h3>{tLater("actions/effects")}</h3>
      <ul>
        {effects.map((effect) => (
          <li key={messageText(effect.words)} data-effect={effect.kind} data-obstacle={effect.isObstacle}>
            <StateGlyph look={lookOf(effect)} />
            <div>
              <p>{tLater("actions/note", { sentence: sentenceOf(messageText(effect.words)) })}</p>
              <Names names={effect.names} more={effect.moreNames} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Names({ names, more }: { readonly names: readonly string[]; readonly more: number }): ReactNode {
  if (names.length === 0) return null;
  return (
    <ul className={actionEffectsStyles["names"]}>
      {names.map((name) => (
        <li key={name} translate="no">
          {name}
        </li>
      ))}
      {more > 0 && <li className="muted">{tLater("ui/and-more", { count: more })}</li>}
    </ul>
  );
}

function lookOf({ kind, isObstacle }: Pick<ActionEffect, "kind" | "isObstacle">): StateLook {
  if (isObstacle) return "degraded";
  switch (kind) {
    case ActionEffectKind.REPLACED:
      return "progressing";
    case ActionEffectKind.REMOVED:
      return "missing";
    case ActionEffectKind.BUDGET:
    case ActionEffectKind.QUOTA:
      return "neutral";
    default:
      return "unknown";
  }
}
