"use client";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useSearchKey } from "../../ui/use-search-key.ts";
import styles from "./filter-bar.module.css";

const TYPING_MS = 120;

/** Where people type what they look for; `/` goes to it. What is typed is told when they pause. */
export function SearchField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { label, value, onChange } = props;
  const [text, setText] = useState(value);
  const [outer, setOuter] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  // The address changed by itself, by the back button: take it over.
  if (outer !== value) {
    setOuter(value);
    setText(value);
  }
  useEffect(() => {
    if (text === value) return undefined;
    const timer = setTimeout(() => onChange(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  useSearchKey(input);
  return (
    <span className={`find ${styles["search"]}`}>
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") setText("");
        }}
      />
      <kbd>/</kbd>
    </span>
  );
}
