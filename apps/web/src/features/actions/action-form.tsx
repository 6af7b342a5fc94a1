"use client";
import type { ActionParameters, ReviewActionsResponse } from "@binnacle/proto/dashboard";
import { ActionKind, ActionPropagation } from "@binnacle/proto/action-enums";
import type { ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import styles from "./action-dialog.module.css";
import { hasOnlyChoices, type ActionIntent } from "./action-intent.ts";
import { RevisionField } from "./revision-field.tsx";
import type { ReviewedResource } from "./use-action-review.ts";

/** As the server has it. */
const MAX_REPLICAS = 10_000;
const MAX_REASON = 200;

interface FormProps {
  readonly resource: ReviewedResource;
  readonly intent: ActionIntent;
  /** The values that the resource has now; absent: not known. */
  readonly review: ReviewActionsResponse | undefined;
  /** It was sent. */
  readonly disabled: boolean;
  /** The field has the focus first. */
  readonly hasFocus: boolean;
  readonly onIntent: (intent: ActionIntent) => void;
}

/** Fields of an action with parameters. Enter in one of them asks for the preview; a choice does so by itself. */
export function ActionForm(props: FormProps & { readonly isLoading: boolean; readonly onPreview: () => void }): ReactNode {
  const { intent, disabled, isLoading, onPreview } = props;
  const Fields = FIELDS[intent.kind];
  return (
    <form
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled && !isLoading) onPreview();
      }}
    >
      {Fields !== undefined && <Fields {...props} />}
      {!hasOnlyChoices(intent.kind) && (
        <button type="submit" className="btn" aria-disabled={disabled || isLoading}>
          {tLater("actions/preview")}
        </button>
      )}
    </form>
  );
}

const FIELDS: Readonly<Partial<Record<ActionKind, (props: FormProps) => ReactNode>>> = {
  [ActionKind.SCALE]: ({ intent, disabled, hasFocus, onIntent }) => (
    <CountField
      label={tLater("detail/replicas-now")}
      least={0}
      value={intent.replicas}
      disabled={disabled}
      hasFocus={hasFocus}
      onValue={(replicas) => onIntent({ kind: intent.kind, ...(replicas !== undefined && { replicas }) })}
    />
  ),
  [ActionKind.SET_LIMITS]: ({ intent: { minReplicas, maxReplicas, ...intent }, disabled, hasFocus, onIntent }) => (
    <>
      <CountField
        label={tLater("actions/minimum")}
        least={1}
        value={minReplicas}
        disabled={disabled}
        hasFocus={hasFocus}
        onValue={(value) =>
          onIntent({ ...intent, ...(value !== undefined && { minReplicas: value }), ...(maxReplicas !== undefined && { maxReplicas }) })
        }
      />
      <CountField
        label={tLater("actions/maximum")}
        least={minReplicas ?? 1}
        value={maxReplicas}
        disabled={disabled}
        hasFocus={false}
        onValue={(value) =>
          onIntent({ ...intent, ...(minReplicas !== undefined && { minReplicas }), ...(value !== undefined && { maxReplicas: value }) })
        }
      />
    </>
  ),
  [ActionKind.SET_IMAGE]: ({ review, ...props }) => <ImageFields {...props} images={review?.images ?? []} />,
  [ActionKind.ROLL_BACK]: ({ resource, intent, disabled, onIntent }) => (
    <RevisionField
      resource={resource}
      revision={intent.revision}
      disabled={disabled}
      onRevision={(revision) => onIntent({ kind: intent.kind, revision })}
    />
  ),
  [ActionKind.DELETE]: PropagationField,
  [ActionKind.PAUSE_SYNCS]: ({ intent, disabled, hasFocus, onIntent }) => (
    <label className={`${styles["field"]} ${styles["wide"]}`}>
      <span>{tLater("actions/reason")}</span>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the dialog to fill it in
        autoFocus={hasFocus}
        type="text"
        maxLength={MAX_REASON}
        disabled={disabled}
        value={intent.reason ?? ""}
        onChange={({ target: { value } }) => onIntent({ kind: intent.kind, reason: value })}
      />
    </label>
  ),
};

const PROPAGATIONS: Readonly<Record<string, ActionPropagation>> = Object.fromEntries(
  Object.values(ActionPropagation).map((value) => [String(value), value]),
);

/** What becomes of the objects that a deleted object owns. */
export function PropagationField({ intent, disabled, onIntent }: Pick<FormProps, "intent" | "disabled" | "onIntent">): ReactNode {
  return (
    <label className={`${styles["field"]} ${styles["wide"]}`}>
      <span>{tLater("actions/owned-objects")}</span>
      <select
        disabled={disabled}
        value={intent.propagation ?? ActionPropagation.BACKGROUND}
        onChange={({ target: { value } }) =>
          onIntent({ kind: intent.kind, propagation: PROPAGATIONS[value] ?? ActionPropagation.BACKGROUND })
        }
      >
        <option value={ActionPropagation.BACKGROUND}>{tLater("actions/propagation-background")}</option>
        <option value={ActionPropagation.FOREGROUND}>{tLater("actions/propagation-foreground")}</option>
        <option value={ActionPropagation.ORPHAN}>{tLater("actions/propagation-orphan")}</option>
      </select>
    </label>
  );
}

/** A whole number; empty: none yet. */
export function CountField(props: {
  readonly label: string;
  readonly least: number;
  readonly value: number | undefined;
  readonly disabled: boolean;
  readonly hasFocus: boolean;
  readonly onValue: (value: number | undefined) => void;
}): ReactNode {
  const { label, least, value, disabled, hasFocus, onValue } = props;
  return (
    <label className={styles["field"]}>
      <span>{label}</span>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the dialog to fill it in
        autoFocus={hasFocus}
        type="number"
        min={least}
        max={MAX_REPLICAS}
        step={1}
        required
        disabled={disabled}
        value={value ?? ""}
        onFocus={(event) => event.target.select()}
        onChange={({ target }) => onValue(target.value === "" ? undefined : Number(target.value))}
      />
    </label>
  );
}

/** A container, where there are several, and its image. */
export function ImageFields(
  props: Pick<FormProps, "intent" | "disabled" | "hasFocus" | "onIntent"> & {
    readonly images: readonly Pick<ActionParameters, "container" | "image">[];
  },
): ReactNode {
  const { intent, images, disabled, hasFocus, onIntent } = props;
  return (
    <>
      {images.length > 1 && (
        <label className={styles["field"]}>
          <span>{tLater("ui/container")}</span>
          <select
            disabled={disabled}
            value={intent.container ?? ""}
            onChange={({ target: { value } }) =>
              onIntent({ kind: intent.kind, container: value, image: images.find(({ container }) => container === value)?.image ?? "" })
            }
          >
            {images.map(({ container }) => (
              <option key={container}>{container}</option>
            ))}
          </select>
        </label>
      )}
      <label className={`${styles["field"]} ${styles["wide"]}`}>
        <span>
          {images.length === 1 && intent.container !== undefined
            ? tLater("actions/image-of", { container: intent.container })
            : tLater("detail/image")}
        </span>
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the dialog to fill it in
          autoFocus={hasFocus}
          type="text"
          className="mono"
          maxLength={512}
          required
          spellCheck={false}
          autoCapitalize="off"
          autoComplete="off"
          translate="no"
          disabled={disabled}
          value={intent.image ?? ""}
          onChange={({ target: { value } }) => onIntent({ ...intent, image: value.trim() })}
        />
      </label>
    </>
  );
}
