"use client";
import { use, useEffect, useRef, useState, type FocusEvent, type ReactNode } from "react";
import { PinnedOverlays } from "./overlays/pinned-overlays.ts";
import { useOverlays } from "./overlays/use-overlays.ts";
import styles from "./tip.module.css";

const DELAY_MS = 400;

/**
 * The words of a button that shows only a sign: beside it while the pointer rests on it and, other than a `title`, while it has the
 * keyboard's focus. The button bears its name itself. Escape takes it away (WCAG 2.2, 1.4.13).
 */
export function Tip({ text, children }: { readonly text: string; readonly children: ReactNode }): ReactNode {
  const [isRequested, setRequested] = useState(false);
  const isOpen = use(PinnedOverlays) || isRequested;
  const overlays = useOverlays(isOpen);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hide = (): void => {
    clearTimeout(timer.current);
    setRequested(false);
  };
  const showSoon = (): void => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setRequested(true), DELAY_MS);
  };
  const showToKeyboard = (event: FocusEvent): void => {
    if (event.target.matches(":focus-visible")) setRequested(true);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <span
      className={styles["frame"]}
      onPointerEnter={showSoon}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={showToKeyboard}
      onBlur={hide}
    >
      {children}
      {isOpen && overlays !== undefined && <overlays.TipPanel text={text} onClose={hide} />}
    </span>
  );
}
