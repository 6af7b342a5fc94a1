"use client";
import type { EditConflict, EditField, PreviewActionResponse } from "@binnacle/proto/dashboard";
import { visibleText } from "@binnacle/words";
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { LazyCode, useLazyCode } from "../../../ui/lazy-code.ts";
import { messageText, t, tLater } from "../../../ui/messages.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { sentenceOf } from "../attempt-words.ts";
import { FromGit } from "../confirmation-parts.tsx";
import styles from "./edit-dialog.module.css";
import type { KindSchema } from "./schema-path.ts";
import type { OpenDocument } from "./use-document.ts";
import { YamlEditor, type EditorProblem } from "./yaml-editor.ts";

/** An editor is opened more often than its changes are reviewed. */
const LAZY_DIFF = new LazyCode(async () => (await import("./edit-diff.tsx")).EditDiff);
/** Managers that are named of a field. */
const MAX_MANAGERS = 3;

/** What an edit would do, as the cluster says in a dry run. */
export function EditReview(props: {
  readonly answer: PreviewActionResponse;
  readonly before: string;
  /** As the viewer has written it: of a Secret the server shows no result. */
  readonly edited: string;
}): ReactNode {
  const { answer, before, edited } = props;
  const { edit, manifest, notes, refused } = answer;
  const { code: EditDiff, failure } = useLazyCode(LAZY_DIFF, true);
  const managed = (edit?.fields ?? []).filter(({ managers }) => managers.length > 0);
  const others = notes.filter(({ id }) => manifest === undefined || id !== "action/git-reverts");
  return (
    <div className={styles["review"]} data-edit-review="">
      {manifest !== undefined && <FromGit manifest={manifest} />}
      {EditDiff !== undefined && (
        <EditDiff before={before} after={edit?.resultYaml === "" || edit === undefined ? edited : edit.resultYaml} />
      )}
      {EditDiff === undefined && failure === undefined && <Skeleton rows={4} label={tLater("ui/loading")} />}
      {failure !== undefined && <p className={`${styles["outcome"]} degraded`}>{t("ui/file-unavailable")}</p>}
      {others.map((note) => (
        <Note key={messageText(note)} text={sentenceOf(messageText(note))} />
      ))}
      {edit?.warnings.map((warning) => (
        <Note key={warning} text={tLater("edit-page/warning", { text: visibleText(warning) })} />
      ))}
      {managed.length > 0 && (
        <section aria-label={tLater("edit-page/managed")} className={styles["fields"]}>
          <p>{tLater("edit-page/managed")}</p>
          <Fields fields={managed} />
        </section>
      )}
      {refused !== undefined && (
        <p className={`${styles["outcome"]} degraded`} data-action-outcome="refused">
          {sentenceOf(messageText(refused))}
        </p>
      )}
    </div>
  );
}

/** Fields with who manages them. */
export function Fields({ fields }: { readonly fields: readonly EditField[] }): ReactNode {
  return (
    <ul>
      {fields.slice(0, 20).map(({ path, managers }) => (
        <li key={path}>
          <code translate="no">{path}</code> <span className="muted">{managersOf(managers)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Fields that the viewer and another writer have both changed: the value at first, the viewer's, and the present one. */
export function Conflicts({ conflicts }: { readonly conflicts: readonly EditConflict[] }): ReactNode {
  return (
    <ul className={styles["conflicts"]} data-edit-conflicts="">
      {conflicts.map(({ path, managers, before, edited, present, hidden }) => (
        <li key={path}>
          <p>
            <code translate="no">{path}</code> <span className="muted">{managersOf(managers)}</span>
          </p>
          {hidden ? (
            <p className="muted">{tLater("edit-page/hidden")}</p>
          ) : (
            <dl>
              <Value label={tLater("edit-page/opened")} value={before} />
              <Value label={tLater("edit-page/yours")} value={edited} />
              <Value label={tLater("actions/present-value")} value={present} />
            </dl>
          )}
        </li>
      ))}
    </ul>
  );
}

function Value({ label, value }: { readonly label: string; readonly value: string | undefined }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value === undefined ? <i>{tLater("action/not-set")}</i> : <code translate="no">{visibleText(value)}</code>}</dd>
    </div>
  );
}

function Note({ text }: { readonly text: string }): ReactNode {
  return (
    <p className={styles["note"]}>
      <Icon name="info" size={14} />
      <span>{text}</span>
    </p>
  );
}

/** "kubectl, argocd and 2 more" */
export function managersOf(managers: readonly string[]): string {
  const names = managers.slice(0, MAX_MANAGERS).map(visibleText).join(", ");
  const count = managers.length - MAX_MANAGERS;
  return count > 0 ? tLater("edit-page/managers", { names, count }) : names;
}

/** The text of a document, its problems at their lines, and how it is left by keyboard. */
export function EditorField(props: {
  readonly document: OpenDocument;
  readonly label: string;
  readonly schema: KindSchema | null | undefined;
  readonly problems: readonly EditorProblem[];
  /** Called with the editor, and without one when it is gone. */
  readonly onEditor: (editor: YamlEditor | undefined) => void;
  readonly onText: (text: string) => void;
  readonly onReview: () => void;
}): ReactNode {
  const { document: shown, schema, problems } = props;
  const [editor, setEditor] = useState<YamlEditor>();
  const place = useRef<HTMLDivElement>(null);
  const hint = useId();
  const onText = useEffectEvent(props.onText);
  const onReview = useEffectEvent(props.onReview);
  const onEditor = useEffectEvent((made: YamlEditor | undefined) => {
    setEditor(made);
    props.onEditor(made);
  });
  const begin = useEffectEvent((parent: HTMLElement) => {
    const options = { text: shown.text, label: props.label, describedBy: hint };
    return new YamlEditor(parent, { ...options, onChange: (text) => onText(text), onReview: () => onReview() });
  });
  useEffect(() => {
    if (place.current === null) return undefined;
    const made = begin(place.current);
    onEditor(made);
    made.focus();
    return () => {
      onEditor(undefined);
      made.close();
    };
  }, []);
  useEffect(() => editor?.setSchema(schema ?? undefined), [editor, schema]);
  useEffect(() => editor?.setProblems(problems), [editor, problems]);
  return (
    <>
      {/* Escape in the editor is for the editor. */}
      <div ref={place} className={styles["editor"]} data-takes-escape="" data-yaml-editor="" />
      <p id={hint} className={styles["hint"]}>
        {tLater("edit-page/keys")} {schema === null && tLater("edit-page/no-schema")}
      </p>
    </>
  );
}
