"use client";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatClock, formatSecond } from "../../../ui/format-time.ts";
import { said } from "../../../ui/said.ts";
import { useNow } from "../../../ui/use-now.ts";
import { environmentPath } from "../../address/route-path.ts";
import { IssueGlyph, lookOfIssue } from "../../why/issue-glyph.tsx";
import { issueSinceMs, titleOfIssue } from "../../why/issue-words.ts";
import { statusKeyOf, statusWordOf } from "../../why/issue-filter.ts";
import { nameOf } from "../row-order.ts";
import type { ListedIssue, UntoldIssues } from "./listed-issues.ts";
import styles from "./issues.module.css";

/** So much of a sentence is written out: the page of the environment has all of it. */
const SENTENCE_CHARS = 400;

/** One issue: what, where, since when. On a phone it is a card. */
export const IssueLine = memo(function IssueLine({ line }: { readonly line: ListedIssue }): ReactNode {
  const { row, knowledge, issue } = line;
  const now = useNow(10_000);
  const sinceMs = issueSinceMs(issue);
  const whole = said(issue.words);
  const sentence = whole.length > SENTENCE_CHARS ? `${whole.slice(0, SENTENCE_CHARS)}…` : whole;
  const isOld = knowledge.kind === "old";
  return (
    <div className={`${styles["line"]} ${lookOfIssue(issue)} ${isOld ? "stale-data" : ""}`} data-issue={issue.key}>
      <IssueGlyph issue={issue} />
      <div className={styles["what"]}>
        <h2>
          <Link href={`${hrefOf(line)}?view=summary`}>{titleOfIssue(issue)}</Link>
        </h2>
        <p title={sentence}>{sentence}</p>
      </div>
      <div className={styles["where"]}>
        <Link href={hrefOf(line)}>{nameOf(row)}</Link>
        {isOld && (
          <span>
            as of{" "}
            <ExactTime atMs={knowledge.asOfMs} now={now}>
              {formatClock(knowledge.asOfMs, now)}
            </ExactTime>
          </span>
        )}
      </div>
      <div className={`${styles["since"]} num`}>
        {sinceMs === undefined ? (
          <span>since: not known</span>
        ) : (
          <ExactTime atMs={sinceMs} now={now}>
            since {formatSecond(sinceMs, now)}
          </ExactTime>
        )}
        <span>
          {statusWordOf(statusKeyOf(issue))}
          {issue.membersTotal > 1 ? `, ${issue.membersTotal} resources` : ""}
        </span>
      </div>
    </div>
  );
});

/** What an environment has beyond what is told. */
export function UntoldLine({ line }: { readonly line: UntoldIssues }): ReactNode {
  return (
    <div className={`${styles["line"]} ${styles["untold"]}`} data-untold={nameOf(line.row)}>
      <span />
      <p>
        … and {line.count} more in {nameOf(line.row)}: <Link href={`${hrefOf(line)}?view=summary`}>open the environment</Link>
      </p>
    </div>
  );
}

function hrefOf({ row }: ListedIssue | UntoldIssues): string {
  return environmentPath(row.environment?.projectPath ?? "", nameOf(row));
}
