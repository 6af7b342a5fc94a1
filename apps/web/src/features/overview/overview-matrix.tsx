"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { memo, useRef, type ReactNode } from "react";
import { tLater, t } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { environmentPath, indexPath } from "../address/route-path.ts";
import { keyOfStatus } from "../live/health-status.ts";
import { DriftMark, lookOfItem, statusWords, Version } from "./overview-cells.tsx";
import type { Matrix, MatrixColumn, MatrixRow } from "./overview-groups.ts";
import type { OverviewItem } from "./overview-items.ts";
import styles from "./overview.module.css";

const ROW_PX = 53;
const OVERSCAN = 4;

/** Projects by tier or name. Of all projects only those on the screen and a few around them are in the page. */
export function OverviewMatrix({ matrix, isStale }: { readonly matrix: Matrix; readonly isStale: boolean }): ReactNode {
  const { columns, rows } = matrix;
  const panel = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: panel.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const above = (items[0]?.start ?? 0) - virtual.options.scrollMargin;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  return (
    <div ref={panel} className={`panel ${styles["scroll"]}`}>
      <table className={`${styles["matrix"]} ${isStale ? "stale-data" : ""}`} aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("ui/projects")}</th>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col" translate={title === "" ? undefined : "no"}>
                {title === "" ? tLater("overview/no-tier") : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {items.map(({ index }) => {
            const row = rows[index];
            return row && <Row key={row.projectPath} row={row} columns={columns} rowIndex={index + 2} />;
          })}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: MatrixRow;
  readonly columns: readonly MatrixColumn[];
  readonly rowIndex: number;
}

const Row = memo(function Row({ row, columns, rowIndex }: RowProps): ReactNode {
  const { projectPath, cells } = row;
  const cut = projectPath.lastIndexOf("/") + 1;
  return (
    <tr aria-rowindex={rowIndex} data-project={projectPath}>
      <th scope="row">
        <Link href={indexPath(projectPath)} translate="no" title={projectPath}>
          <span className="muted">{projectPath.slice(0, cut)}</span>
          {projectPath.slice(cut)}
        </Link>
      </th>
      {columns.map(({ key }) => {
        const items = cells.get(key) ?? [];
        return (
          <td key={key} className={items[0]?.isAttention === true ? styles["hot"] : undefined}>
            {items[0] !== undefined && <Cell item={items[0]} more={items.length - 1} />}
          </td>
        );
      })}
    </tr>
  );
}, isSameRow);

/** Items are made anew with every message; what they show is in their rows. */
function isSameRow(before: RowProps, after: RowProps): boolean {
  if (before.rowIndex !== after.rowIndex || before.row.projectPath !== after.row.projectPath) return false;
  if (before.columns.length !== after.columns.length) return false;
  return after.columns.every(({ key }, index) => {
    if (before.columns[index]?.key !== key) return false;
    const [was, is] = [before.row.cells.get(key) ?? [], after.row.cells.get(key) ?? []];
    return was.length === is.length && was[0]?.row === is[0]?.row && was[0]?.id === is[0]?.id;
  });
}

function Cell({ item, more }: { readonly item: OverviewItem; readonly more: number }): ReactNode {
  const { projectPath, name, row } = item;
  return (
    <div
      className={styles["cell"]}
      data-environment={name}
      data-health={row.health === undefined ? "none" : keyOfStatus(row.health.status)}
    >
      <Link className={`st ${lookOfItem(item)}`} href={environmentPath(projectPath, name)} title={statusWords(item)} translate="no">
        <StateGlyph look={lookOfItem(item)} size={14} />
        <span className="visually-hidden">{statusWords(item)} </span>
        <span className={styles["name"]}>{name}</span>
      </Link>
      <span className={styles["sub"]}>
        <Version row={row} />
        <DriftMark item={item} isShort />
        {more > 0 && (
          <Link href={indexPath(projectPath)} title={tLater("overview/see-all", { project: projectPath })}>
            {tLater("overview/more-in-cell", { count: more })}
          </Link>
        )}
      </span>
    </div>
  );
}
