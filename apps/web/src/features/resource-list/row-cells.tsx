/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAge, millisOf } from "../../ui/format-time.ts";
import { nameWidth } from "@binnacle/presentation/text/name-width";
import { Name } from "../../ui/name.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { StateLink } from "../address/state-link.tsx";
import { selectionOf } from "../address/url-state.ts";
import { useEnvironmentStore } from "../live/environment-context.tsx";
import { lookOf, reasonBeside, statusOf, wordOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { decidedBy } from "../resource/decided-by.ts";
import { managerWords } from "@binnacle/presentation/health/why-words";
import styles from "./list.module.css";

/** How wide names of resources are drawn in a row. */
export const NAME_WIDTH = nameWidth(13);

/** What a cell gets. */
export interface CellProps {
  readonly node: LiveNode;
  /** Pixels for a text. */
  readonly room: number;
}

/** A link, so that it opens in a tab and its address can be copied; the row is the tab stop, and Enter on it does the same. */
export function NameCell({ node, room }: CellProps): ReactNode {
  const { ref } = node;
  return (
    <span role="rowheader" translate="no">
      {ref !== undefined && (
        <StateLink change={{ sel: selectionOf(ref) }} className={styles["name"]} title={drawnName(ref.name)} tabIndex={-1} opensDrawer>
          <Name name={ref.name} room={room} measure={NAME_WIDTH} />
        </StateLink>
      )}
    </span>
  );
}

/** Its health with the reason. */
export function HealthCell({ node }: CellProps): ReactNode {
  const { health } = node;
  const hidden = node.presence === Presence.NOT_VISIBLE;
  const status = statusOf(node);
  const look = hidden ? "locked" : lookOf(status);
  const reason = reasonBeside(node);
  return (
    <span role="gridcell" title={[messageText(health?.words), decidedBy(health)].filter((text) => text !== "").join("\n")}>
      <span className={`st ${look}`}>
        <StateGlyph look={look} size={14} />
        {hidden ? tLater("resource-list/not-visible") : wordOf(status)}
      </span>
      {reason !== "" && (
        <span className={styles["reason"]} translate="no">
          {" "}
          {reason}
        </span>
      )}
    </span>
  );
}

/** How many are ready; "0/1 ready" of "0/1 ready · CrashLoopBackOff": the reason stands in the column of health. */
export function readyWithoutReason(node: LiveNode): string {
  if (node.wanted >= 0) return `${Math.max(0, node.ready)}/${node.wanted}`;
  const [fact, reason] = [messageText(node.factWords), node.health?.reason ?? ""];
  return reason !== "" && fact.endsWith(` · ${reason}`) ? fact.slice(0, -reason.length - 3) : fact;
}

/** How long it has existed; the exact time in a tip. */
export function AgeCell({ node }: CellProps): ReactNode {
  const now = useNow(10_000);
  const createdMs = node.createdAt === undefined ? undefined : millisOf(node.createdAt);
  return (
    <span role="gridcell" className="num">
      {createdMs !== undefined && (
        <ExactTime atMs={createdMs} now={now}>
          {formatAge(createdMs, now)}
        </ExactTime>
      )}
    </span>
  );
}

/** The name of what owns it. */
export function OwnerCell({ node, room }: CellProps): ReactNode {
  const owner = useEnvironmentStore().node(node.ownerId)?.ref;
  return (
    <span role="gridcell" className="muted" translate="no">
      <Name name={owner?.name ?? ""} room={room} measure={NAME_WIDTH} />
    </span>
  );
}

/** Which tool manages it; empty for none. */
export function managerOf({ managedBy }: LiveNode): string {
  if (managedBy === undefined) return "";
  const manager = managerWords(managedBy);
  return managedBy.direct ? manager : tLater("resource-list/created-by-controllers", { manager });
}
