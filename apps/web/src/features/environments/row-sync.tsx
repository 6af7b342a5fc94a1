"use client";
import type { EnvironmentRow, ToolSync } from "@binnacle/proto/dashboard";
import { DeliveryState } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { formatClock, millisOf } from "../../ui/format-time.ts";
import { messageText, t } from "../../ui/messages.ts";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { placeOfTool, toolName } from "../gitops/tool-name.ts";
import { worstOfAll } from "../gitops/tool-words.ts";
import styles from "./environments.module.css";

/** What rows are filtered by: the look of the worst sync; rows without a sync, or of which none may be known, have none. */
export type SyncFilter = Extract<StateLook, "degraded" | "missing" | "unknown" | "suspended" | "progressing" | "healthy">;

/** Worst first, with what each is called in a filter. */
export const SYNC_FILTERS = {
  degraded: "environments/sync-failed",
  missing: "environments/sync-attention",
  unknown: "environments/sync-not-known",
  suspended: "environments/sync-paused",
  progressing: "gitops/applying",
  healthy: "gitops/synced",
} as const satisfies Record<SyncFilter, string>;

/** The filter under which a row is found. */
export function syncOfRow({ environment }: EnvironmentRow): SyncFilter | undefined {
  const status = environment?.delivery?.sync;
  const look = status && worstOfAll(status)?.look;
  return Object.keys(SYNC_FILTERS).find((each): each is SyncFilter => each === look);
}

/**
 * When the objects of a row were compared with Git last, in milliseconds since the epoch: at the end of the sync that ended first. `undefined`
 * when they are compared now, when a comparison is switched off, or when that time is not known.
 */
export function lastComparedMs({ environment }: EnvironmentRow): number | undefined {
  const { sync, drift } = environment?.delivery ?? {};
  if (drift?.state === DeliveryState.KNOWN) return undefined;
  const ends = (sync?.value?.syncs ?? []).flatMap(({ driftIgnored, finishedAt }) =>
    driftIgnored || !finishedAt ? [] : millisOf(finishedAt),
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** How GitOps stands in an environment, by the worst of its syncs. */
export function RowSync({ row }: { readonly row: EnvironmentRow }): ReactNode {
  const now = useNow(10_000);
  const status = row.environment?.delivery?.sync;
  const worst = status && worstOfAll(status);
  if (status === undefined || worst === undefined) {
    if (status?.state === DeliveryState.FORBIDDEN) return <span className="muted">{t("environments/deployment-not-known-to-you")}</span>;
    return <span className="muted">–</span>;
  }
  const { word, look, detail, isStale, tool } = worst;
  // Without a view that is open, a change by hand since the last sync is not seen.
  const comparedMs = look === "healthy" ? lastComparedMs(row) : undefined;
  const atMs = isStale ? worst.atMs : comparedMs;
  const words = isStale ? "ui/as-of" : "environments/sync-checked";
  const dated = atMs === undefined ? "" : t(words, { at: formatClock(atMs, now) });
  const why =
    messageText(status.why) ||
    (tool === undefined ? "" : titleOf(tool)) ||
    (comparedMs === undefined ? "" : t("environments/sync-compared-at-end"));
  const details = [tool === undefined ? "" : toolName(tool.tool), detail].filter(Boolean).join(", ");
  return (
    <>
      <span className={`st ${look} ${isStale ? "stale-data" : ""}`} data-sync={word} title={why}>
        <StateGlyph look={look} />
        {word}
      </span>
      {(details !== "" || dated !== "") && (
        <span className={styles["sub"]}>
          {details}
          {details === "" || dated === "" ? "" : " "}
          <WithTimes text={dated} times={[atMs]} now={now} />
        </span>
      )}
    </>
  );
}

/** Which object of the tool it is, and why its state is not known. */
function titleOf(tool: ToolSync): string {
  return [placeOfTool(tool), messageText(tool.why)].filter(Boolean).join(": ");
}
