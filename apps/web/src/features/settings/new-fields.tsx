"use client";
import { useId, type ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import styles from "./settings.module.css";

/** What a new environment has besides its settings. */
export interface NewEnvironmentFields {
  readonly name: string;
  readonly externalUrl: string;
  /** Empty: by its name. */
  readonly tier: string;
}

/** Nothing was entered yet. */
export const NO_NEW: NewEnvironmentFields = { name: "", externalUrl: "", tier: "" };

const TIERS = ["production", "staging", "testing", "development", "other"] as const;

/** Name, address and tier of a new environment. */
export function NewFields(props: {
  readonly fields: NewEnvironmentFields;
  readonly disabled: boolean;
  readonly onFields: (fields: NewEnvironmentFields) => void;
}): ReactNode {
  const { fields, disabled, onFields } = props;
  const id = useId();
  return (
    <div className={styles["new"]}>
      <div className={styles["field"]}>
        <label htmlFor={`${id}-name`}>{tLater("ui/name")}</label>
        <input
          id={`${id}-name`}
          type="text"
          required
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          disabled={disabled}
          value={fields.name}
          onChange={({ target }) => onFields({ ...fields, name: target.value })}
        />
        <p id={`${id}-hint`} className="muted">
          {tLater("settings/name-hint")}
        </p>
      </div>
      <div className={styles["field"]}>
        <label htmlFor={`${id}-url`}>{tLater("settings/external-url")}</label>
        <input
          id={`${id}-url`}
          type="url"
          maxLength={2_000}
          autoComplete="off"
          disabled={disabled}
          value={fields.externalUrl}
          onChange={({ target }) => onFields({ ...fields, externalUrl: target.value })}
        />
      </div>
      <div className={styles["field"]}>
        <label htmlFor={`${id}-tier`}>{tLater("settings/tier")}</label>
        <select
          id={`${id}-tier`}
          disabled={disabled}
          value={fields.tier}
          onChange={({ target }) => onFields({ ...fields, tier: target.value })}
        >
          <option value="">{tLater("settings/tier-by-name")}</option>
          {TIERS.map((tier) => (
            <option key={tier} value={tier} translate="no">
              {tier}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
