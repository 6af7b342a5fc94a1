"use client";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useAnnouncement } from "../../ui/announce.ts";
import { healthAsOfWords } from "@binnacle/presentation/view/as-of-words";
import { useNow } from "../../ui/use-now.ts";
import { useView } from "../live/environment-context.tsx";
import type { Freshness } from "@binnacle/presentation/view/freshness";
import { wordOf } from "../live/health-status.ts";
import { titleOfIssue } from "@binnacle/presentation/health/issue-words";
import { isHealthKnown } from "@binnacle/presentation/health/summary-words";
import { t } from "../../ui/messages.ts";

const AT_MOST_EVERY_MS = 5000;

/** Says changes of health and connection politely, grouped, at most one message every five seconds; and what parts of the page announce. */
export function Announcer({ freshness }: { readonly freshness: Freshness }): ReactNode {
  const view = useView();
  const { environment } = view;
  const health = isHealthKnown(view) ? view.health : undefined;
  const [issue] = health?.issues ?? [];
  const asOf = healthAsOfWords(view, freshness, useNow(60_000));
  const message =
    health === undefined
      ? ""
      : t("environment/announcement", {
          environment: environment?.name ?? t("ui/environment"),
          status: health.partial ? t("status/partial", { status: wordOf(health.status) }) : wordOf(health.status),
          reason: issue === undefined ? "" : titleOfIssue(issue),
          asOf,
          connection: wordsOf(freshness),
        });
  const announcement = useAnnouncement();
  const [announced, setAnnounced] = useState("");
  const lastMs = useRef(0);
  useEffect(() => {
    const wait = Math.max(0, lastMs.current + AT_MOST_EVERY_MS - Date.now());
    const timer = setTimeout(() => {
      lastMs.current = Date.now();
      setAnnounced(message);
    }, wait);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <>
      <output className="visually-hidden" aria-live="polite" data-announcer="">
        {announced}
      </output>
      <output className="visually-hidden" aria-live="polite" data-announcement="">
        {announcement}
      </output>
    </>
  );
}

function wordsOf(freshness: Freshness): string {
  if (freshness.kind === "agent-offline") return t("environments/agent-offline");
  if (freshness.kind === "kas-unreachable") return t("environments/kas-unavailable");
  if (freshness.kind === "api-down") return t("environments/api-unavailable");
  if (freshness.kind === "bff-unreachable") return t("environments/binnacle-unavailable");
  if (freshness.kind === "stale") return t("environment/data-stale");
  if (freshness.kind === "reconnecting") return t("environment/connection-reconnecting");
  return "";
}
