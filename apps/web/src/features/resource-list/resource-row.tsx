/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { memo, type CSSProperties, type ReactNode } from "react";
import { drawnName } from "../../ui/drawn-name.ts";
import { said } from "../../ui/said.ts";
import { ExactTime } from "../../ui/exact-time.tsx";
import { formatAge, millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { codeWidth, nameWidth } from "../../ui/name-width.ts";
import { Name } from "../../ui/name.tsx";
import { StateGlyph } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import { useEnvironmentStore, useNode } from "../live/environment-context.tsx";
import { keyOfStatus, lookOf, statusOf, wordOf } from "../live/health-status.ts";
import type { ManagedBy } from "@binnacle/proto/dashboard";
import { Presence } from "@binnacle/proto/dashboard-enums";
import { decidedBy } from "../resource/decided-by.ts";
import { iconOfKind } from "../resource/kind-words.ts";
import { selectionOf } from "../address/url-state.ts";
import { managerWords } from "../why/why-words.ts";
import styles from "./list.module.css";
import type { NameRooms } from "./name-rooms.ts";

const NAME_WIDTH = nameWidth(13);

/** One resource; renders only when that one changes. */
export const ResourceRow = memo(
  function ResourceRow(props: {
    readonly id: string;
    readonly index: number;
    readonly style: CSSProperties;
    readonly selected: string;
    /** There is a column for what manages it. */
    readonly managed: boolean;
    readonly rooms: NameRooms;
    readonly onSelect: (sel: string) => void;
  }): ReactNode {
    const { id, index, style, selected, managed, rooms, onSelect } = props;
    const node = useNode(id);
    const store = useEnvironmentStore();
    const now = useNow(10_000);
    if (node?.ref === undefined) return null;
    const { ref, health } = node;
    const hidden = node.presence === Presence.NOT_VISIBLE;
    const status = statusOf(node);
    const look = hidden ? "locked" : lookOf(status);
    const sel = selectionOf(ref);
    const owner = store.node(node.ownerId)?.ref;
    const createdMs = node.createdAt === undefined ? undefined : millisOf(node.createdAt);
    return (
      <div
        className={`${styles["row"]} ${styles["body"]} ${selected === sel ? styles["selected"] : ""}`}
        role="row"
        aria-rowindex={index}
        style={style}
        data-node-id={id}
        data-health={keyOfStatus(status)}
      >
        <span role="cell" className="muted">
          <Icon name={iconOfKind(ref.kind)} size={14} /> {ref.kind}
        </span>
        <span role="rowheader">
          <button type="button" className={styles["name"]} title={drawnName(ref.name)} aria-haspopup="dialog" onClick={() => onSelect(sel)}>
            <Name name={ref.name} room={rooms.name} measure={NAME_WIDTH} />
          </button>
        </span>
        <span role="cell" className="muted">
          <Name name={ref.namespace} room={rooms.namespace} measure={NAME_WIDTH} />
        </span>
        <span role="cell" title={[said(health?.words), decidedBy(health)].filter((text) => text !== "").join("\n")}>
          <span className={`st ${look}`}>
            <StateGlyph look={look} size={14} />
            {hidden ? "Not visible" : wordOf(status)}
          </span>
          {health !== undefined && health.reason !== "" && <span className={styles["reason"]}> {health.reason}</span>}
        </span>
        <span role="cell" className="num" title={said(node.factWords)}>
          {node.wanted >= 0 ? `${Math.max(0, node.ready)}/${node.wanted}` : said(node.factWords)}
        </span>
        <span role="cell" className="num">
          {node.restarts > 0 ? node.restarts : ""}
        </span>
        <span role="cell" className="num">
          {createdMs !== undefined && (
            <ExactTime atMs={createdMs} now={now}>
              {formatAge(createdMs, now)}
            </ExactTime>
          )}
        </span>
        <span role="cell" className="muted">
          <Name name={owner?.name ?? ""} room={rooms.owner} measure={NAME_WIDTH} />
        </span>
        <span role="cell" className="mono muted" title={node.images.join(", ")}>
          <Name name={node.images.map((image) => image.split("/").at(-1)).join(", ")} room={rooms.images} measure={codeWidth} />
        </span>
        {managed && <ManagedCell managedBy={node.managedBy} />}
      </div>
    );
  },
  (before, after) =>
    before.id === after.id &&
    before.index === after.index &&
    before.selected === after.selected &&
    before.managed === after.managed &&
    before.rooms === after.rooms &&
    before.style.transform === after.style.transform,
);

function ManagedCell({ managedBy }: { readonly managedBy: ManagedBy | undefined }): ReactNode {
  const words = managedBy === undefined ? "" : `${managedBy.direct ? "" : "Generated, "}${managerWords(managedBy)}`;
  return (
    <span role="cell" className="muted" title={words}>
      {words}
    </span>
  );
}
