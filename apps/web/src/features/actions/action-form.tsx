"use client";
import type { ActionParameters } from "@binnacle/proto/dashboard";
import { ActionKind } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import styles from "./action-dialog.module.css";
import type { ActionIntent } from "./action-intent.ts";

/** As the server has it. */
const MAX_REPLICAS = 10_000;

/** Fields of an action with parameters. Enter in one of them asks for the preview. */
export function ActionForm(props: {
  readonly intent: ActionIntent;
  readonly images: readonly Pick<ActionParameters, "container" | "image">[];
  /** It was sent. */
  readonly disabled: boolean;
  /** The field has the focus first. */
  readonly hasFocus: boolean;
  readonly isLoading: boolean;
  readonly onIntent: (intent: ActionIntent) => void;
  readonly onPreview: () => void;
}): ReactNode {
  const { intent, images, disabled, hasFocus, isLoading, onIntent, onPreview } = props;
  return (
    <form
      className={styles["form"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled && !isLoading) onPreview();
      }}
    >
      {intent.kind === ActionKind.SCALE ? (
        <label className={styles["field"]}>
          <span>{sayLater("actions/replicas")}</span>
          <input
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that was asked for to fill in
            autoFocus={hasFocus}
            type="number"
            min={0}
            max={MAX_REPLICAS}
            step={1}
            required
            disabled={disabled}
            value={intent.replicas ?? ""}
            onFocus={(event) => event.target.select()}
            onChange={({ target: { value } }) => onIntent({ kind: intent.kind, ...(value !== "" && { replicas: Number(value) }) })}
          />
        </label>
      ) : (
        <>
          {images.length > 1 && (
            <label className={styles["field"]}>
              <span>{sayLater("actions/container")}</span>
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
                ? sayLater("actions/image-of", { container: intent.container })
                : sayLater("actions/image")}
            </span>
            <input
              // oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that was asked for to fill in
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
      )}
      <button type="submit" className="btn" aria-disabled={disabled || isLoading}>
        {sayLater("actions/preview")}
      </button>
    </form>
  );
}
