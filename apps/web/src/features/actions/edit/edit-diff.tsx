"use client";
import { visibleText } from "@binnacle/words";
import { useMemo, type ReactNode } from "react";
import { tLater } from "../../../ui/messages.ts";
import { diffRuns, type DiffRun } from "../../../ui/diff-lines.ts";
import styles from "./edit-diff.module.css";

const SIGN = { same: " ", folded: " ", desired: "−", live: "+" } as const;

/** What an edit changes, line by line: lines that go and lines that come have a sign, a colour and a word for screen readers. */
export function EditDiff({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  const runs = useMemo(() => diffRuns(before, after), [before, after]);
  if (runs === undefined) return <p className="muted">{tLater("edit-page/diff-long")}</p>;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <section className={styles["diff"]} aria-label={tLater("edit-page/diff")} tabIndex={0}>
      <ol>
        {runs.map((run) => (
          <Run key={`${run.kind} ${run.desiredLine} ${run.liveLine}`} run={run} />
        ))}
      </ol>
    </section>
  );
}

function Run({ run: { kind, lines, desiredLine, liveLine } }: { readonly run: DiffRun }): ReactNode {
  if (kind === "folded") return <li className={styles["folded"]}>{tLater("edit-page/unchanged", { count: lines.length })}</li>;
  const first = liveLine ?? desiredLine ?? 0;
  return (
    <li data-run={kind}>
      {kind === "desired" && <span className="visually-hidden">{tLater("edit-page/removed")}</span>}
      {kind === "live" && <span className="visually-hidden">{tLater("edit-page/added")}</span>}
      <pre className={styles["numbers"]} aria-hidden="true">
        {lines.map((_, index) => first + index).join("\n")}
      </pre>
      <pre aria-hidden="true">{lines.map(() => SIGN[kind]).join("\n")}</pre>
      <pre translate="no">{lines.map(visibleText).join("\n")}</pre>
    </li>
  );
}
