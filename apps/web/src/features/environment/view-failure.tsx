"use client";
import type { ReactNode } from "react";
import type { BoundaryFailure } from "../../ui/error-boundary.tsx";
import { FailurePanel } from "../../ui/failure-panel.tsx";
import type { UrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";
import { say } from "../../ui/said.ts";
import type { PageWordsId } from "@binnacle/words/en/page";

const WORDS: Readonly<Record<UrlState["view"], PageWordsId>> = {
  events: "environment/the-events",
  graph: "environment/the-graph",
  list: "environment/the-list",
  logs: "environment/the-logs",
  summary: "environment/the-summary",
};

/** In place of a view that failed: the environment stays live, and another view shows it. */
export function ViewFailure({ error, retry }: BoundaryFailure): ReactNode {
  const [{ view }, setUrl] = useUrlState();
  const other = view === "list" ? "summary" : "list";
  const actions = (
    <button type="button" className="btn sm" onClick={() => setUrl({ view: other })}>
      {say("environment/show-the", { other })}
    </button>
  );
  return <FailurePanel error={error} what={say(WORDS[view])} retry={retry} actions={actions} />;
}
