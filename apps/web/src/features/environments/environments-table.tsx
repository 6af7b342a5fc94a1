"use client";
import { useWindowVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { usePrinting } from "../../ui/use-printing.ts";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { EnvironmentRowView } from "./environment-row.tsx";
import styles from "./environments.module.css";
import type { KnownRow } from "@binnacle/presentation/environments/index-words";
import { nameOf } from "@binnacle/presentation/environments/row-order";
import type { useHeldOrder } from "./use-held-order.ts";
import { t } from "../../ui/messages.ts";

/** A row of a wide screen; on a narrow one they are measured. */
const ROW_PX = 57;
/** Rows beyond the edges of the screen. */
const OVERSCAN = 12;
/** Rows in HTML: more than a screen has. */
const ROWS_IN_HTML = 50;

/** The table: of a thousand rows only those on the screen and some around them are there. */
export function EnvironmentsTable(props: {
  readonly rows: readonly KnownRow[];
  readonly stale: boolean;
  readonly handlers: ReturnType<typeof useHeldOrder>["handlers"];
  /** Called with the names of the rows on the screen when they are others. */
  readonly onVisible: (names: readonly string[]) => void;
}): ReactNode {
  const { rows, stale, handlers, onVisible } = props;
  const panel = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: panel.current?.offsetTop ?? 0,
  });
  const isHydrated = useHydrated();
  const isPrinting = usePrinting();
  const isWindow = isHydrated && !isPrinting;
  const items = isWindow
    ? virtual.getVirtualItems()
    : firstRows(isPrinting ? rows.length : Math.min(rows.length, ROWS_IN_HTML), virtual.options.scrollMargin);
  const [above, below] = [
    (items[0]?.start ?? 0) - virtual.options.scrollMargin,
    virtual.getTotalSize() - ((items.at(-1)?.end ?? 0) - virtual.options.scrollMargin),
  ];
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  const visible = JSON.stringify(rows.slice(startIndex, endIndex + 1).map(({ row }) => nameOf(row)));
  useEffect(() => {
    // It was made of an array of texts, three lines above.
    onVisible(JSON.parse(visible) as string[]);
  }, [visible, onVisible]);
  return (
    <div ref={panel} className={`panel ${styles["scroll"]}`} {...handlers}>
      <table className={`${styles["table"]} ${stale ? "stale-data" : ""}`} data-stale={stale} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{t("environments/environments-worst-first")}</caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("ui/environment")}</th>
            <th scope="col" aria-sort="descending">
              {t("ui/health")} <Icon name="down" size={12} />
            </th>
            <th scope="col">{t("environments/workloads-ready")}</th>
            <th scope="col">{t("ui/last-change")}</th>
            <th scope="col">{t("environments/version")}</th>
            <th scope="col">{t("ui/sync")}</th>
            <th scope="col">{t("ui/agent")}</th>
            <th scope="col">{t("ui/access")}</th>
          </tr>
        </thead>
        <tbody>
          {!isPrinting && <Gap px={above} />}
          {items.map(({ index }) => {
            const known = rows[index];
            return known && <EnvironmentRowView key={nameOf(known.row)} {...known} rowIndex={index + 2} />;
          })}
          {!isPrinting && <Gap px={below} />}
        </tbody>
      </table>
    </div>
  );
}

/** The rows in HTML, where the height of the screen is unknown, and on paper, which has no viewport. */
function firstRows(count: number, marginPx: number): Pick<VirtualItem, "index" | "start" | "end">[] {
  return Array.from({ length: count }, (_, index) => {
    const start = marginPx + index * ROW_PX;
    return { index, start, end: start + ROW_PX };
  });
}

/** The room of rows that are not there. */
function Gap({ px }: { readonly px: number }): ReactNode {
  return px <= 0 ? null : <tr aria-hidden="true" style={{ height: px }} />;
}
