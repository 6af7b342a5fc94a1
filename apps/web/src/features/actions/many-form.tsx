"use client";
import { ActionKind } from "@binnacle/proto/action-enums";
import type { ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import styles from "./action-dialog.module.css";
import { CountField, ImageFields, PropagationField } from "./action-form.tsx";
import type { ActionIntent } from "./action-intent.ts";
import type { ContainerImage } from "./many-run.ts";

/** Names in a text, each on a line of its own. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ""));
}

/** Parameters of an action on many resources, one value for all of them; nothing for an action without any. */
export function ManyForm(props: {
  readonly intent: ActionIntent;
  /** Containers that all of them have; absent: it is not known yet. */
  readonly containers: readonly ContainerImage[] | undefined;
  readonly disabled: boolean;
  readonly onIntent: (intent: ActionIntent) => void;
}): ReactNode {
  const { intent, containers, disabled, onIntent } = props;
  if (intent.kind === ActionKind.SET_IMAGE && containers === undefined) return null;
  if (intent.kind === ActionKind.SET_IMAGE && containers?.length === 0)
    return (
      <p className={`${styles["outcome"]} missing`} data-many-container="none">
        {tLater("actions/many-no-container")}
      </p>
    );
  return (
    <div className={styles["form"]}>
      {intent.kind === ActionKind.SCALE && (
        <CountField
          label={tLater("detail/replicas-now")}
          least={0}
          value={intent.replicas}
          disabled={disabled}
          hasFocus={false}
          onValue={(replicas) => onIntent({ kind: intent.kind, ...(replicas !== undefined && { replicas }) })}
        />
      )}
      {intent.kind === ActionKind.SET_IMAGE && (
        <ImageFields intent={intent} images={containers ?? []} disabled={disabled} hasFocus={false} onIntent={onIntent} />
      )}
      {intent.kind === ActionKind.DELETE && <PropagationField intent={intent} disabled={disabled} onIntent={onIntent} />}
    </div>
  );
}

/** Asks for the names of what is destroyed: a confirmation that a habit does not give. */
export function TypedNames(props: {
  readonly names: readonly string[];
  readonly value: string;
  readonly disabled: boolean;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { names, value, disabled, onChange } = props;
  const left = missingNames(names, value);
  return (
    <label className={`${styles["field"]} ${styles["wide"]}`}>
      <span>{tLater("actions/many-names", { count: names.length })}</span>
      <textarea
        className="mono"
        data-typed-names=""
        rows={Math.min(6, names.length + 1)}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        translate="no"
        disabled={disabled}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {value !== "" && left.length > 0 && <span>{tLater("actions/many-names-left", { count: left.length, names: left.join(", ") })}</span>}
    </label>
  );
}

/** Names that a text lacks. */
export function missingNames(names: readonly string[], text: string): readonly string[] {
  const typed = namesIn(text);
  return names.filter((name) => !typed.has(name));
}
