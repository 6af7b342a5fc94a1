"use client";
import type { MouseEvent, ReactNode } from "react";
import { Icon } from "./icon.tsx";
import styles from "./multi-choice.module.css";
import { Popover } from "./popover.tsx";
import { tLater } from "./messages.ts";

/** A button that opens a list of check boxes; the choice shows on the button. */
export function MultiChoice(props: {
  readonly label: string;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
  readonly wordOf?: (option: string) => string;
  readonly onChange: (chosen: readonly string[]) => void;
}): ReactNode {
  const { label, options, chosen, wordOf = (option) => option, onChange } = props;
  const showAll = (event: MouseEvent<HTMLButtonElement>): void => {
    // The button goes away with the choice, and must not take the focus with it.
    event.currentTarget.closest("fieldset")?.querySelector("input")?.focus();
    onChange([]);
  };
  const text =
    chosen.length === 0 ? tLater("ui/all") : chosen.length === 1 ? wordOf(chosen[0] ?? "") : tLater("ui/chosen", { count: chosen.length });
  return (
    <Popover
      title={label}
      focus="control"
      renderButton={(press) => (
        <button {...press} className="btn sm">
          <span className={styles["text"]}>{tLater("ui/choice", { label, chosen: text })}</span> <Icon name="down" size={14} />
        </button>
      )}
    >
      <fieldset className={styles["options"]}>
        <legend className="visually-hidden">{label}</legend>
        {options.length === 0 && <span className="muted">{tLater("ui/no-choices")}</span>}
        {options.map((option) => (
          <label key={option}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={(event) => onChange(event.target.checked ? [...chosen, option] : chosen.filter((each) => each !== option))}
            />
            {wordOf(option)}
          </label>
        ))}
        {chosen.length > 0 && (
          <button type="button" className="btn ghost sm" onClick={showAll}>
            {tLater("ui/show-all")}
          </button>
        )}
      </fieldset>
    </Popover>
  );
}
