"use client";
import type { ReactNode } from "react";
import type { Hits } from "./find-in-text.ts";
import { HitText } from "./hit-text.tsx";
import { LineNumbers } from "./line-numbers.tsx";
import { partsAround, type LineRange } from "./line-range.ts";
import styles from "./yaml.module.css";

/** Lines with their numbers beside them; those that a link is about are marked. */
export function YamlLines(props: {
  readonly text: string;
  /** Where it begins in the whole. */
  readonly start: number;
  readonly line: number;
  readonly count: number;
  readonly hits: Hits;
  readonly at: number;
  readonly lines: LineRange | undefined;
  readonly onLine: ((line: number, how: { readonly extends: boolean }) => void) | undefined;
}): ReactNode {
  const { text, start, line, count, hits, at, lines, onLine } = props;
  const parts = partsAround(text, line, lines);
  return (
    <div className={styles["lines"]}>
      <LineNumbers line={line} count={count} lines={lines} onLine={onLine} />
      <pre className={styles["code"]} translate="no">
        {parts.map((part) =>
          parts.length === 1 && !part.isMarked ? (
            <HitText key={part.line} text={part.text} start={start} hits={hits} at={at} />
          ) : (
            <span
              key={part.line}
              className={part.isMarked ? styles["marked"] : styles["block"]}
              data-marked={part.isMarked ? "" : undefined}
            >
              <HitText text={part.text} start={start + part.offset} hits={hits} at={at} />
            </span>
          ),
        )}
      </pre>
    </div>
  );
}
