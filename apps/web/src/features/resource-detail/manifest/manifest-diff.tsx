"use client";
import { visibleText } from "@binnacle/words";
import { useMemo, useState, type CSSProperties, type ReactNode } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { tLater } from "../../../ui/messages.ts";
import { diffRuns, type DiffRun } from "../../../ui/diff-lines.ts";
import yaml from "../yaml/yaml.module.css";
import styles from "./manifest-diff.module.css";
import { SOURCE_WORDS, type ComparedWith } from "./source-words.ts";

/** What a diff is made of. */
export interface ManifestDiffProps {
  /** YAML of both sides, reduced to the same fields. */
  readonly desired: string;
  readonly live: string;
  readonly source: ComparedWith;
}

/**
 * Both sides of a comparison as one text: lines that only one of them has are marked with a sign, a colour and a word for screen readers;
 * long unchanged parts are folded.
 */
export function ManifestDiff({ desired, live, source }: ManifestDiffProps): ReactNode {
  const runs = useMemo(() => diffRuns(desired, live), [desired, live]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  if (runs === undefined) return <p className="muted">{tLater("resource-detail/diff-too-different")}</p>;
  const last = runs.at(-1);
  const digits = String(Math.max(last?.desiredLine ?? 0, last?.liveLine ?? 0) + (last?.lines.length ?? 0)).length;
  const style: CSSProperties & Record<"--digits", number> = { "--digits": digits };
  const words = SOURCE_WORDS[source];
  return (
    <>
      <p className="muted" aria-hidden="true">
        {tLater(words.legend)}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <section className={yaml["text"]} style={style} aria-label={tLater(words.diffLabel)} tabIndex={0}>
        <ol className={`${yaml["all"]} ${styles["runs"]}`}>
          {runs.map((run) => {
            const line = run.desiredLine ?? 0;
            if (run.kind === "folded" && !open.has(line))
              return <Fold key={keyOf(run)} count={run.lines.length} onOpen={() => setOpen(new Set([...open, line]))} />;
            return <Run key={keyOf(run)} run={run} source={source} />;
          })}
        </ol>
      </section>
      {desired.includes(TWO_SECRETS) && <p className="muted">{tLater("resource-detail/diff-masked")}</p>}
      <p className="muted">{tLater("resource-detail/diff-numbers")}</p>
    </>
  );
}

/** How the server masks the first of two values that are not the same. */
const TWO_SECRETS = '"***** (1)"';
const SIGN = { same: " ", folded: " ", desired: "−", live: "+" } as const;

function Run({ run, source }: { readonly run: DiffRun; readonly source: ComparedWith }): ReactNode {
  const { kind, lines, desiredLine, liveLine } = run;
  const numbers = (from: number | undefined): string =>
    lines.map((_, index) => (from === undefined ? "" : String(from + index))).join("\n");
  return (
    <li className={styles["run"]} data-run={kind}>
      <span className="visually-hidden">{runWords(run, source)}</span>
      <pre className={styles["numbers"]} aria-hidden="true">
        {numbers(desiredLine)}
      </pre>
      <pre className={styles["numbers"]} aria-hidden="true">
        {numbers(liveLine)}
      </pre>
      <pre className={styles["sign"]} aria-hidden="true">
        {lines.map(() => SIGN[kind]).join("\n")}
      </pre>
      <pre className={styles["code"]} translate="no">
        {lines.map(visibleText).join("\n")}
      </pre>
    </li>
  );
}

function Fold({ count, onOpen }: { readonly count: number; readonly onOpen: () => void }): ReactNode {
  return (
    <li className={styles["fold"]}>
      <button type="button" onClick={onOpen}>
        <Icon name="right" size={12} />
        {tLater("resource-detail/diff-unchanged", { count })}
      </button>
    </li>
  );
}

function runWords({ kind, lines, desiredLine, liveLine }: DiffRun, source: ComparedWith): string {
  const from = (kind === "live" ? liveLine : desiredLine) ?? 0;
  const range = { from, to: lines.length === 1 ? "" : from + lines.length - 1 };
  if (kind === "live") return tLater("resource-detail/diff-only-cluster", range);
  return tLater(kind === "desired" ? SOURCE_WORDS[source].onlyDesired : "resource-detail/diff-same", range);
}

function keyOf({ kind, desiredLine, liveLine }: DiffRun): string {
  return `${kind === "folded" ? "same" : kind} ${desiredLine} ${liveLine}`;
}
