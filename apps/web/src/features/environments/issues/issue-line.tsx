"use client";
import { words } from "@binnacle/words";
import Link from "next/link";
import { Fragment, memo, type ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatClock, formatSecond } from "../../../ui/format-time.ts";
import { messageText, t, tLater } from "../../../ui/messages.ts";
import { tElements } from "../../../ui/message-elements.ts";
import { useNow } from "../../../ui/use-now.ts";
import { WithTimes } from "../../../ui/with-times.tsx";
import { environmentPath } from "../../address/route-path.ts";
import { ALL_ISSUES, selectionOf } from "../../address/url-state.ts";
import { clusterNodeSelection } from "../../resource/cluster-node-link.tsx";
import { linkingNodes } from "../../resource/with-node-names.tsx";
import { IssueGlyph, lookOfIssue } from "../../why/issue-glyph.tsx";
import { extentOfNodeIssue, isNodeIssue, issueSinceMs, titleOfIssue } from "@binnacle/presentation/health/issue-words";
import { NextStep } from "../../why/why-chain.tsx";
import { nameOfRef } from "@binnacle/presentation/health/why-words";
import { nameOf } from "@binnacle/presentation/environments/row-order";
import type { ListedIssue, PlacedIssue, UntoldIssues } from "./listed-issues.ts";
import styles from "./issues.module.css";

/** So much of a sentence is written out: the page of the environment has all of it. */
const SENTENCE_CHARS = 400;

/** One issue: what, where, since when. On a phone it is a card. */
export const IssueLine = memo(function IssueLine({ line }: { readonly line: ListedIssue }): ReactNode {
  const { knowledge, issue } = line;
  const now = useNow(10_000);
  const sinceMs = issueSinceMs(issue);
  const whole = messageText(issue.words);
  const sentence = whole.length > SENTENCE_CHARS ? `${whole.slice(0, SENTENCE_CHARS)}…` : whole;
  const isOld = knowledge.kind === "old";
  const ref = issue.members[0]?.ref;
  const draw = linkingNodes([issue.node], linkBelow(line));
  return (
    <div className={`${styles["line"]} ${lookOfIssue(issue)} ${isOld ? "stale-data" : ""}`} data-issue={issue.key}>
      <IssueGlyph issue={issue} />
      <div className={styles["what"]}>
        <h2>
          <Title line={line} />
        </h2>
        <p title={sentence}>{draw(sentence)}</p>
        <NextStep text={messageText(issue.next)} draw={draw} />
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
            <WithTimes text={tLater("ui/as-of", { at: formatClock(knowledge.asOfMs, now) })} times={[knowledge.asOfMs]} now={now} />
          </span>
        )}
      </div>
      <div className={`${styles["since"]} num`}>
        {sinceMs === undefined ? (
          <span>{tLater("environments/since-not-known")}</span>
        ) : (
          <ExactTime atMs={sinceMs} now={now}>
            {tLater("ui/since", { at: formatSecond(sinceMs, now) })}
          </ExactTime>
        )}
        {membersOf(line) > 1 && <span>{tLater("ui/resource-count", { count: membersOf(line) })}</span>}
        {ref !== undefined && (
          <Link href={`${hrefOf(line)}?${new URLSearchParams({ view: "graph", sel: selectionOf(ref) }).toString()}`}>
            {t("why/show-in-graph")}
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

/** What is wrong: of a node that is not ready, the node first, and how much is on it in how many environments. */
function Title({ line }: { readonly line: ListedIssue }): ReactNode {
  const { issue, elsewhere, pods } = line;
  if (!isNodeIssue(issue)) return <Link href={summaryOf(line)}>{titleOfIssue(issue)}</Link>;
  const extent = extentOfNodeIssue({ pods: pods?.count, morePods: pods?.atLeast === true, membersTotal: membersOf(line) });
  const environments = words("environments/counted/environments", { count: elsewhere.length + 1 });
  return tElements("why/node-issue", {
    node: <NodeOf line={line} name={issue.node} />,
    extent: <Link href={summaryOf(line)}>{t("environments/node-extent", { extent, environments })}</Link>,
  });
}

function linkBelow(line: ListedIssue): (name: string) => ReactNode {
  return (name) => <NodeOf line={line} name={name} />;
}

/** The page of a node is below every environment of its agent: here of the first of the issue. */
function NodeOf({ line, name }: { readonly line: ListedIssue; readonly name: string }): ReactNode {
  return (
    <Link
      href={`${hrefOf(line)}?${new URLSearchParams({ view: "summary", sel: clusterNodeSelection(name) }).toString()}`}
      translate="no"
      title={drawnName(name)}
    >
      {drawnName(name)}
    </Link>
  );
}

function membersOf({ issue, elsewhere }: ListedIssue): number {
  return elsewhere.reduce((total, each) => total + each.issue.membersTotal, issue.membersTotal);
}

/** The issues of an environment that are not listed. */
export function UntoldLine({ line }: { readonly line: UntoldIssues }): ReactNode {
  return (
    <div className={`${styles["line"]} ${styles["untold"]}`} data-untold={nameOf(line.row)}>
      <span />
      <p>
        {tLater("environments/and-more-in", { count: line.count, name: nameOf(line.row) })}{" "}
        <Link href={summaryOf(line)}>{tLater("environments/open-the-environment")}</Link>
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
