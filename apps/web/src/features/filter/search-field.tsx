"use client";
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from "react";
import { Icon } from "../../ui/icon.tsx";
import { runLocalKey } from "../../ui/keys/local-keys.ts";
import { usePageKey } from "../../ui/keys/use-page-key.ts";
import { tLater } from "../../ui/messages.ts";
import { StepButton } from "../../ui/step-button.tsx";
import styles from "./filter-bar.module.css";
import type { SearchHits } from "./search-hits.ts";

const TYPING_MS = 120;

/**
 * Where people type what they look for; `/` goes to it. The text is reported when they pause. With hits it says how many, Enter goes through
 * them, and Escape from the field to the one that is shown.
 */
export function SearchField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hits?: SearchHits | undefined;
}): ReactNode {
  const { label, value, onChange, hits } = props;
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
  const keys = useSearchKey(input);
  const clear = (): void => {
    setText("");
    onChange("");
    input.current?.focus();
  };
  const step = (by: 1 | -1): boolean | undefined => {
    // Enter before the pause has ended: what is typed holds, and its first hit is shown.
    if (text !== value) {
      onChange(text);
      return undefined;
    }
    if (hits === undefined || hits.total === 0 || text === "") return false;
    hits.step(by);
    return undefined;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    runLocalKey("find", event, {
      next: () => step(1),
      previous: () => step(-1),
      down: () => (hits === undefined || hits.total === 0 ? false : hits.leave()),
      leave: () => {
        if (text === "") return false;
        if (hits === undefined || hits.total === 0 || text !== value) clear();
        else hits.leave();
        return undefined;
      },
    });
  };
  const isSettled = text !== "" && text.trim() === value.trim();
  return (
    <span className={`find ${styles["search"]} ${text === "" ? "" : styles["wide"]}`}>
      <Icon name="search" size={14} />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {hits !== undefined && <output className={styles["hits"]}>{isSettled ? hitWords(hits, value) : ""}</output>}
      {text === "" ? (
        keys !== "" && <kbd>{keys}</kbd>
      ) : (
        <span className={styles["steps"]}>
          {hits !== undefined && (
            <>
              <StepButton name="up" label={tLater("find/previous-match")} disabled={hits.total === 0} onPress={() => step(-1)} />
              <StepButton name="down" label={tLater("find/next-match")} disabled={hits.total === 0} onPress={() => step(1)} />
            </>
          )}
          <StepButton name="x" label={tLater("find/clear")} onPress={clear} />
        </span>
      )}
    </span>
  );
}

/** "3 of 45", and how many there are while one is at none. */
function hitWords({ at, total }: SearchHits, looked: string): string {
  if (total === 0) return tLater("find/no-match", { what: looked.trim() });
  return at === 0 ? tLater("find/hits/none-yet", { total }) : tLater("find/hits", { at, total });
}

/** While the field is on the page, the key `/` goes to it and what is in it, unless the focus is in another text field. @returns the keys (`usePageKey`) */
function useSearchKey(input: RefObject<HTMLInputElement | null>): string {
  return usePageKey("search", () => {
    input.current?.focus();
    input.current?.select();
  });
}
