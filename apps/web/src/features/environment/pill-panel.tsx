"use client";
import type { ReactNode } from "react";
import { Popover, type PopoverProps } from "../../ui/popover.tsx";
import styles from "./environment.module.css";

/** What a pill explains when it is pressed, below it. */
export function PillPanel({ children, ...props }: Pick<PopoverProps, "title" | "renderButton" | "children">): ReactNode {
  return (
    <Popover {...props} hasHead className={styles["access"]}>
      <div className={styles["accessBody"]}>{children}</div>
    </Popover>
  );
}
