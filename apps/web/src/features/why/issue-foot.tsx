"use client";
import type { IssueGroup } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { t } from "../../ui/messages.ts";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import { LogsLink } from "../resource/logs-link.tsx";
import { issueSinceMs } from "@binnacle/presentation/health/issue-words";
import { Since } from "./since.tsx";
import { nameOfRef } from "@binnacle/presentation/health/why-words";
import styles from "./why.module.css";

/** Since when an issue is one, where that is known, and the ways to its first member in the graph and to its log at that time. */
export function IssueFoot({ issue }: { readonly issue: IssueGroup }): ReactNode {
  const ref = issue.members[0]?.ref;
  return (
    <div className={`${styles["foot"]} num`}>
      <Since atMs={issueSinceMs(issue)} />
      {ref !== undefined && (
        <StateLink change={{ view: "graph", sel: selectionOf(ref) }}>
          {t("why/show-in-graph")}
          <span className="visually-hidden" translate="no">
            {" "}
            ({nameOfRef(ref)})
          </span>
        </StateLink>
      )}
      <LogsLink of={ref} atMs={issueSinceMs(issue)}>
        {t("ui/logs")}
        <span className="visually-hidden" translate="no">
          {" "}
          ({nameOfRef(ref)})
        </span>
      </LogsLink>
    </div>
  );
}
