/* oxlint-disable jsx-a11y/prefer-tag-over-role -- an <hr> cannot be moved */
"use client";
import { useEffect, useState, type ReactNode } from "react";
import { say } from "../../ui/said.ts";
import styles from "./drawer.module.css";

const DEFAULT_PX = 400;
const LEAST_PX = 320;
const STEP_PX = 24;

/** Width of the drawer, 400 px at first, at most half the window; and the handle that changes it by pointer or arrow keys. */
export function useDrawerWidth(): { readonly width: number; readonly handle: ReactNode } {
  const [wanted, setWanted] = useState(DEFAULT_PX);
  const [half, setHalf] = useState(720);
  useEffect(() => {
    const measure = (): void => setHalf(Math.floor(innerWidth / 2));
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  const most = Math.max(LEAST_PX, half);
  const width = Math.min(most, Math.max(LEAST_PX, wanted));
  const drag = (event: React.PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    setWanted(innerWidth - event.clientX);
  };
  const onKey = (event: React.KeyboardEvent): void => {
    const step = event.key === "ArrowLeft" ? STEP_PX : event.key === "ArrowRight" ? -STEP_PX : 0;
    if (step === 0) return;
    event.preventDefault();
    setWanted(width + step);
  };
  const handle = (
    <div
      className={styles["handle"]}
      role="separator"
      aria-orientation="vertical"
      aria-label={say("resource-detail/width-details")}
      aria-valuenow={width}
      aria-valuemin={LEAST_PX}
      aria-valuemax={most}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKey}
    />
  );
  return { width, handle };
}
