"use client";
import { useState, type ReactNode, type SubmitEvent } from "react";
import styles from "./saved-views.module.css";
import { cleanName, MOST_NAME_CHARS } from "./saved-views.ts";

/** A field for a name and the button that takes it; it does nothing without one. */
export function NameForm(props: {
  readonly label: string;
  readonly action: string;
  readonly first?: string;
  readonly onName: (name: string) => void;
}): ReactNode {
  const { label, action, first = "", onName } = props;
  const [text, setText] = useState(first);
  const name = cleanName(text);
  const take = (event: SubmitEvent): void => {
    event.preventDefault();
    if (name === "") return;
    onName(name);
    setText("");
  };
  return (
    <form className={styles["form"]} onSubmit={take}>
      <span className="find">
        <input
          type="text"
          aria-label={label}
          placeholder={label}
          value={text}
          maxLength={MOST_NAME_CHARS}
          onChange={(event) => setText(event.target.value)}
        />
      </span>
      <button type="submit" className="btn sm primary" aria-disabled={name === ""}>
        {action}
      </button>
    </form>
  );
}
