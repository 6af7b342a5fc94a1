"use client";
import { words } from "@binnacle/words";
import Link from "next/link";
import { Fragment, memo, type ReactNode } from "react";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatClock, formatSecond } from "../../../ui/format-time.ts";
import { said, say, sayLater } from "../../../ui/said.ts";
import { useNow } from "../../../ui/use-now.ts";
import { WithTimes } from "../../../ui/with-times.tsx";
import { environmentPath } from "../../address/route-path.ts";
import { ALL_ISSUES, selectionOf } from "../../address/url-state.ts";
import { IssueGlyph, lookOfIssue } from "../../why/issue-glyph.tsx";
import { issueSinceMs, titleOfIssue } from "../../why/issue-words.ts";
import { NextStep } from "../../why/why-chain.tsx";
import { nameOfRef } from "../../why/why-words.ts";
import { nameOf } from "../row-order.ts";
import type { ListedIssue, PlacedIssue, UntoldIssues } from "./listed-issues.ts";
import styles from "./issues.module.css";

/** So much of a sentence is written out: the page of the environment has all of it. */
const SENTENCE_CHARS = 400;

/** One issue: what, where, since when. On a phone it is a card. */
export const IssueLine = memo(function IssueLine({ line }: { readonly line: ListedIssue }): ReactNode {
  const { knowledge, issue } = line;
  const now = useNow(10_000);
  const sinceMs = issueSinceMs(issue);
  const whole = said(issue.words);
  const sentence = whole.length > SENTENCE_CHARS ? `${whole.slice(0, SENTENCE_CHARS)}…` : whole;
  const isOld = knowledge.kind === "old";
  const ref = issue.members[0]?.ref;
  return (
    <div className={`${styles["line"]} ${lookOfIssue(issue)} ${isOld ? "stale-data" : ""}`} data-issue={issue.key}>
      <IssueGlyph issue={issue} />
      <div className={styles["what"]}>
        <h2>
          <Link href={summaryOf(line)}>{titleOf(line)}</Link>
        </h2>
        <p title={sentence}>{sentence}</p>
        <NextStep text={said(issue.next)} />
      </div>
      <div className={styles["where"]}>
        {[line, ...line.elsewhere].map((each, index) => (
          <Fragment key={nameOf(each.row)}>
            {index > 0 && " "}
            <Link href={hrefOf(each)}>{nameOf(each.row)}</Link>
          </Fragment>
        ))}
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
        {membersOf(line) > 1 && <span>{sayLater("environments/issue-resources", { count: membersOf(line) })}</span>}
        {ref !== undefined && (
          <Link href={`${hrefOf(line)}?${new URLSearchParams({ view: "graph", sel: selectionOf(ref) }).toString()}`}>
            {say("why/show-in-graph")}
            <span className="visually-hidden" translate="no">
              {" "}
              ({nameOfRef(ref)})
            </span>
          </Link>
        )}
      </div>
    </div>
  );
});

/** Reasons of an issue whose node is not ready. */
const NODE_REASONS: ReadonlySet<string> = new Set(["NodeNotReady", "NodeLost"]);

/** What is wrong: of a node that is not ready, the node first, and how much is on it. */
function titleOf(line: ListedIssue): string {
  const { issue, elsewhere } = line;
  if (issue.node === "" || !NODE_REASONS.has(issue.reason)) return titleOfIssue(issue);
  const resources = words("why/counted/resources", { count: membersOf(line) });
  const environments = words("environments/counted/environments", { count: elsewhere.length + 1 });
  return say("environments/node-issue", { node: issue.node, resources, environments });
}

function membersOf({ issue, elsewhere }: ListedIssue): number {
  return elsewhere.reduce((total, each) => total + each.issue.membersTotal, issue.membersTotal);
}

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

function hrefOf({ row }: PlacedIssue | UntoldIssues): string {
  return environmentPath(row.environment?.projectPath ?? "", nameOf(row));
}
