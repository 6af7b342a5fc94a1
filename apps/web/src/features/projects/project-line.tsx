"use client";
import type { Project, ProjectSummary } from "@binnacle/proto/dashboard";
import Link from "next/link";
import type { ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { formatClock, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { messageText, t } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { indexPath } from "../address/route-path.ts";
import { keyOfStatus, lookOf, wordOf } from "../live/health-status.ts";
import styles from "./projects.module.css";

interface ProjectLineProps {
  readonly project: Project;
  /** Absent: nothing is known yet. */
  readonly summary: ProjectSummary | undefined;
}

/** A project: its worst health, what needs attention, and its newest change; what is not known yet is shown as such. */
export function ProjectLine({ project, summary }: ProjectLineProps): ReactNode {
  const now = useNow(10_000);
  const { worst, lastChange } = summary ?? {};
  return (
    <li data-project={project.fullPath} data-health={worst === undefined ? "none" : keyOfStatus(worst)}>
      <Link href={indexPath(project.fullPath)}>
        <span className={styles["name"]}>
          <span className="b" translate="no">
            {project.name}
          </span>
          <span className="muted" translate="no">
            {project.fullPath}
          </span>
        </span>
        <span className={styles["health"]}>
          {worst === undefined ? (
            <span className="muted">{unknownWords(summary)}</span>
          ) : (
            <span className={`st ${lookOf(worst)}`}>
              <StateGlyph look={lookOf(worst)} />
              {wordOf(worst)}
            </span>
          )}
          <span className={`${styles["sub"]} num`}>{summary && <Counts summary={summary} now={now} />}</span>
        </span>
        <span className={`${styles["changed"]} muted`}>
          {lastChange !== undefined && (
            <>
              {t("ui/last-change")} <Ago atMs={millisOf(lastChange)} now={now} />
            </>
          )}
        </span>
        <Icon name="right" />
      </Link>
    </li>
  );
}

function Counts({ summary, now }: { readonly summary: ProjectSummary; readonly now: number }): ReactNode {
  const { environments, known, outside, attention, issues, workloads, workloadsDown, asOf } = summary;
  const unknown = environments - outside - known;
  const asOfMs = asOf === undefined ? undefined : millisOf(asOf);
  const text = t("projects/counts", {
    environments,
    attention: attention || undefined,
    issues: issues || undefined,
    down: workloadsDown || undefined,
    workloads,
    unknown: unknown || undefined,
    outside: outside || undefined,
    at: asOfMs === undefined ? undefined : formatClock(asOfMs, now),
  });
  return environments === 0 ? null : <WithTimes text={text} times={[asOfMs]} now={now} />;
}

/** Why a project has no health. */
function unknownWords(summary: ProjectSummary | undefined): string {
  if (summary?.problem !== undefined) return messageText(summary.problem.words);
  if (summary === undefined || summary.environments > summary.outside) return t("ui/not-known-yet");
  if (summary.environments > 0) return t("ui/not-visible");
  return summary.done ? t("projects/no-environments") : t("ui/not-known-yet");
}
