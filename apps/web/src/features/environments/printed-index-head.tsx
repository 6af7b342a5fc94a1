"use client";
import { Suspense, type ReactNode } from "react";
import { formatAbsolute } from "../../ui/format-time.ts";
import { tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { WithTimes } from "../../ui/with-times.tsx";
import styles from "../print/print.module.css";
import { usePrinting } from "../../ui/use-printing.ts";

/** What paper says of an index that it cannot show: of which project and when it is, how that was known, and by what it is filtered. */
interface PrintedIndexHeadProps {
  readonly projectPath: string;
  readonly filters: { readonly search: string; readonly health: readonly string[] };
  /** Milliseconds since the epoch, by the server's clock. */
  readonly asOfMs: number;
  /** How new all is, in words. */
  readonly standing: string;
  /** Those that the words may name. Milliseconds since the epoch. */
  readonly times: readonly number[];
}

/** The head of an index on paper; nothing on the screen. */
export function PrintedIndexHead(props: PrintedIndexHeadProps): ReactNode {
  return (
    usePrinting() && (
      <Suspense>
        <Lines {...props} />
      </Suspense>
    )
  );
}

function Lines({ projectPath, filters: { search, health }, asOfMs, standing, times }: PrintedIndexHeadProps): ReactNode {
  const now = useNow(60_000);
  const filters = [
    ...(search === "" ? [] : [tLater("export/filter/search", { names: search })]),
    ...(health.length === 0 ? [] : [tLater("export/filter/health", { names: health.join(", ") })]),
  ];
  const asOf = tLater("export/as-of", { at: formatAbsolute(asOfMs, now) });
  return (
    <div className={styles["head"]} data-printed="head">
      <p>{projectPath}</p>
      <p>{filters.length === 0 ? tLater("export/filter/none") : filters.join("; ")}</p>
      <p>
        <WithTimes text={`${[asOf, standing].filter(Boolean).join(". ")}.`} times={[asOfMs, ...times]} now={now} />
      </p>
    </div>
  );
}
