"use client";
import type { Environment } from "@binnacle/proto/dashboard";
import type { ReactNode } from "react";
import { ExactTime } from "../../../ui/exact-time.tsx";
import { formatAge, formatClock, millisOf } from "../../../ui/format-time.ts";
import { t } from "../../../ui/messages.ts";
import { useNow } from "../../../ui/use-now.ts";

/** That an environment is being stopped, or when the main application stops it by itself; nothing of one that stays. */
export function Lifetime({ environment }: { readonly environment: Environment | undefined }): ReactNode {
  if (environment?.state === "stopping") return <span data-lifetime="stopping">{` · ${t("dynamic/stopping")}`}</span>;
  if (environment?.autoStopAt === undefined) return undefined;
  return <StopsIn atMs={millisOf(environment.autoStopAt)} />;
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
    <span data-lifetime="auto-stop">
      {" · "}
      <ExactTime atMs={atMs} now={now}>
        {text}
      </ExactTime>
    </span>
  );
}
