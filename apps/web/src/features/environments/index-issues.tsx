"use client";
import type { ReactNode } from "react";
import { useLazyCode } from "../../ui/lazy-code.ts";
import { say } from "../../ui/said.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatePanel } from "../../ui/state-panel.tsx";
import type { KnownRow } from "./index-words.ts";
import { LAZY_ISSUES } from "./issues/lazy-issues-view.ts";

/** The issues of all, when their code has come. */
export function IndexIssues(props: { readonly rows: readonly KnownRow[]; readonly nowMs: number }): ReactNode {
  const { code: View, failure, retry } = useLazyCode(LAZY_ISSUES, true);
  if (View !== undefined) return <View {...props} />;
  if (failure === undefined) return <Skeleton rows={5} label={say("environments/loading-issues")} />;
  return (
    <StatePanel
      icon="off"
      say={say("environments/list-issues-could")}
      role="alert"
      actions={
        <button type="button" className="btn sm primary" onClick={retry}>
          {say("environments/try-again")}
        </button>
      }
    />
  );
}
