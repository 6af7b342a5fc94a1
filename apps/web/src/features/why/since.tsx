"use client";
import type { ReactNode } from "react";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatSecond } from "../../ui/format-time.ts";
import { t } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";

/** "since 14:02:07". Renders nothing when unknown. @param props.atMs milliseconds since the epoch */
export function Since({ atMs }: { readonly atMs: number | undefined }): ReactNode {
  const now = useNow(10_000);
  if (atMs === undefined) return null;
  return (
    <ExactTime atMs={atMs} now={now}>
      {t("ui/since", { at: formatSecond(atMs, now) })}
    </ExactTime>
  );
}
