"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRef, type ReactNode } from "react";
import { useHydrated } from "../../../ui/use-hydrated.ts";
import { IssueLine, UntoldLine } from "./issue-line.tsx";
import { usePrinting } from "../../../ui/use-printing.ts";
import type { IssueList } from "./listed-issues.ts";
import { tLater } from "../../../ui/messages.ts";
import styles from "./issues.module.css";

/** A line with a sentence of one row; they are measured. */
const LINE_PX = 65;
const OVERSCAN = 10;
/** Lines before anything is measured: more than a screen has. */
const FIRST_LINES = 30;

/** The issues: of thousands only those on the screen, and some around them, are there. */
export function IssuesList({ lines }: Pick<IssueList, "lines">): ReactNode {
  const panel = useRef<HTMLUListElement>(null);
  const isPrinting = usePrinting();
  // On paper is all, and nothing is measured.
  const isHydrated = useHydrated() && !isPrinting;
  const firstLines = isPrinting ? lines.length : Math.min(lines.length, FIRST_LINES);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => LINE_PX,
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: OVERSCAN,
    scrollMargin: panel.current?.offsetTop ?? 0,
  });
  const { scrollMargin } = virtual.options;
  const items = isHydrated ? virtual.getVirtualItems() : [];
  const shown = isHydrated ? items.map(({ index }) => index) : Array.from({ length: firstLines }, (_, at) => at);
  const above = (items[0]?.start ?? scrollMargin) - scrollMargin;
  const below = isHydrated ? virtual.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin) : 0;
  return (
    <ul
      ref={panel}
      className={`panel ${styles["list"]}`}
      aria-label={tLater("ui/issues")}
      style={{ paddingTop: above, paddingBottom: Math.max(0, below) }}
    >
      {shown.map((index) => {
        const line = lines[index];
        return (
          line && (
            <li key={line.key} ref={virtual.measureElement} data-index={index} aria-setsize={lines.length} aria-posinset={index + 1}>
              {line.kind === "issue" ? <IssueLine line={line} /> : <UntoldLine line={line} />}
            </li>
          )
        );
      })}
    </ul>
  );
}
