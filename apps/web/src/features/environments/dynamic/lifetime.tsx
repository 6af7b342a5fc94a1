"use client";
import type { Environment } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatAge, formatClock, millisOf } from "../../../ui/format-time.ts";
import { t } from "../../../ui/messages.ts";
import { useNow } from "../../../ui/use-now.ts";

interface LifetimeProps {
  readonly environment: Pick<Environment, "state" | "autoStopAt"> | undefined;
  /** Stands before it, if there is anything to say. */
  readonly separator?: string;
  readonly className?: string;
}

/** That an environment is being stopped, or when the main application stops it by itself; nothing of one that stays. */
export function Lifetime({ environment, separator = "", className }: LifetimeProps): ReactNode {
  if (environment?.state === "stopping") {
    return (
      <span className={className} data-lifetime="stopping">
        {separator}
        {t("dynamic/stopping")}
      </span>
    );
  }
  if (environment?.autoStopAt === undefined || environment.state === "stopped") return undefined;
  return (
    <span className={className} data-lifetime="auto-stop">
      {separator}
      <StopsIn atMs={millisOf(environment.autoStopAt)} />
    </span>
  );
}

function StopsIn({ atMs }: { readonly atMs: number }): ReactNode {
  const now = useNow(10_000);
  const text =
    now === 0
      ? t("dynamic/stops-at", { at: formatClock(atMs, now) })
      : atMs <= now
        ? t("dynamic/stop-due")
        : t("dynamic/stops-in", { age: formatAge(now, atMs) });
  return (
    <ExactTime atMs={atMs} now={now}>
      {text}
    </ExactTime>
  );
}
