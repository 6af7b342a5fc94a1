import { t } from "./messages.ts";

/** "every 30 s"; empty when the interval is unknown. */
export function everyWords(everyMs: number | undefined): string {
  if (everyMs === undefined || everyMs <= 0) return "";
  return everyMs < 120_000
    ? t("ui/every-s", { count: Math.round(everyMs / 1_000) })
    : t("ui/about-every-min", { count: Math.round(everyMs / 60_000) });
}
