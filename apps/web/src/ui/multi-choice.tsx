"use client";
import { useEffect, useRef, type ReactNode } from "react";
import { Icon } from "./icon.tsx";
import styles from "./multi-choice.module.css";

/** A button that opens a list of check boxes; the choice shows on the button. */
export function MultiChoice(props: {
  readonly label: string;
  readonly options: readonly string[];
  readonly chosen: readonly string[];
  readonly wordOf?: (option: string) => string;
  readonly onChange: (chosen: readonly string[]) => void;
}): ReactNode {
  const { label, options, chosen, wordOf = (option) => option, onChange } = props;
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: PointerEvent): void => {
      const inside = event.target instanceof Node && details.current?.contains(event.target) === true;
      if (!inside && details.current !== null) details.current.open = false;
    };
    addEventListener("pointerdown", close);
    return () => removeEventListener("pointerdown", close);
  }, []);
  const text = chosen.length === 0 ? "all" : chosen.length === 1 ? wordOf(chosen[0] ?? "") : `${chosen.length} chosen`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an open list closes on Escape
    <details ref={details} className={styles["choice"]} onKeyDown={closeOnEscape}>
      <summary className="btn sm">
        {label}: {text} <Icon name="down" size={14} />
      </summary>
      <fieldset className={styles["options"]}>
        <legend className="visually-hidden">{label}</legend>
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
          <button type="button" className="btn ghost sm" onClick={() => onChange([])}>
            Show all
          </button>
        )}
      </fieldset>
    </details>
  );
}

function closeOnEscape(event: React.KeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== "Escape" || !event.currentTarget.open) return;
  event.stopPropagation();
  event.currentTarget.open = false;
  event.currentTarget.querySelector("summary")?.focus();
}
