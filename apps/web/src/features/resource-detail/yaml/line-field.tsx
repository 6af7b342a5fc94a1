"use client";
import { useState, type ReactNode } from "react";
import { sayLater } from "../../../ui/said.ts";
import styles from "./yaml.module.css";

/** The lines that the address names, to be read and written with a keyboard: Enter goes there, nothing goes back to none. */
export function LineField({ line, onLine }: { readonly line: string; readonly onLine: (line: string) => void }): ReactNode {
  const [typed, setTyped] = useState(line);
  const [shown, setShown] = useState(line);
  // The address is another: it is shown, unless somebody is writing. The field stays, and with it the focus.
  if (shown !== line) {
    setShown(line);
    if (typed === shown) setTyped(line);
  }
  return (
    <span className={`find ${styles["line"]}`}>
      <input
        inputMode="numeric"
        aria-label={sayLater("yaml/line-field")}
        title={sayLater("yaml/line-field")}
        placeholder={sayLater("yaml/line")}
        value={typed}
        pattern="\d+(-\d+)?"
        onChange={(event) => setTyped(event.target.value.replaceAll(/[^\d-]/g, ""))}
        onBlur={() => setTyped(line)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && event.currentTarget.validity.valid) onLine(typed);
          if (event.key === "Escape") setTyped(line);
        }}
      />
    </span>
  );
}
