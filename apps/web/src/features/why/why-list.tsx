"use client";
import type { Cause } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { formatAbsolute, formatSecond } from "../../ui/format-time.ts";
import { LongText } from "../../ui/long-text.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { selectionOf } from "../environment/url-state.ts";
import { useUrlState } from "../environment/use-url-state.ts";
import { lookOf } from "../live/health-status.ts";
import { NextStep, PrecedingChange, WhyChain } from "./why-chain.tsx";
import { whyGroups, type WhyGroup } from "./why-groups.ts";
import { badSinceMs, messageOfCause, nameOfRef } from "./why-words.ts";
import styles from "./why.module.css";

/** Why an environment is not well: one card per root reason, worst first. */
export function WhyList({ causes, environment }: { readonly causes: readonly Cause[]; readonly environment: string }): ReactNode {
  const groups = whyGroups(causes);
  return (
    <section className="panel" aria-label="Why">
      <header>
        <h3 className="grow">Why</h3>
        <span className="muted">
          {groups.length} {groups.length === 1 ? "issue" : "issues"}, worst first
        </span>
      </header>
      <ul className={styles["list"]}>
        {groups.map((group) => (
          <li key={group.key} className={lookOf(group.status)} data-why="">
            <StateGlyph look={lookOf(group.status)} />
            <Issue group={group} environment={environment} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Issue({ group, environment }: { readonly group: WhyGroup; readonly environment: string }): ReactNode {
  const [first] = group.members;
  if (group.members.length === 1 && first !== undefined)
    return (
      <Evidence cause={first} environment={environment}>
        <h4>{group.title}</h4>
        <LongText text={group.message} />
        <NextStep text={group.nextStep} />
      </Evidence>
    );
  return (
    <div>
      <h4>{group.title}</h4>
      <LongText text={group.message} />
      <NextStep text={group.nextStep} />
      {group.members.map((cause, index) => (
        <details key={`${cause.nodeId}${nameOfRef(cause.ref)}`} className={styles["member"]} open={index === 0}>
          <summary>{nameOfRef(cause.ref)}</summary>
          <Evidence cause={cause} environment={environment}>
            {group.message === "" && <LongText text={messageOfCause(cause)} />}
            {group.nextStep === "" && <NextStep text={cause.why?.nextStep ?? ""} />}
          </Evidence>
        </details>
      ))}
    </div>
  );
}

/** What is said of one cause, and beside it how it came to it. */
function Evidence(props: { readonly cause: Cause; readonly environment: string; readonly children: ReactNode }): ReactNode {
  const { cause, environment, children } = props;
  const [, setUrl] = useUrlState();
  const now = useNow(10_000);
  const { ref, why } = cause;
  const sinceMs = badSinceMs(cause);
  return (
    <div className={styles["evidence"]}>
      <div className={styles["said"]}>
        {children}
        {why !== undefined && <PrecedingChange why={why} />}
        <div className={`${styles["foot"]} num`}>
          {sinceMs !== undefined && <time title={formatAbsolute(sinceMs)}>since {formatSecond(sinceMs, now)}</time>}
          {ref !== undefined && (
            <button type="button" className="linkish" onClick={() => setUrl({ view: "graph", sel: selectionOf(ref) })}>
              Show in graph<span className="visually-hidden"> ({nameOfRef(ref)})</span>
            </button>
          )}
        </div>
      </div>
      {why !== undefined && why.chain.length > 0 && <WhyChain why={why} environment={environment} />}
    </div>
  );
}
