import type { ReactNode } from "react";
import { ExactTime } from "./exact-time.tsx";
import { formatAge, formatClock } from "./format-time.ts";
import { t } from "./messages.ts";

/** `3 h ago`; in HTML, where the time of reading is unknown (`now` 0), the time itself. Both are milliseconds since the epoch. */
export function Ago({ atMs, now }: { readonly atMs: number; readonly now: number }): ReactNode {
  return (
    <ExactTime atMs={atMs} now={now}>
      {now === 0 ? formatClock(atMs, now) : t("ui/ago", { age: formatAge(atMs, now) })}
    </ExactTime>
  );
}
