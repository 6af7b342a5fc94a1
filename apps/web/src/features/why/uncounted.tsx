"use client";
import type { IssueGroup } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { said, sayLater } from "../../ui/said.ts";
import { UNCOUNTED } from "../address/url-state.ts";
import { Unfoldable } from "../address/unfoldable.tsx";
import { linkingNodes } from "../resource/with-node-names.tsx";
import { IssueFoot } from "./issue-foot.tsx";
import { IssueGlyph } from "./issue-glyph.tsx";
import { titleOfIssue } from "./issue-words.ts";
import { NextStep } from "./why-chain.tsx";
import styles from "./why.module.css";

/** What is suspended or paused, and notices that ask nobody to do anything now: folded, and in no count. Nothing when there is none. */
export function Uncounted({ groups, total }: { readonly groups: readonly IssueGroup[]; readonly total: number }): ReactNode {
  if (total === 0) return null;
  return (
    <Unfoldable
      name={UNCOUNTED}
      className={`panel ${styles["uncounted"]}`}
      summary={
        <>
          <Icon name="down" size={12} />
          <h3>{sayLater("why/not-counted")}</h3>
          <span className="muted num">{sayLater("why/on-purpose-or", { total })}</span>
        </>
      }
    >
      <ul className={styles["list"]}>
        {groups.map((group) => (
          <li key={group.key} data-uncounted="">
            <IssueGlyph issue={group} />
            <div className={styles["said"]}>
              <h4>{linkingNodes([group.node])(titleOfIssue(group))}</h4>
              <LongText text={said(group.words)} draw={linkingNodes([group.node])} />
              <NextStep text={said(group.next)} draw={linkingNodes([group.node])} />
              <IssueFoot issue={group} />
            </div>
          </li>
        ))}
      </ul>
      {total > groups.length && <p className={styles["rest"]}>{sayLater("why/more-members", { count: total - groups.length })}</p>}
    </Unfoldable>
  );
}
