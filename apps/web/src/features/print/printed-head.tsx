"use client";
import type { ReactNode } from "react";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import { useUrlState } from "../address/use-url-state.ts";
import { scopeLines, type ExportSubject } from "@binnacle/presentation/export/export-scope";
import { exportScopeOf } from "../export/export-scope.ts";
import { useView } from "../live/environment-context.tsx";
import { freshnessOf, timesOf } from "@binnacle/presentation/view/freshness";
import styles from "./print.module.css";
import { usePrinting } from "../../ui/use-printing.ts";

/** What paper says of the page that it was: what it shows, of when, how that was known and what it lacks. The drawing of the graph says so itself. */
export function PrintedHead(): ReactNode {
  const isPrinting = usePrinting();
  const [url] = useUrlState();
  // A log leaves the page as a file, which is complete.
  if (!isPrinting || url.view === "logs") return null;
  return url.view !== "graph" || url.tree ? <Lines subject={url.view} /> : null;
}

function Lines({ subject }: { readonly subject: ExportSubject }): ReactNode {
  const view = useView();
  const [url] = useUrlState();
  const now = useNow();
  const freshness = freshnessOf(view, now);
  const scope = exportScopeOf({ subject, view, freshness, url, nowMs: now });
  return (
    <div className={styles["head"]} data-printed="head">
      {scopeLines(scope).map((line) => (
        <p key={line}>
          <WithTimes text={line} times={[scope.asOfMs, ...timesOf(freshness)]} now={now} />
        </p>
      ))}
    </div>
  );
}
