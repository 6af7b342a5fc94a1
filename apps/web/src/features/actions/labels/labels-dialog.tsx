/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> does not lay out as a grid in all browsers */
"use client";
import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { randomId } from "../../../ui/random-id.ts";
import { messageText, tLater } from "../../../ui/messages.ts";
import { MissingRole } from "../../resource/missing-role.tsx";
import { REQUEST_ID_BYTES } from "../action-attempt.ts";
import dialogStyles from "../action-dialog.module.css";
import type { ActionDialogProps } from "../action-dialog.tsx";
import { ActionPreviewPart, ConflictPart } from "../action-preview.tsx";
import { attemptWords, sentenceOf } from "../attempt-words.ts";
import { FromGit, OutcomeButtons } from "../confirmation-parts.tsx";
import { entryProblem, type MetadataEntry } from "../label-syntax.ts";
import { useActionPreview } from "../use-action-calls.ts";
import { useConfirmation } from "../use-confirmation.ts";
import styles from "./labels-dialog.module.css";

/** Labels and annotations of a resource as rows, then what the cluster says of the changes in a dry run, and one press that sends them. */
export function LabelsDialog(props: ActionDialogProps): ReactNode {
  const { node, onClose } = props;
  const name = `${node.ref?.kind ?? ""} ${node.ref?.name ?? ""}`;
  return (
    <Dialog title={tLater("actions/edit-labels-title", { name })} open onClose={onClose}>
      <LabelsContent {...props} name={name} />
    </Dialog>
  );
}

function LabelsContent(props: ActionDialogProps & { readonly name: string }): ReactNode {
  const { of, node, intent, roleYaml, actor, onClose, name } = props;
  const { projectPath, environment } = of;
  const { preview: read, ...reading } = useActionPreview({ projectPath, environment, ...(node.ref && { ref: node.ref }) });
  const { previewState, own, isEnded, preview, reset, confirm } = useConfirmation(props);
  const [edited, setEdited] = useState<readonly LabelRow[]>();
  const rows = edited ?? (reading.answer && rowsOf(reading.answer.entries, intent.entries));
  const readFirst = useEffectEvent(() => {
    read({ intent: { kind: intent.kind }, requestId: randomId(REQUEST_ID_BYTES) });
    if (intent.entries !== undefined) preview(intent);
  });
  useEffect(() => readFirst(), []);
  const edit = (next: readonly LabelRow[]): void => {
    setEdited(next);
    reset();
  };
  const changes = rows === undefined ? [] : changesOf(rows);
  const mayPreview =
    rows !== undefined &&
    own === undefined &&
    !previewState.isLoading &&
    changes.length > 0 &&
    rows.every((row) => problemOf(rows, row) === "");
  const refused = reading.answer?.refused;
  return (
    <div className={dialogStyles["content"]} data-action-dialog={intent.kind}>
      {previewState.answer?.manifest !== undefined && <FromGit manifest={previewState.answer.manifest} />}
      {rows === undefined && reading.problem === undefined && <p className="muted">{tLater("actions/labels-loading")}</p>}
      {reading.problem !== undefined && (
        <p className={`${dialogStyles["outcome"]} degraded`}>
          {tLater("actions/preview-failed", { sentence: sentenceOf(reading.problem) })}
        </p>
      )}
      {refused !== undefined && (
        <p className={`${dialogStyles["outcome"]} degraded`}>{tLater("actions/refused", { sentence: sentenceOf(messageText(refused)) })}</p>
      )}
      {rows !== undefined && refused === undefined && (
        <form
          className={styles["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            if (mayPreview) preview({ kind: intent.kind, entries: changes });
          }}
        >
          <Rows rows={rows} annotation={false} disabled={own !== undefined} onRows={edit} />
          <Rows rows={rows} annotation disabled={own !== undefined} onRows={edit} />
          <button type="submit" className="btn" aria-disabled={!mayPreview}>
            {tLater("actions/preview")}
          </button>
        </form>
      )}
      <output className={dialogStyles["preview"]} aria-busy={previewState.isLoading}>
        {own?.state.kind === "conflict" ? (
          <ConflictPart attempt={own} state={own.state} />
        ) : (
          <ActionPreviewPart previewState={previewState} name={name} />
        )}
      </output>
      {previewState.answer?.refused !== undefined && <MissingRole yaml={roleYaml} />}
      {own !== undefined && own.state.kind !== "written" && own.state.kind !== "conflict" && (
        <p className={`${dialogStyles["outcome"]} ${attemptWords(own).look}`} data-action-outcome={own.state.kind}>
          {attemptWords(own).text}
        </p>
      )}
      <div className={dialogStyles["buttons"]}>
        <OutcomeButtons attempt={own} actor={actor} size="primary" />
        {(own?.state.kind === "conflict" || own?.state.kind === "changed") && (
          <button type="button" className="btn primary" onClick={() => preview(own.action.intent)}>
            {tLater("actions/preview-again")}
          </button>
        )}
        {!isEnded && (
          <button type="button" className="btn primary" aria-disabled={confirm === undefined} onClick={confirm}>
            {tLater("actions/edit-labels-confirm")}
          </button>
        )}
        <button type="button" className="btn" onClick={onClose}>
          {own === undefined ? tLater("ui/cancel") : tLater("ui/close")}
        </button>
      </div>
    </div>
  );
}

