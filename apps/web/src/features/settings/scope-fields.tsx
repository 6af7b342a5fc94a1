"use client";
import type { GetEnvironmentSettingsResponse } from "@binnacle/proto/dashboard-settings";
import { SettingsControl } from "@binnacle/proto/settings-enums";
import type { WordsId } from "@binnacle/words";
import { useId, type ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import type { Draft, SettingsFields } from "./draft.ts";
import styles from "./settings.module.css";

/** Fields that are a line of text. */
type TextField = Exclude<keyof SettingsFields, "agentId">;

const FIELDS: readonly {
  readonly name: TextField;
  readonly label: WordsId;
  readonly hint: WordsId;
  readonly controls: readonly SettingsControl[];
}[] = [
  // One namespace is of the main application, several are of the file.
  {
    name: "namespaces",
    label: "settings/namespaces",
    hint: "settings/namespaces-hint",
    controls: [SettingsControl.NAMESPACE, SettingsControl.FILE],
  },
  { name: "selector", label: "settings/selector", hint: "settings/selector-hint", controls: [SettingsControl.FILE] },
  { name: "inventoryId", label: "gitops/inventory", hint: "settings/inventory-hint", controls: [SettingsControl.FILE] },
  { name: "fluxResourcePath", label: "settings/flux", hint: "settings/flux-hint", controls: [SettingsControl.FLUX] },
];

/** Which part of the cluster the environment is. */
export function ScopeFields(props: {
  readonly saved: SettingsFields;
  readonly fields: SettingsFields;
  readonly changed: readonly (keyof SettingsFields)[];
  readonly settings: GetEnvironmentSettingsResponse;
  readonly disabled: (control: SettingsControl) => string | undefined;
  readonly onChange: (change: Draft) => void;
}): ReactNode {
  const { saved, fields, changed, settings, disabled, onChange } = props;
  const { fileEntry } = settings;
  return (
    <fieldset className={styles["scope"]}>
      <legend>{tLater("settings/scope")}</legend>
      {fileEntry.includes("*") && <p className="muted">{tLater("settings/by-pattern", { pattern: fileEntry })}</p>}
      {FIELDS.map(({ name, label, hint, controls }) => {
        const reasons = controls.map(disabled);
        // It can be written to one of its stores.
        const reason = reasons.includes(undefined) ? undefined : reasons[0];
        return (
          <Field
            key={name}
            label={tLater(label)}
            hint={tLater(hint)}
            value={fields[name]}
            before={changed.includes(name) ? saved[name] : undefined}
            reason={reason}
            onValue={(value) => onChange({ [name]: value })}
          />
        );
      })}
    </fieldset>
  );
}

/** A line of text with what it is for, what is set now where that is something else, and why it cannot be changed. */
function Field(props: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly before: string | undefined;
  readonly reason: string | undefined;
  readonly onValue: (value: string) => void;
}): ReactNode {
  const { label, hint, value, before, reason, onValue } = props;
  const id = useId();
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        className="mono"
        maxLength={2_000}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        translate="no"
        aria-describedby={`${id}-hint`}
        disabled={reason !== undefined}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      <p id={`${id}-hint`} className="muted">
        {reason ?? hint}
      </p>
      {before !== undefined && (
        <p className={styles["before"]}>{before === "" ? tLater("settings/now-empty") : tLater("settings/now-set", { value: before })}</p>
      )}
    </div>
  );
}
