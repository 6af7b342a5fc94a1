"use client";
import { ConnectionState } from "@binnacle/proto/dashboard-enums";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useRef, type ReactNode } from "react";
import { tLater } from "../../ui/messages.ts";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { wordOfRow } from "../environments/index-filters.tsx";
import { lookOfItem } from "./overview-cells.tsx";
import type { ItemGroup } from "./overview-groups.ts";
import type { OverviewItem } from "./overview-items.ts";
import styles from "./overview.module.css";

const CARD_PX = 260;
const LINE_PX = 128;
const OVERSCAN = 2;

/** Agents as cards, each with the health of its environments; a press lists them. Only cards on the screen are in the page. */
export function AgentsMap({
  agents,
  onAgent,
}: {
  readonly agents: readonly ItemGroup[];
  readonly onAgent: (name: string) => void;
}): ReactNode {
  const panel = useRef<HTMLDivElement>(null);
  const isHydrated = useHydrated();
  const perLine = isHydrated ? Math.max(1, Math.floor((panel.current?.clientWidth ?? 1_040) / CARD_PX)) : 4;
  const count = Math.ceil(agents.length / perLine);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => LINE_PX,
    overscan: OVERSCAN,
    scrollMargin: panel.current?.offsetTop ?? 0,
  });
  return (
    <div ref={panel} className={styles["map"]} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => (
        <ul
          key={index}
          className={styles["cards"]}
          style={{
            transform: `translateY(${start - virtual.options.scrollMargin}px)`,
            gridTemplateColumns: `repeat(${perLine}, minmax(0, 1fr))`,
          }}
        >
          {agents.slice(index * perLine, (index + 1) * perLine).map((agent) => (
            <AgentCard key={agent.key} agent={agent} onAgent={onAgent} />
          ))}
        </ul>
      ))}
    </div>
  );
}

function AgentCard({ agent, onAgent }: { readonly agent: ItemGroup; readonly onAgent: (name: string) => void }): ReactNode {
  const { key, title, items } = agent;
  const first = items[0];
  const parts = [...Map.groupBy(items, ({ status }) => status)];
  return (
    <li className={`panel ${styles["card"]}`} data-agent={key}>
      <button type="button" onClick={() => onAgent(first?.row.environment?.agentName ?? "")}>
        <span className={styles["cardName"]} translate="no" title={title}>
          {key === "" ? tLater("overview/no-agent") : (first?.row.environment?.agentName ?? "")}
        </span>
        <span className={styles["sub"]}>
          {tLater("environments/counted/environments", { count: items.length })}
          {first !== undefined && connectionWords(first) !== "" && ` · ${connectionWords(first)}`}
        </span>
        <span className={styles["bar"]} aria-hidden="true">
          {parts.map(([status, some]) => (
            <i key={status} className={some[0] && lookOfItem(some[0])} style={{ flexGrow: some.length }} />
          ))}
        </span>
        <span className={styles["sub"]}>{parts.map(([status, some]) => `${some.length} ${wordOfRow(status)}`).join(" · ")}</span>
      </button>
    </li>
  );
}

function connectionWords({ row: { connection } }: OverviewItem): string {
  switch (connection?.state) {
    case ConnectionState.AGENT_OFFLINE:
      return tLater("environments/state-agent-offline");
    case ConnectionState.AGENT_NEVER_CONNECTED:
      return tLater("environments/never-connected");
    case ConnectionState.KAS_UNREACHABLE:
      return tLater("environments/kas-unavailable");
    case ConnectionState.RECONNECTING:
      return tLater("environments/state/reconnecting");
    default:
      return "";
  }
}
