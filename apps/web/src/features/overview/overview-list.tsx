"use client";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import Link from "next/link";
import { memo, useRef, type ReactNode } from "react";
import { Ago } from "../../ui/ago.tsx";
import { millisOf } from "../../ui/format-time.ts";
import { t, tLater } from "../../ui/messages.ts";
import { useNow } from "../../ui/use-now.ts";
import { environmentPath } from "../address/route-path.ts";
import { RowForbidden, RowHealth } from "../environments/row-health.tsx";
import type { RowKnowledge } from "@binnacle/presentation/environments/row-knowledge";
import { isForbidden } from "@binnacle/presentation/environments/row-order";
import { keyOfStatus } from "../live/health-status.ts";
import { DriftMark, Version } from "./overview-cells.tsx";
import type { ItemGroup } from "./overview-groups.ts";
import type { OverviewItem } from "./overview-items.ts";
import styles from "./overview.module.css";

const ROW_PX = 57;
const HEAD_PX = 37;
const OVERSCAN = 6;

type Line = { readonly kind: "head"; readonly group: ItemGroup } | { readonly kind: "item"; readonly item: OverviewItem };

/** Environments, most harm first, under the heads of their groups. Only those on the screen and a few around them are in the page. */
export function OverviewList(props: {
  readonly groups: readonly ItemGroup[];
  readonly hasHeads: boolean;
  readonly isStale: boolean;
  readonly knowledgeOf: (item: OverviewItem) => RowKnowledge;
}): ReactNode {
  const { groups, hasHeads, isStale, knowledgeOf } = props;
  const lines = groups.flatMap((group): Line[] => [
    ...(hasHeads ? [{ kind: "head" as const, group }] : []),
    ...group.items.map((item) => ({ kind: "item" as const, item })),
  ]);
  const panel = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: (index) => (lines[index]?.kind === "head" ? HEAD_PX : ROW_PX),
    overscan: OVERSCAN,
    scrollMargin: panel.current?.offsetTop ?? 0,
  });
  const items = virtual.getVirtualItems();
  const above = (items[0]?.start ?? 0) - virtual.options.scrollMargin;
  const below = virtual.getTotalSize() - ((items.at(-1)?.end ?? 0) - virtual.options.scrollMargin);
  return (
    <div ref={panel} className={`panel ${styles["scroll"]}`}>
      <table className={`${styles["list"]} ${isStale ? "stale-data" : ""}`} aria-rowcount={lines.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{t("ui/environment")}</th>
            <th scope="col">{t("ui/health")}</th>
            <th scope="col">{t("environments/version")}</th>
            <th scope="col">{t("ui/last-change")}</th>
            <th scope="col">{t("ui/agent")}</th>
          </tr>
        </thead>
        <tbody>
          {above > 0 && <tr aria-hidden="true" style={{ height: above }} />}
          {items.map(({ index }) => {
            const line = lines[index];
            if (line === undefined) return null;
            if (line.kind === "head") return <Head key={`head ${line.group.key}`} group={line.group} rowIndex={index + 2} />;
            return (
              <Row
                key={line.item.id}
                item={line.item}
                knowledge={knowledgeOf(line.item)}
                rowIndex={index + 2}
                measure={virtual.measureElement}
              />
            );
          })}
          {below > 0 && <tr aria-hidden="true" style={{ height: below }} />}
        </tbody>
      </table>
    </div>
  );
}

function Head({ group, rowIndex }: { readonly group: ItemGroup; readonly rowIndex: number }): ReactNode {
  return (
    <tr className={styles["group"]} aria-rowindex={rowIndex}>
      <th scope="colgroup" colSpan={5}>
        {group.title === "" ? tLater("overview/no-tier") : group.title}{" "}
        <span className="muted num">{tLater("environments/counted/environments", { count: group.items.length })}</span>
      </th>
    </tr>
  );
}

interface RowProps {
  readonly item: OverviewItem;
  readonly knowledge: RowKnowledge;
  /** Index in the table, from 1; the head is the first. */
  readonly rowIndex: number;
  /** Rows of a narrow screen are as high as their texts. */
  readonly measure: (element: HTMLTableRowElement | null) => void;
}

const Row = memo(
  function Row({ item, knowledge, rowIndex, measure }: RowProps): ReactNode {
    const { projectPath, name, row } = item;
    const now = useNow(10_000);
    const environment = row.environment;
    return (
      <tr
        ref={measure}
        data-index={rowIndex - 2}
        className={`${item.isAttention ? styles["hot"] : ""} ${knowledge.kind === "old" ? "stale-data" : ""}`}
        aria-rowindex={rowIndex}
        data-environment={`${projectPath}/${name}`}
        data-health={row.health === undefined ? "none" : keyOfStatus(row.health.status)}
      >
        <th scope="row">
          <Link href={environmentPath(projectPath, name)} translate="no">
            {name}
          </Link>
          <span className={styles["sub"]} translate="no" title={projectPath}>
            {projectPath}
          </span>
        </th>
        <td>{isForbidden(row) ? <RowForbidden row={row} /> : <RowHealth row={row} knowledge={knowledge} />}</td>
        <td>
          <Version row={row} />
          <DriftMark item={item} />
        </td>
        <td className="nowrap">{row.lastChange !== undefined && <Ago atMs={millisOf(row.lastChange)} now={now} />}</td>
        <td translate="no">{environment?.agentName}</td>
      </tr>
    );
  },
  (before, after) =>
    before.item.row === after.item.row &&
    before.item.isAttention === after.item.isAttention &&
    before.rowIndex === after.rowIndex &&
    JSON.stringify(before.knowledge) === JSON.stringify(after.knowledge),
);
