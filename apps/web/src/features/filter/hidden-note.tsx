"use client";
import type { ReactNode } from "react";
import { sayLater } from "../../ui/said.ts";
import styles from "./filter-bar.module.css";

/** What the filters hide, and how they end. */
export interface Hidden {
  readonly count: number;
  readonly onClear: () => void;
}

/** That something is hidden is said wherever something is. */
export function HiddenNote({ count, onClear }: Hidden): ReactNode {
  if (count === 0) return null;
  return (
    <span className={styles["hidden"]}>
      <output className="num">{sayLater("find/hidden", { count })}</output>
      <button type="button" className="linkish" onClick={onClear}>
        {sayLater("find/hidden/clear")}
      </button>
    </span>
  );
}