function Rows(props: {
  readonly rows: readonly LabelRow[];
  readonly annotation: boolean;
  readonly disabled: boolean;
  readonly onRows: (rows: readonly LabelRow[]) => void;
}): ReactNode {
  const { rows, annotation, disabled, onRows } = props;
  const shown = rows.filter((row) => row.annotation === annotation);
  const put = (row: LabelRow): void => onRows(rows.map((each) => (each.id === row.id ? row : each)));
  return (
    <div className={styles["list"]} role="group" aria-label={tLater(annotation ? "detail/annotations" : "ui/labels")}>
      <b>{tLater(annotation ? "detail/annotations" : "ui/labels")}</b>
      {shown.length === 0 && <p className="muted">{tLater("actions/labels-none")}</p>}
      {shown.map((row) => (
        <Row
          key={row.id}
          row={row}
          problem={problemOf(rows, row)}
          disabled={disabled}
          onRow={put}
          onDrop={() => onRows(rows.filter(({ id }) => id !== row.id))}
        />
      ))}
      <button
        type="button"
        className="btn ghost sm"
        aria-disabled={disabled}
        onClick={() => {
          if (!disabled) onRows(withRow(rows, annotation));
        }}
      >
        <Icon name="plus" size={14} />
        {tLater(annotation ? "actions/annotation-add" : "actions/label-add")}
      </button>
    </div>
  );
}

function Row(props: {
  readonly row: LabelRow;
  readonly problem: string;
  readonly disabled: boolean;
  readonly onRow: (row: LabelRow) => void;
  readonly onDrop: () => void;
}): ReactNode {
  const { row, problem, disabled, onRow, onDrop } = props;
  const isNew = row.present === undefined;
  const named = (what: string): string => (row.key === "" ? what : tLater("actions/label-of", { key: row.key, what }));
  const text = { type: "text", className: "mono", spellCheck: false, autoCapitalize: "off", autoComplete: "off", translate: "no" } as const;
  const valueProps = {
    "aria-label": named(tLater("actions/label-value")),
    "aria-invalid": problem !== "",
    placeholder: isNew ? tLater("actions/label-value") : undefined,
    disabled: disabled || row.isRemoved,
    value: row.value,
    onChange: ({ target: { value } }: { readonly target: { readonly value: string } }) => onRow({ ...row, value }),
  };
  return (
    <div className={styles["row"]} data-label-row={row.isRemoved ? "removed" : "kept"}>
      {isNew ? (
        <input
          {...text}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user added the row to fill it in
          autoFocus
          aria-label={tLater("actions/label-key")}
          placeholder={tLater("actions/label-key")}
          maxLength={317}
          disabled={disabled}
          value={row.key}
          onChange={({ target: { value } }) => onRow({ ...row, key: value.trim() })}
        />
      ) : (
        <code translate="no">{row.key}</code>
      )}
      {row.present?.includes("\n") === true ? (
        // A field of one line would lose the others.
        <textarea className="mono" rows={3} {...valueProps} />
      ) : (
        <input {...text} {...valueProps} />
      )}
      <button
        type="button"
        className="btn ghost sm"
        aria-label={named(tLater(row.isRemoved ? "actions/label-keep" : "actions/label-remove"))}
        aria-disabled={disabled}
        onClick={() => {
          if (disabled) return;
          if (isNew) onDrop();
          else onRow({ ...row, isRemoved: !row.isRemoved });
        }}
      >
        {tLater(row.isRemoved ? "actions/label-keep" : "actions/label-remove")}
      </button>
      {problem !== "" && (
        <p className={`${dialogStyles["outcome"]} degraded`} data-label-problem="">
          {problem}
        </p>
      )}
    </div>
  );
}

