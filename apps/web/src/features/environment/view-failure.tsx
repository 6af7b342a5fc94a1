"use client";
import type { ReactNode } from "react";
import type { BoundaryFailure } from "../../ui/error-boundary.tsx";
import { FailurePanel } from "../../ui/failure-panel.tsx";
import type { UrlState } from "../address/url-state.ts";
import { useUrlState } from "../address/use-url-state.ts";

const WORDS: Readonly<Record<UrlState["view"], string>> = {
  events: "The events",
  graph: "The graph",
  list: "The list",
  summary: "The summary",
};

/** In place of a view that failed: the environment stays live, and another view shows it. */
export function ViewFailure({ error, retry }: BoundaryFailure): ReactNode {
  const [{ view }, setUrl] = useUrlState();
  const other = view === "list" ? "summary" : "list";
  const actions = (
    <button type="button" className="btn sm" onClick={() => setUrl({ view: other })}>
      Show the {other}
    </button>
  );
  return <FailurePanel error={error} what={WORDS[view]} retry={retry} actions={actions} />;
}
