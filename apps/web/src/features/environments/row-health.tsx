"use client";
import type { EnvironmentHealth, EnvironmentRow, Words } from "@binnacle/proto/dashboard";
import { ProblemKind } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { messageText, t } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { lookOf, wordOf } from "../live/health-status.ts";
import { deliveryClause } from "@binnacle/presentation/health/delivery-clause";
import { shortTitleOfIssue } from "@binnacle/presentation/health/issue-words";
import { headlineOf } from "@binnacle/presentation/health/summary-words";
import { isSyncIssue } from "@binnacle/presentation/health/with-sync-issues";
import styles from "./environments.module.css";
import { unknownWords, type KnownRow } from "@binnacle/presentation/environments/index-words";

/** How an environment is, and its worst reason; or why it is unknown. */
export function RowHealth({ row, knowledge }: KnownRow): ReactNode {
  const now = useNow(10_000);
  const { health, problem } = row;
  if (problem !== undefined && health === undefined) {
    return (
      <>
        <span className="st unknown">
          <StateGlyph look="unknown" />
          {problem.kind === ProblemKind.NO_AGENT ? t("environments/no-visible-agent") : t("status/unknown")}
        </span>
        <span className={styles["reason"]} title={messageText(problem.words)}>
          {messageText(problem.words)}
        </span>
      </>
    );
  }
  if (health === undefined) {
    const why = knowledge.kind === "unknown" ? unknownWords(knowledge, row) : "";
    return (
      <>
        <span className="muted">{t("ui/not-known-yet")}</span>
        {why !== "" && (
          <span className={`${styles["reason"]} ${styles["flush"]}`} title={why}>
            {why}
          </span>
        )}
      </>
    );
  }
  const reason = reasonOf(health, row, now);
  return (
    <>
      <span className={`st ${lookOf(health.status)}`}>
        <StateGlyph look={lookOf(health.status)} />
        {health.partial ? t("status/partial", { status: wordOf(health.status) }) : wordOf(health.status)}
      </span>
      {health.issuesTotal > 0 && (
        <span className={`${styles["issues"]} num`} data-issues={health.issuesTotal}>
          {t("ui/issue-count", { count: health.issuesTotal })}
        </span>
      )}
      {reason !== "" && (
        <span className={styles["reason"]} title={messageText(health.words)}>
          {reason}
        </span>
      )}
    </>
  );
}

/** That an environment may not be seen, and for want of what. */
export function RowForbidden({ row }: Pick<KnownRow, "row">): ReactNode {
  const why =
    row.problem === undefined
      ? t("environments/nothing-readable", {
          what: messageText(row.environment?.scope) || t("ui/namespace-name", { namespace: row.environment?.namespace }),
        })
      : t("environments/not-in-user-access", { agentName: row.environment?.agentName });
  return (
    <>
      <span className="st locked">
        <StateGlyph look="locked" />
        {t("ui/not-visible")}
      </span>
      <span className={styles["reason"]} title={messageText(row.problem?.words ?? row.gapWords)}>
        {why}
      </span>
    </>
  );
}

/**
 * The title of the worst issue of its resources, and what is wrong with its delivery beside it; a sentence when nothing is wrong with them. What is hidden
 * has a column of its own.
 */
function reasonOf(health: EnvironmentHealth, { environment }: EnvironmentRow, nowMs: number): string {
  const issue = health.issues.find((each) => !isSyncIssue(each));
  const delivery = deliveryClause(environment?.delivery);
  if (delivery !== undefined && issue === undefined) return headlineOf(health, environment?.delivery, nowMs).main;
  if (issue === undefined) return messageText(withoutHidden(health.words));
  const reason = shortTitleOfIssue(issue);
  return delivery === undefined ? reason : t("environments/reason-and-delivery", { reason, delivery });
}

/** Which kinds are hidden has a column of its own; those of which nothing is known have none. */
function withoutHidden(words: Words | undefined): Words | undefined {
  return words && { ...words, facts: words.facts.filter(({ name }) => name !== "hidden") };
}
