"use client";
import type { Source } from "@binnacle/proto/dashboard";
import { HealthStatus, SettledState } from "@binnacle/proto/dashboard-enums";
import Link from "next/link";
import type { ReactNode } from "react";
import { formatClock, formatSecond } from "../../ui/format-time.ts";
import type { PopoverProps } from "../../ui/popover.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { agentPath } from "../address/route-path.ts";
import { useView } from "../live/environment-context.tsx";
import { asOfWords, healthAsOfWords } from "@binnacle/presentation/view/as-of-words";
import { timesOf, type Freshness } from "@binnacle/presentation/view/freshness";
import { keyOfStatus, lookOf, wordOf } from "../live/health-status.ts";
import { AccessPanel } from "./access-panel.tsx";
import styles from "./pills.module.css";
import { healthCounts, isHealthKnown } from "@binnacle/presentation/health/summary-words";
import { t } from "../../ui/messages.ts";

/** Roll-up of the environment: glyph, word, "(partial)", and how many. */
export function HealthPill({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const view = useView();
  const now = useNow();
  const health = isHealthKnown(view) ? view.health : undefined;
  const status = health?.status ?? HealthStatus.UNSPECIFIED;
  const look = health === undefined ? "neutral" : lookOf(status);
  const asOf = healthAsOfWords(view, freshness, now);
  return (
    <span
      className={`${styles["pill"]} ${look === "neutral" ? "unknown" : look}`}
      data-health={health === undefined ? "none" : keyOfStatus(status)}
      data-partial={health?.partial ?? false}
      data-stale={asOf !== undefined}
    >
      <span>{t("ui/health")}</span>
      <span>
        {health === undefined ? (
          <em>{t("ui/not-known-yet")}</em>
        ) : (
          <>
            <StateGlyph look={look} size={14} />
            {health.partial ? t("status/partial", { status: wordOf(status) }) : wordOf(status)}
            <em>
              <WithTimes
                text={[healthCounts(health), asOf].filter(Boolean).join(", ")}
                times={[view.firstAsOfMs, ...timesOf(freshness)]}
                now={now}
              />
            </em>
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
  // Unknown where the viewer may not read the project of the agent.
  const project = environment?.agentProjectPath ?? "";
  const isLinked = agent !== "" && project !== "" && detail.startsWith(agent);
  return (
    <span className={`${styles["pill"]} ${look}`} data-connection={freshness.kind}>
      <span>{t("environment/connection")}</span>
      <span>
        {freshness.kind === "live" ? (
          <span className="live" />
        ) : (
          <StateGlyph look={look === "missing" ? "progressing" : "unknown"} size={14} />
        )}
        {freshness.kind === "live" ? <span style={{ color: "var(--ink)" }}>{word}</span> : word}
        <em>
          {isLinked && (
            <Link className={styles["agent"]} href={agentPath(project, agent)} prefetch={false} translate="no">
              {agent}
            </Link>
          )}
          <WithTimes text={isLinked ? detail.slice(agent.length) : detail} times={timesOf(freshness)} now={now} />
        </em>
      </span>
    </span>
  );
}

/** What may be seen; opens the explanation. A break of the way leaves it, with the time of which it is. */
export function AccessPill({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const { sources, viewer, complete, health } = useView();
  const now = useNow();
  const hidden = sources.filter((source) => source.settled === SettledState.FORBIDDEN);
  // Kinds that nothing here refers to are explained in the panel, and not named before it is opened.
  const named = health === undefined ? hidden : hidden.filter((source) => health.hidden.includes(nameOfKind(source)));
  if (sources.length === 0) return null;
  if (hidden.length === 0) {
    const isFull = complete && sources.every((source) => isAnswered(source.settled));
    return (
      <span className={styles["pill"]} data-access={isFull ? "full" : "checking"}>
        <span>{t("ui/access")}</span>
        <span>
          <span style={{ color: "var(--ink)" }}>{isFull ? t("ui/access-full") : t("environment/checking")}</span>
          <em translate={asOfWords(freshness, now) === undefined ? "no" : undefined}>
            <WithTimes text={asOfWords(freshness, now) ?? viewer?.username ?? ""} times={timesOf(freshness)} now={now} />
          </em>
        </span>
      </span>
    );
  }
  const pill: PopoverProps["renderButton"] = (press) => (
    <button
      {...press}
      className={`${styles["pill"]} ${named.length === 0 ? "" : "locked"}`}
      data-access={named.length === 0 ? "in-use" : "partial"}
    >
      <span>{t("ui/access")}</span>
      <span>
        {named.length > 0 && <StateGlyph look="locked" size={14} />}
        <span style={{ color: "var(--ink)" }}>{t(named.length === 0 ? "ui/access-full" : "environment/access-partial")}</span>
        <em>
          {named.length === 0 ? t("environment/access-in-use") : hiddenWords(named)}
          <WithTimes text={asOfWords(freshness, now)?.replace(/^/, ", ") ?? ""} times={timesOf(freshness)} now={now} />
        </em>
      </span>
    </button>
  );
  return <AccessPanel sources={hidden} renderButton={pill} />;
}

/** Whether the API server has answered what the viewer may see of a kind. */
function isAnswered(settled: SettledState): boolean {
  return settled !== SettledState.UNSPECIFIED && settled !== SettledState.ERROR;
}

/** "secrets", "widgets.example.com", as the roll-up names kinds that are not visible. */
function nameOfKind({ group, resource }: Source): string {
  return group === "" ? resource : `${resource}.${group}`;
}

/** "secrets, ingresses not visible"; at most three names. */
function hiddenWords(sources: readonly Source[]): string {
  const names = [...new Set(sources.map((source) => source.resource))].sort();
  const rest = names.length - 3;
  return t("environment/not-visible", {
    names: names.slice(0, 3).join(", "),
    rest: rest > 0 ? rest : undefined,
  });
}

function connectionWords(
  freshness: Freshness,
  agent: string,
  now: number,
): { readonly look: "healthy" | "missing" | "unknown"; readonly word: string; readonly detail: string } {
  const sinceOf = (sinceMs: number | undefined): string => (sinceMs === undefined ? "" : t("ui/since", { at: formatClock(sinceMs, now) }));
  switch (freshness.kind) {
    case "live":
      return { look: "healthy", word: t("environment/connected"), detail: t("environment/agent", { agent }) };
    case "connecting":
      return { look: "unknown", word: t("environment/connecting"), detail: t("environment/agent", { agent }) };
    case "reconnecting":
      return { look: "missing", word: t("environment/connection-reconnecting"), detail: formatSecond(freshness.asOfMs, now) };
    case "stale":
      return {
        look: "unknown",
        word: t("environment/stale"),
        detail: t("ui/as-of", { at: formatSecond(freshness.asOfMs, now) }),
      };
    case "agent-offline":
      return {
        look: "unknown",
        word: t("environment/offline"),
        detail: t("environment/agent", { agent, since: sinceOf(freshness.sinceMs) }),
      };
    case "kas-unreachable":
      return { look: "unknown", word: t("environment/no-kas"), detail: sinceOf(freshness.sinceMs) };
    case "api-down":
      return {
        look: "unknown",
        word: t("environment/no-kubernetes-api"),
        detail: t("environment/agent", { agent, since: sinceOf(freshness.sinceMs) }),
      };
    case "bff-unreachable":
      return {
        look: "missing",
        word: t("environment/no-answer"),
        detail: t("ui/since", { at: formatClock(freshness.sinceMs, now) }),
      };
    case "agent-never-connected":
    default:
      return { look: "unknown", word: t("environment/never-connected"), detail: t("environment/agent", { agent }) };
  }
}
