"use client";
import type { EditConflict, EditField, PreviewActionResponse } from "@binnacle/proto/dashboard";
import { visibleText } from "@binnacle/words";
import type { ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { LazyCode, useLazyCode } from "../../../ui/lazy-code.ts";
import { messageText, t, tLater } from "../../../ui/messages.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { sentenceOf } from "../attempt-words.ts";
import { FromGit } from "../confirmation-parts.tsx";
import styles from "./edit-dialog.module.css";

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
