"use client";
import { HealthStatus, SourceState, type Source } from "@binnacle/proto/dashboard";
import { useState, type ReactNode } from "react";
import { formatClock, formatSecond } from "../../ui/format-time.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import type { Freshness } from "../live/freshness.ts";
import { keyOfStatus, lookOf, wordOf } from "../live/health-status.ts";
import { AccessPanel } from "./access-panel.tsx";
import { healthCounts } from "./summary-words.ts";

/** Roll-up of the environment: glyph, word, "(partial)", and how many. */
export function HealthPill(): ReactNode {
  const { health } = useView();
  const status = health?.status ?? HealthStatus.UNSPECIFIED;
  const look = health === undefined ? "neutral" : lookOf(status);
  return (
    <span
      className={`pill ${look === "neutral" ? "unknown" : look}`}
      data-health={health === undefined ? "none" : keyOfStatus(status)}
      data-partial={health?.partial ?? false}
    >
      <span>Health</span>
      <span>
        {health === undefined ? (
          <em>Not known yet</em>
        ) : (
          <>
            <StateGlyph look={look} size={14} />
            {wordOf(status)}
            {health.partial ? " (partial)" : ""}
            <em>{healthCounts(health)}</em>
          </>
        )}
      </span>
    </span>
  );
}

/** How the data comes: live, reconnecting, stale, offline. */
export function ConnectionPill({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const { environment } = useView();
  const now = useNow();
  const agent = environment?.agentName ?? "";
  const { look, word, detail } = connectionWords(freshness, agent, now);
  return (
    <span className={`pill ${look}`} data-connection={freshness.kind}>
      <span>Connection</span>
      <span>
        {freshness.kind === "live" ? (
          <span className="live" />
        ) : (
          <StateGlyph look={look === "missing" ? "progressing" : "unknown"} size={14} />
        )}
        {freshness.kind === "live" ? <span style={{ color: "var(--ink)" }}>{word}</span> : word}
        <em>{detail}</em>
      </span>
    </span>
  );
}

/** What may be seen; opens the explanation. */
export function AccessPill(): ReactNode {
  const { sources, viewer, complete } = useView();
  const [leftPx, setLeftPx] = useState<number>();
  const open = leftPx !== undefined;
  const hidden = sources.filter((source) => source.state === SourceState.FORBIDDEN);
  if (sources.length === 0) return null;
  if (hidden.length === 0) {
    return (
      <span className="pill" data-access={complete ? "full" : "checking"}>
        <span>Access</span>
        <span>
          <span style={{ color: "var(--ink)" }}>{complete ? "Full" : "Checking"}</span>
          <em>{viewer?.username ?? ""}</em>
        </span>
      </span>
    );
  }
  return (
    <>
      <button
        type="button"
        className="pill locked"
        data-access="partial"
        aria-expanded={open}
        onClick={(event) => setLeftPx(open ? undefined : event.currentTarget.offsetLeft)}
      >
        <span>Access</span>
        <span>
          <StateGlyph look="locked" size={14} />
          <span style={{ color: "var(--ink)" }}>Partial:</span>
          <em>{hiddenWords(hidden)}</em>
        </span>
      </button>
      {open && <AccessPanel sources={hidden} leftPx={leftPx} onClose={() => setLeftPx(undefined)} />}
    </>
  );
}

/** "secrets, ingresses not visible"; at most three names. */
function hiddenWords(sources: readonly Source[]): string {
  const names = [...new Set(sources.map((source) => source.resource))].sort();
  const rest = names.length - 3;
  return `${names.slice(0, 3).join(", ")}${rest > 0 ? ` and ${rest} more` : ""} not visible`;
}

function connectionWords(
  freshness: Freshness,
  agent: string,
  now: number,
): { readonly look: "healthy" | "missing" | "unknown"; readonly word: string; readonly detail: string } {
  switch (freshness.kind) {
    case "live":
      return { look: "healthy", word: "Connected", detail: agent };
    case "connecting":
      return { look: "unknown", word: "Connecting", detail: agent };
    case "reconnecting":
      return { look: "missing", word: "Reconnecting", detail: formatSecond(freshness.asOfMs, now) };
    case "stale":
      return { look: "unknown", word: "Stale", detail: `as of ${formatSecond(freshness.asOfMs, now)}` };
    case "agent-offline":
      return { look: "unknown", word: "Offline", detail: `${agent}, since ${formatClock(freshness.sinceMs, now)}` };
    case "agent-never-connected":
    default:
      return { look: "unknown", word: "Never connected", detail: agent };
  }
}
