"use client";
import Link from "next/link";
import { memo, type ReactNode } from "react";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatClock, formatSecond } from "../../../ui/format-time.ts";
import { said, sayLater } from "../../../ui/said.ts";
import { useNow } from "../../../ui/use-now.ts";
import { WithTimes } from "../../../ui/with-times.tsx";
import { environmentPath } from "../../address/route-path.ts";
import { ALL_ISSUES } from "../../address/url-state.ts";
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
          <Link href={summaryOf(line)}>{titleOfIssue(issue)}</Link>
        </h2>
        <p title={sentence}>{sentence}</p>
      </div>
      <div className={styles["where"]}>
        <Link href={hrefOf(line)}>{nameOf(row)}</Link>
        {isOld && (
          <span>
            <WithTimes
              text={sayLater("environments/issue-as-of", { at: formatClock(knowledge.asOfMs, now) })}
              times={[knowledge.asOfMs]}
              now={now}
            />
          </span>
        )}
      </div>
      <div className={`${styles["since"]} num`}>
        {sinceMs === undefined ? (
          <span>{sayLater("environments/since-not-known")}</span>
        ) : (
          <ExactTime atMs={sinceMs} now={now}>
            {sayLater("environments/since", { at: formatSecond(sinceMs, now) })}
          </ExactTime>
        )}
        <span>
          {statusWordOf(statusKeyOf(issue))}
          {issue.membersTotal > 1 ? sayLater("environments/resources", { membersTotal: issue.membersTotal }) : ""}
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
        {sayLater("environments/and-more-in", { count: line.count, name: nameOf(line.row) })}{" "}
        <Link href={summaryOf(line)}>{sayLater("environments/open-the-environment")}</Link>
      </p>
    </div>
  );
}

/** All issues of it: this one may not be among the first. */
function summaryOf(line: ListedIssue | UntoldIssues): string {
  return `${hrefOf(line)}?view=summary&unfolded=${ALL_ISSUES}`;
}

function hrefOf({ row }: ListedIssue | UntoldIssues): string {
  return environmentPath(row.environment?.projectPath ?? "", nameOf(row));
}
