/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a <fieldset> is for fields */
"use client";
import { ProblemKind } from "@binnacle/proto/dashboard";
import Link from "next/link";
import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { useEnvironmentStore, useGraphVersion, useView } from "../live/environment-context.tsx";
import type { Freshness } from "../live/freshness.ts";
import styles from "./environment.module.css";
import { AccessPill, ConnectionPill, HealthPill } from "./pills.tsx";
import { useUrlState } from "./use-url-state.ts";

const VIEWS = [
  { view: "summary", text: "Summary" },
  { view: "graph", text: "Graph" },
  { view: "list", text: "List" },
] as const;

/** Name, tier, address, pills and tabs. The pills are never merged. */
export function EnvironmentHeader({ name, freshness }: { readonly name: string; readonly freshness: Freshness }): ReactNode {
  const { environment, problem, version } = useView();
  // A view that cannot be shown has nothing to say about its health or its connection.
  const keepsData = problem?.kind === ProblemKind.UNAVAILABLE || problem?.kind === ProblemKind.UNAUTHENTICATED;
  const bare = problem !== undefined && (version === 0 || !keepsData);
  return (
    <section className={styles["head"]} aria-label="Environment">
      <div className="row">
        <h1>{name}</h1>
        {environment !== undefined && environment.tier !== "" && <span className="tag">Tier: {environment.tier}</span>}
        {environment?.state === "stopped" && <span className="tag">Stopped</span>}
        {environment !== undefined && isWebAddress(environment.externalUrl) && (
          <a className={styles["external"]} href={environment.externalUrl} rel="noreferrer noopener" target="_blank">
            {environment.externalUrl.replace(/^https?:\/\//, "").replace(/\/$/, "")}
            <Icon name="ext" size={12} />
            <span className="visually-hidden">(opens in a new tab)</span>
          </a>
        )}
      </div>
      {bare ? (
        <div className={styles["pills"]} />
      ) : (
        <>
          <div className={styles["pills"]} role="group" aria-label="Environment state">
            <HealthPill />
            <ConnectionPill freshness={freshness} />
            <AccessPill />
          </div>
          <Tabs />
        </>
      )}
    </section>
  );
}

function Tabs(): ReactNode {
  const [url, , href] = useUrlState();
  useGraphVersion();
  const count = useEnvironmentStore().nodes.size;
  return (
    <nav className="tabs" aria-label="Views">
      {VIEWS.map(({ view, text }) => (
        <Link
          key={view}
          href={href({ view })}
          scroll={false}
          prefetch={false}
          {...(url.view === view ? { "aria-current": "page" as const } : {})}
        >
          {text}
          {view !== "summary" && <span className="count num">{count}</span>}
        </Link>
      ))}
    </nav>
  );
}

/** Links come from the main application; only web addresses become links. */
export function isWebAddress(url: string): boolean {
  return /^https?:\/\//.test(url);
}
