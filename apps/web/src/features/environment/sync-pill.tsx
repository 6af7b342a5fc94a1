import type { SyncStatus } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { formatClock } from "../../ui/format-time.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { WithTimes } from "../../ui/with-times.tsx";
import styles from "./pills.module.css";
import { worstOfAll } from "../gitops/tool-words.ts";
import { t } from "../../ui/messages.ts";

/**
 * State of GitOps, by the worst of its syncs; nothing where there is none.
 *
 * @param now milliseconds since the epoch; 0 in HTML, because the time of reading is unknown
 */
export function SyncPill({ sync, now }: { readonly sync: SyncStatus; readonly now: number }): ReactNode {
  const worst = worstOfAll(sync);
  if (worst === undefined) return null;
  const { word, look, detail, atMs, isStale, count } = worst;
  const rest = count > 1 ? t("environment/worst-of", { count }) : "";
  return (
    <span className={`${styles["pill"]} ${look === "neutral" ? "unknown" : look}`} data-sync={word} data-stale={isStale}>
      <span>{t("ui/sync")}</span>
      <span>
        <StateGlyph look={look} size={14} />
        {word}
        <em>
          <WithTimes
            text={[detail, rest, atMs === undefined ? "" : t("ui/as-of", { at: formatClock(atMs, now) })].filter(Boolean).join(", ")}
            times={[atMs]}
            now={now}
          />
        </em>
      </span>
    </span>
  );
}
