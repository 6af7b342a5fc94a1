"use client";
import type { EnvironmentHealth, IssueGroup, IssueMember } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { tElements } from "../../ui/message-elements.ts";
import { messageText, t } from "../../ui/messages.ts";
import { LongText } from "../../ui/long-text.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { usePrinting } from "../../ui/use-printing.ts";
import { StateLink } from "../address/state-link.tsx";
import { ALL_ISSUES, NEWEST } from "../address/url-state.ts";
import { Unfoldable } from "../address/unfoldable.tsx";
import { useUnfolded } from "../address/use-unfolded.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { lookOf, wordOf } from "../live/health-status.ts";
import { nodeIdOf } from "../live/live-node.ts";
import { NodeLink } from "../resource/node-link.tsx";
import { linkingNodes } from "../resource/with-node-names.tsx";
import {
  isNodeIssue,
  issuesHeading,
  shownIssues,
  titleOfIssue,
  unnamedMembers,
  unsentIssues,
  wordsOfFilter,
  type ListFilter,
} from "@binnacle/presentation/health/issue-words";
import { IssueFoot } from "./issue-foot.tsx";
import { IssueGlyph, lookOfIssue } from "./issue-glyph.tsx";
import { NextStep, PrecedingChange, WhyChain } from "./why-chain.tsx";
import styles from "./why.module.css";

/** What the list is made of. */
interface WhyListProps {
  readonly health: EnvironmentHealth;
  readonly environment: string;
  /** Every kind has been read once. Before that no list is described as complete. */
  readonly complete: boolean;
  /** Those that are shown, in this order; absent: all that came, worst first. */
  readonly issues?: readonly IssueGroup[];
  /** As `NEWEST`; the heading says it. */
  readonly order?: string;
  /** What they are filtered by. */
  readonly bar?: ReactNode;
  /** What can be done with them. */
  readonly tools?: ReactNode;
}

/** Why an environment is not well: one card per root cause, worst first, with the numbers of all. Nothing when all is known and well. */
export function WhyList({ health, environment, complete, issues = health.issues, order = "", bar, tools }: WhyListProps): ReactNode {
  const [all, setAll] = useUnfolded(ALL_ISSUES);
  // What a button would show is not on paper otherwise.
  const isPrinting = usePrinting();
  if (health.issuesTotal === 0) return complete ? null : <NotKnownYet />;
  const { shown, more } = shownIssues(issues, all || isPrinting);
  const unsent = unsentIssues(health);
  return (
    <section className="panel" aria-label={t("why/why")}>
      <header>
        <h3 className="grow">{t("why/why")}</h3>
        <span className="muted num">{issuesHeading(health, complete, order === NEWEST)}</span>
        {tools}
      </header>
      {bar}
      <ul className={styles["list"]}>
        {shown.map((issue) => (
          <li key={issue.key} className={lookOfIssue(issue)} data-why="">
            <IssueGlyph issue={issue} />
            <Issue issue={issue} environment={environment} />
          </li>
        ))}
      </ul>
      {(more > 0 || unsent.count > 0) && (
        <footer className={styles["rest"]}>
          {more > 0 && (
            <button type="button" className="btn sm" onClick={() => setAll(true)}>
              {t("why/show-more-issues", { more })}
            </button>
          )}
          {unsent.count > 0 && (
            <span>
              {tElements("why/more-in-list", {
                count: unsent.count,
                link: (
                  <ListLink filter={unsent.filter}>{t("why/open-list-filtered", { wordsOfFilter: wordsOfFilter(unsent.filter) })}</ListLink>
                ),
              })}
            </span>
          )}
        </footer>
      )}
    </section>
  );
}

function NotKnownYet(): ReactNode {
  return (
    <section className="panel" aria-label={t("why/why")}>
      <header>
        <h3 className="grow">{t("why/why")}</h3>
        <span className="muted">{t("why/not-known-yet")}</span>
      </header>
    </section>
  );
}

/** The text of an issue, and beside it the causes of its first member. */
function Issue({ issue, environment }: { readonly issue: IssueGroup; readonly environment: string }): ReactNode {
  const { why } = issue;
  const draw = linkingNodes([issue.node]);
  return (
    <div className={styles["evidence"]}>
      <div className={styles["text"]}>
        <h4>{draw(titleOfIssue(issue))}</h4>
        <LongText text={messageText(issue.words)} draw={draw} />
        <NextStep text={messageText(issue.next)} draw={draw} />
        {why !== undefined && <PrecedingChange why={why} />}
        <IssueFoot issue={issue} />
        {(issue.membersTotal > 1 || isNodeIssue(issue)) && <Members issue={issue} />}
      </div>
      {why !== undefined && why.chain.length > 0 && <WhyChain why={why} environment={environment} />}
    </div>
  );
}

/** Who has it: all by name as far as they came, and the way to the others. */
function Members({ issue }: { readonly issue: IssueGroup }): ReactNode {
  const unnamed = unnamedMembers(issue);
  return (
    <Unfoldable name={issue.key} className={styles["members"]} summary={t("why/resources", { membersTotal: issue.membersTotal })}>
      <ul>
        {issue.members.map((member) => (
          <Member key={member.ref && nodeIdOf(member.ref)} member={member} notice={issue.notice} />
        ))}
        {unnamed.count > 0 && (
          <li>
            <ListLink filter={unnamed.filter}>{t("ui/and-more", { count: unnamed.count })}</ListLink>
          </li>
        )}
      </ul>
    </Unfoldable>
  );
}

function Member({ member, notice }: { readonly member: IssueMember; readonly notice: boolean }): ReactNode {
  const store = useEnvironmentStore();
  const node = store.nodeOf(member.ref);
  return (
    <li className={lookOf(member.status)}>
      {!notice && <StateGlyph look={lookOf(member.status)} size={12} />}
      {!notice && <span className="visually-hidden">{wordOf(member.status)} </span>}
      <span className={styles["what"]} translate="no">
        {member.ref?.kind}{" "}
      </span>
      {node === undefined ? <span translate="no">{member.ref?.name}</span> : <NodeLink node={node} />}
    </li>
  );
}

/** Opens a part of the list; whatever else was filtered is filtered no longer. */
function ListLink({ filter, children }: { readonly filter: ListFilter; readonly children: ReactNode }): ReactNode {
  const whole = { q: "", namespaces: [], onlyProblems: false, managed: "", sel: "" };
  return <StateLink change={{ ...whole, view: "list", ...filter }}>{children}</StateLink>;
}
