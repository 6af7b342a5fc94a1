"use client";
import { ProblemKind, SourceState } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { formatAge, formatClock, formatSecond, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import type { Freshness } from "../live/freshness.ts";
import { SessionEnded } from "../session/session-ended.tsx";

/** What a person must know before reading on; each fact has its own line. */
export function Banners({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const view = useView();
  const now = useNow();
  const problem = view.problem;
  return (
    <>
      {problem?.kind === ProblemKind.UNAUTHENTICATED && view.version > 0 && <SessionEnded />}
      {problem?.kind === ProblemKind.UNAVAILABLE && view.version > 0 && <Line icon="off">{problem.message}</Line>}
      {freshness.kind === "agent-offline" && (
        <Line icon="off">
          Agent <em>{view.environment?.agentName}</em> has been offline since {formatClock(freshness.sinceMs, now)} (
          {formatAge(freshness.sinceMs, now)}). Showing data as of {formatClock(freshness.asOfMs, now)}.
        </Line>
      )}
      {freshness.kind === "agent-never-connected" && <Line icon="info">Agent registered, waiting for first connection.</Line>}
      {freshness.kind === "stale" && view.stream.kind !== "ended" && (
        <Line icon="off">
          Nothing has been heard for {formatAge(freshness.asOfMs, now)}. Showing data as of {formatSecond(freshness.asOfMs, now)}.
        </Line>
      )}
      {view.configurationError !== undefined && (
        <Line icon="info">
          The newest agent configuration is broken: {view.configurationError.reason.replace(/\.$/, "")}.{" "}
          {view.configurationError.lastGoodCommit !== "" && (
            <>
              Commit <span className="mono">{view.configurationError.lastGoodCommit}</span> stays in force.
            </>
          )}
        </Line>
      )}
      <ApiErrors now={now} />
    </>
  );
}

function ApiErrors({ now }: { readonly now: number }): ReactNode {
  const { sources } = useView();
  const failing = sources.filter((source) => source.state === SourceState.ERROR);
  const first = failing[0];
  if (first === undefined) return null;
  const wait = first.retryAt === undefined ? "" : `; retrying in ${formatAge(now, millisOf(first.retryAt))}`;
  return (
    <Line icon="info">
      {failing.map((source) => source.resource).join(", ")}:{" "}
      {first.message === "" ? "the Kubernetes API answers with an error" : first.message}
      {wait}. Last data is kept.
    </Line>
  );
}

function Line({ icon, children }: { readonly icon: "off" | "info"; readonly children: ReactNode }): ReactNode {
  return (
    <output className="banner missing">
      <Icon name={icon} />
      <span>{children}</span>
    </output>
  );
}
