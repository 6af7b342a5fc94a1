import { words, type Words } from "@binnacle/words";
import { formatAge, formatClock, formatSecond } from "../text/format-time.ts";
import { t } from "../text/messages.ts";
import type { Freshness } from "./freshness.ts";

/** What the sentences are made of. */
export interface ConnectionFacts {
  /** Name of the agent. */
  readonly agent: string;
  /** The server's message about it, for people; may be empty. */
  readonly message: string;
  /** Something is shown, if only as it was. */
  readonly hasContent: boolean;
  /** The server cached it: it was not read since then. */
  readonly isKept?: boolean;
  readonly nowMs: number;
}

const WHO = { "kas-unreachable": "kas", "agent-offline": "agent", "api-down": "api" } as const;

/**
 * Who is away, since when, and what is shown meanwhile: a Kubernetes API, an agent, an agent server and the dashboard's own server that
 * do not answer are four sentences. `undefined` while every server answers.
 */
export function connectionSentence(freshness: Freshness, facts: ConnectionFacts): string | undefined {
  const { agent, nowMs } = facts;
  switch (freshness.kind) {
    case "bff-unreachable":
      return t("banner/web-away", { since: sinceWords(freshness.sinceMs, nowMs), shown: shownWords(freshness.asOfMs, facts) });
    case "kas-unreachable":
    case "agent-offline":
    case "api-down": {
      const { kind, sinceMs, asOfMs } = freshness;
      const said = kind === "api-down" ? facts.message.replace(/\.$/, "") : undefined;
      const about = { agent, said, shown: shownWords(asOfMs, facts) };
      return sinceMs === undefined
        ? t(`banner/${WHO[kind]}-away`, about)
        : t(`banner/${WHO[kind]}-away/since`, { ...about, since: sinceWords(sinceMs, nowMs) });
    }
    case "stale":
      if (facts.isKept === true)
        return t("banner/being-read", { shown: lastPicture("banner/shown/last-known-state", freshness.asOfMs, nowMs) });
      return t("banner/silent", {
        age: formatAge(freshness.asOfMs, nowMs),
        shown: shownWords(freshness.asOfMs, facts, formatSecond),
      });
    case "agent-never-connected":
      return t("banner/agent-new");
    case "connecting":
    case "live":
    case "reconnecting":
    default:
      return undefined;
  }
}

function sinceWords(sinceMs: number, nowMs: number): Words {
  return words("banner/since", { at: formatClock(sinceMs, nowMs), age: nowMs === 0 ? undefined : formatAge(sinceMs, nowMs) });
}

function lastPicture(id: "banner/shown/last-known-state" | "banner/shown/last-known-state-retrying", asOfMs: number, nowMs: number): Words {
  return words(id, { at: formatClock(asOfMs, nowMs), age: nowMs === 0 ? undefined : formatAge(asOfMs, nowMs) });
}

function shownWords(asOfMs: number, { hasContent, isKept = false, nowMs }: ConnectionFacts, format = formatClock): Words {
  if (isKept) return lastPicture("banner/shown/last-known-state-retrying", asOfMs, nowMs);
  return hasContent ? words("banner/shown/as-of", { at: format(asOfMs, nowMs) }) : words("banner/shown/nothing");
}
