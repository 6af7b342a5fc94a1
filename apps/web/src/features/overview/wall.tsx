"use client";
import Link from "next/link";
import { useEffect, useEffectEvent, type ReactNode } from "react";
import { formatClock } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { environmentPath } from "../address/route-path.ts";
import { RowHealth } from "../environments/row-health.tsx";
import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { wordOfRow } from "../environments/index-filters.tsx";
import { DriftMark, lookOfItem, Version } from "./overview-cells.tsx";
import type { OverviewItem, OverviewNumbers } from "./overview-items.ts";
import styles from "./wall.module.css";

/** A problem is shown for this time. */
const TURN_MS = 10_000;
/** Problems that are listed beside the one that is shown. */
const MAX_LISTED = 8;

/** The overview for a screen in the office: large, dark and without controls; it shows one problem after the other. Escape leaves it. */
export function Wall(props: {
  readonly title: string;
  readonly items: readonly OverviewItem[];
  readonly numbers: OverviewNumbers;
  readonly knowledgeOf: (item: OverviewItem) => RowKnowledge;
  /** Why the screen may be out of date; empty while it is current. */
  readonly staleWords: string;
  readonly onClose: () => void;
}): ReactNode {
  const { title, items, numbers, knowledgeOf, staleWords, onClose } = props;
  const now = useNow();
  const problems = items.filter(({ isAttention }) => isAttention);
  const index = problems.length === 0 ? 0 : Math.floor(now / TURN_MS) % problems.length;
  const shown = problems[index];
  useCloseByEscape(onClose);
  const unknown = numbers.all - numbers.known;
  return (
    <div className={styles["wall"]} data-theme="dark" data-wall>
      <header>
        <h1 translate="no">{title}</h1>
        <ul>
          {[...numbers.byStatus]
            .toSorted(([a], [b]) => b - a)
            .map(([status, count]) => (
              <li key={status} className={`st ${looksOf(items, status)}`}>
                <b className="num">{count}</b> {wordOfRow(status)}
              </li>
            ))}
        </ul>
        <time>{now === 0 ? "" : formatClock(now, now)}</time>
        <button type="button" onClick={onClose} aria-label={tLater("overview/wall-close")} title={tLater("overview/wall-close")}>
          ×
        </button>
      </header>
      {staleWords !== "" && <output className={styles["lost"]}>{staleWords}</output>}
      {shown === undefined ? (
        <p className={styles["well"]}>{unknown === 0 ? tLater("overview/wall-ok") : tLater("overview/wall-unknown", { count: unknown })}</p>
      ) : (
        <section key={shown.id} className={`${styles["problem"]} ${lookOfItem(shown)}`}>
          <p className="muted num">{tLater("overview/wall-of", { index: index + 1, count: problems.length })}</p>
          <h2 translate="no">
            <StateGlyph look={lookOfItem(shown)} />
            <Link href={environmentPath(shown.projectPath, shown.name)}>
              {shown.name} <span className="muted">{shown.projectPath}</span>
            </Link>
          </h2>
          <div className={styles["reason"]}>
            <RowHealth row={shown.row} knowledge={knowledgeOf(shown)} />
          </div>
          <p>
            <Version row={shown.row} /> <DriftMark item={shown} />
          </p>
        </section>
      )}
      <ol className={styles["next"]}>
        {problems.slice(0, MAX_LISTED).map((item) => (
          <li key={item.id} className={`st ${lookOfItem(item)}`} aria-current={item === shown ? "true" : undefined} translate="no">
            <StateGlyph look={lookOfItem(item)} />
            {item.name} <span className="muted">{item.projectPath}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

function looksOf(items: readonly OverviewItem[], status: number): string {
  const found = items.find((item) => item.status === status);
  return found === undefined ? "unknown" : lookOfItem(found);
}

function useCloseByEscape(onClose: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}
