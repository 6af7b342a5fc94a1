"use client";
import type { MouseEvent, ReactNode } from "react";
import type { LineRange } from "./line-range.ts";
import styles from "./yaml.module.css";

/** Numbers of lines that stand below each other. A click at one names it in the address, with Shift all from the one that is named. */
export function LineNumbers(props: {
  readonly line: number;
  readonly count: number;
  readonly lines: LineRange | undefined;
  readonly onLine: ((line: number, how: { readonly extends: boolean }) => void) | undefined;
}): ReactNode {
  const { line, count, lines, onLine } = props;
  const click = (event: MouseEvent<HTMLElement>): void => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    // One element for all: a large object has thousands of lines.
    const index = Math.floor(((event.clientY - top) / height) * count);
    onLine?.(line + Math.min(count - 1, Math.max(0, index)), { extends: event.shiftKey });
  };
  const numbers = Array.from({ length: count }, (_, index) => line + index);
  const isMarked = (number: number): boolean => lines !== undefined && number >= lines.from && number <= lines.to;
  const groups = [
    numbers.filter((each) => lines === undefined || each < lines.from),
    numbers.filter(isMarked),
    numbers.filter((each) => lines !== undefined && each > lines.to),
  ];
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- hidden from readers: the field of the tools is the keyboard's way
    <pre className={styles["numbers"]} aria-hidden="true" onClick={click}>
      {groups.every((group, index) => index === 0 || group.length === 0)
        ? numbers.join("\n")
        : groups.map((group, index) =>
            group.length === 0 ? null : (
              // oxlint-disable-next-line react/no-array-index-key -- before, in and after the lines: always these three
              <span key={index} className={index === 1 ? styles["marked"] : styles["block"]}>
                {group.join("\n")}
              </span>
            ),
          )}
    </pre>
  );
}