/** What is wrong with a row, as a sentence; empty: nothing, or nothing is changed by it. */
function problemOf(rows: readonly LabelRow[], row: LabelRow): string {
  const [change] = changesOf([row]);
  if (change === undefined || row.isRemoved) return "";
  const id = isTwice(rows, row) ? "action/label-twice" : entryProblem(change);
  return id === undefined ? "" : tLater("actions/note", { sentence: sentenceOf(tLater(id, { key: row.key })) });
}

/** A label or an annotation in the form. */
interface LabelRow {
  /** Stays when the key is edited. */
  readonly id: number;
  readonly annotation: boolean;
  readonly key: string;
  readonly value: string;
  /** The value that the object has; absent: the row was added. */
  readonly present?: string;
  readonly isRemoved: boolean;
}

/** Rows for what an object has, with changes, such as the reverse of an earlier action, made to them. */
export function rowsOf(present: readonly MetadataEntry[], changes: readonly MetadataEntry[] = []): readonly LabelRow[] {
  const changeOf = (entry: MetadataEntry): MetadataEntry | undefined => changes.find((change) => isSameKey(change, entry));
  const kept = present.map((entry, id): LabelRow => {
    const { annotation, key, value = "" } = entry;
    const change = changeOf(entry);
    return {
      id,
      annotation,
      key,
      value: change?.value ?? value,
      present: value,
      isRemoved: change !== undefined && change.value === undefined,
    };
  });
  const added = changes.filter((change) => change.value !== undefined && !present.some((entry) => isSameKey(change, entry)));
  return [
    ...kept,
    ...added.map(({ annotation, key, value = "" }, index) => ({ id: kept.length + index, annotation, key, value, isRemoved: false })),
  ];
}

/** Rows with an empty one at the end of the labels or annotations. */
export function withRow(rows: readonly LabelRow[], annotation: boolean): readonly LabelRow[] {
  return [...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, annotation, key: "", value: "", isRemoved: false }];
}

/** What is sent: values that are another one, and keys that are removed. A row without a key and a value is none. */
export function changesOf(rows: readonly LabelRow[]): readonly MetadataEntry[] {
  return rows.flatMap(({ annotation, key, value, present, isRemoved }): readonly MetadataEntry[] => {
    if (isRemoved) return [{ annotation, key }];
    if (present === value || (present === undefined && key === "" && value === "")) return [];
    return [{ annotation, key, value }];
  });
}

/** Whether another row has the key of a row that was added. */
export function isTwice(rows: readonly LabelRow[], row: LabelRow): boolean {
  return row.present === undefined && rows.some((other) => other.id !== row.id && isSameKey(other, row));
}

function isSameKey(one: MetadataEntry, other: MetadataEntry): boolean {
  return one.key === other.key && one.annotation === other.annotation;
}
