"use client";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import styles from "../keyboard-help.module.css";
import { tLater } from "../messages.ts";
import { isOfPage, takenBy, type ShortcutNow } from "./all-shortcuts.ts";
import { isMacKeyboard, keyWords } from "./key-words.ts";
import { nameOfKey } from "./name-of-key.ts";
import { giveKeys, hasOwn, isTyped } from "./own-keys.ts";

/** Keys that are on their way to a character. */
const SILENT: ReadonlySet<string> = new Set(["Shift", "Control", "Meta", "AltGraph", "CapsLock", "Dead"]);

/** Gives a shortcut other keys, or its first ones again. Nothing for what only Enter, arrows and the like do: those are as everywhere. */
export function ChangeKeys({ shortcut }: { readonly shortcut: ShortcutNow }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  if (!shortcut.keys.some(isTyped)) return null;
  const does = tLater(shortcut.does);
  const done = (): void => {
    setAsking(false);
    requestAnimationFrame(() => change.current?.focus());
  };
  if (isAsking) return <AskForKeys shortcut={shortcut} onDone={done} />;
  return (
    <dd className={styles["change"]}>
      <button
        ref={change}
        type="button"
        className="btn ghost sm"
        aria-label={tLater("keys/change-what", { does })}
        onClick={() => setAsking(true)}
      >
        {tLater("keys/change")}
      </button>
      {hasOwn(shortcut.name) && (
        <button
          type="button"
          className="btn ghost sm"
          aria-label={tLater("keys/reset-what", { does })}
          onClick={() => {
            giveKeys(shortcut.name, undefined);
            change.current?.focus();
          }}
        >
          {tLater("keys/reset")}
        </button>
      )}
    </dd>
  );
}

function AskForKeys({ shortcut, onDone }: { readonly shortcut: ShortcutNow; readonly onDone: () => void }): ReactNode {
  const [first, setFirst] = useState("");
  const [problem, setProblem] = useState("");
  const keep = (keys: string): void => {
    const other = takenBy(shortcut, keys);
    if (other === undefined) {
      giveKeys(shortcut.name, keys);
      onDone();
      return;
    }
    setFirst("");
    setProblem(tLater("keys/taken", { keys: wordsOf(keys), does: tLater(other.does), others: other.keys.map(wordsOf).join(", ") }));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Tab") return;
    event.preventDefault();
    if (event.key === "Escape") onDone();
    else if (event.key === "Backspace") setFirst("");
    else if (event.key === "Enter" && first !== "") keep(first);
    else hear(nameOfKey(event));
  };
  const hear = (name: string | undefined): void => {
    if (name === undefined || SILENT.has(name.split("+").at(-1) ?? "")) return;
    const keys = first === "" ? name : `${first} ${name}`;
    if (!isTyped(keys)) setProblem(tLater("keys/not-typed"));
    else if (first === "" && name.length === 1 && isOfPage(shortcut.scope)) setFirst(name);
    else keep(keys);
  };
  return (
    <dd className={`${styles["change"]} ${styles["asking"]}`} data-takes-escape>
      {/* What is pressed is shown, not typed. */}
      <input
        ref={(field) => field?.focus()}
        type="text"
        readOnly
        aria-label={tLater("keys/new-keys", { does: tLater(shortcut.does) })}
        value={first === "" ? tLater("keys/press") : tLater("keys/press-second", { first: wordsOf(first) })}
        onKeyDown={onKeyDown}
      />
      <button type="button" className="btn ghost sm" onClick={onDone}>
        {tLater("ui/cancel")}
      </button>
      {problem !== "" && (
        <span role="alert" ref={(alert) => alert?.scrollIntoView({ block: "nearest" })}>
          {problem}
        </span>
      )}
    </dd>
  );
}

function wordsOf(keys: string): string {
  return keyWords(keys, isMacKeyboard()).join(" ");
}
