"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { messageText, tLater } from "../../../ui/messages.ts";
import { Icon } from "../../../ui/icon.tsx";
import { runLocalKey } from "../../../ui/keys/local-keys.ts";
import { nameWidth } from "@binnacle/presentation/text/name-width";
import { shortenMiddle } from "@binnacle/presentation/text/shorten-middle";
import { StateGlyph } from "../../../ui/state-glyph.tsx";
import { useWidths } from "../../../ui/use-widths.ts";
import { useEnvironmentStore, useNode } from "../../live/environment-context.tsx";
import type { LiveNode } from "../../live/live-node.ts";
import { isProblem, keyOfStatus, lookOf, reasonBeside, statusOf, wordOf } from "../../live/health-status.ts";
import { iconOfKind } from "@binnacle/presentation/health/kind-words";
import { selectionOf } from "../../address/url-state.ts";
import { useUrlState } from "../../address/use-url-state.ts";
import { compare } from "@binnacle/presentation/graph/compare";
import { useShownItems } from "../../print/use-shown-items.ts";
import type { Around } from "../around/use-around.ts";
import { nameOfNode, noticesWords } from "@binnacle/presentation/drawing/accessible-name";
import styles from "./resource-tree.module.css";

/** One visible line of the tree. */
interface TreeRow {
  readonly id: string;
  /** From 1. */
  readonly level: number;
  readonly parentId: string;
  /** `undefined` for a leaf. */
  readonly expanded: boolean | undefined;
  readonly position: number;
  readonly siblings: number;
}

const ROW_PX = 34;
/** The assumed width until it is measured. */
const LEAST_PX = 480;
/** What indent, sign, kind and name take of a line (resource-tree.module.css): health and facts begin at the same place in all lines. */
const NAME_SHARE = 0.46;
/** Twist, sign and kind before a name, and the least that a name has, however deep it stands. */
const BEFORE_NAME_PX = 160;
const LEAST_NAME_PX = 120;
const NAME_WIDTH = nameWidth(13);

/** The ownership forest of these as an ARIA tree: the graph's twin, with the same filter and the same drawer; on paper as it is unfolded. */
export function ResourceTree(props: { readonly nodes: ReadonlyMap<string, LiveNode>; readonly around?: Around }): ReactNode {
  const { nodes, around } = props;
  const store = useEnvironmentStore();
  const [, setUrl] = useUrlState();
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState("");
  const scroller = useRef<HTMLDivElement>(null);
  const [items, [width = LEAST_PX]] = useWidths();
  const rows = useMemo(() => treeRows(nodes, toggled), [nodes, toggled]);
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const { isPrinting, items: shown } = useShownItems(virtual, rows.length);
  const tabStop = rows.some((row) => row.id === current) ? current : rows[0]?.id;
  const toggle = (id: string): void => {
    const next = new Set(toggled);
    if (!next.delete(id)) next.add(id);
    setToggled(next);
  };
  const goTo = (index: number): void => {
    const row = rows[index];
    if (row === undefined) return;
    setCurrent(row.id);
    virtual.scrollToIndex(index);
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(row.id)}"]`)?.focus());
  };
  const selectionAt = (id: string): string => {
    const ref = store.node(id)?.ref;
    return ref === undefined ? "" : selectionOf(ref);
  };
  const open = (id: string): void => {
    const sel = selectionAt(id);
    if (sel !== "") setUrl({ sel });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const index = rows.findIndex((row) => row.id === tabStop);
    const row = rows[index];
    if (row === undefined) return;
    const problem = (by: 1 | -1): void => {
      const found = rows.flatMap(({ id }, place) => {
        const node = store.node(id);
        return node !== undefined && isProblem(statusOf(node)) ? place : [];
      });
      const at = found.indexOf(index);
      goTo(found.at(at < 0 ? 0 : (at + by) % found.length) ?? -1);
    };
    runLocalKey("tree", event, {
      down: () => goTo(index + 1),
      up: () => goTo(index - 1),
      first: () => goTo(0),
      last: () => goTo(rows.length - 1),
      open: () => open(row.id),
      twist: () => (row.expanded === undefined ? false : toggle(row.id)),
      into: () => (row.expanded === undefined ? false : row.expanded ? goTo(index + 1) : toggle(row.id)),
      out: () => (row.expanded === true ? toggle(row.id) : goTo(rows.findIndex((each) => each.id === row.parentId))),
      moreHops: () => around?.more(selectionAt(row.id)) ?? false,
      fewerHops: () => around?.fewer() ?? false,
      nextProblem: () => problem(1),
      previousProblem: () => problem(-1),
    });
  };
  return (
    <div ref={scroller} className={styles["scroller"]}>
      <div
        ref={items}
        role="tree"
        tabIndex={-1}
        aria-label={tLater("resource-graph/resources-by-owner")}
        style={isPrinting ? {} : { height: virtual.getTotalSize(), position: "relative" }}
        onKeyDown={onKeyDown}
      >
        {shown.map((item) => {
          const row = rows[item.index];
          return row === undefined ? null : (
            <TreeItem
              key={row.id}
              row={row}
              top={item.start}
              width={width}
              isTabStop={row.id === tabStop}
              onToggle={toggle}
              onOpen={open}
              onFocus={setCurrent}
            />
          );
        })}
      </div>
    </div>
  );
}

const TreeItem = memo(function TreeItem(props: {
  readonly row: TreeRow;
  readonly top: number;
  /** Pixels that the tree is wide. */
  readonly width: number;
  readonly isTabStop: boolean;
  readonly onToggle: (id: string) => void;
  readonly onOpen: (id: string) => void;
  readonly onFocus: (id: string) => void;
}): ReactNode {
  const { row, top, width, isTabStop, onToggle, onOpen, onFocus } = props;
  const node = useNode(row.id);
  if (node?.ref === undefined) return null;
  const status = statusOf(node);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the tree takes the keys of all items
    <div
      role="treeitem"
      className={styles["item"]}
      aria-level={row.level}
      aria-setsize={row.siblings}
      aria-posinset={row.position}
      aria-selected={false}
      {...(row.expanded === undefined ? {} : { "aria-expanded": row.expanded })}
      tabIndex={isTabStop ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      data-node-id={row.id}
      data-health={keyOfStatus(status)}
      onFocus={() => onFocus(row.id)}
      onClick={() => onOpen(row.id)}
    >
      <span className="visually-hidden">{nameOfNode(node)}</span>
      <span className={styles["lead"]} aria-hidden="true" style={{ paddingLeft: indentOf(row) }}>
        {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- arrow keys on the item do the same */}
        <span
          className={styles["twist"]}
          onClick={(event) => {
            event.stopPropagation();
            onToggle(row.id);
          }}
        >
          {row.expanded !== undefined && <Icon name={row.expanded ? "down" : "right"} size={14} />}
        </span>
        <Icon name={iconOfKind(node.ref.kind)} size={14} />
        <span className="muted" translate="no">
          {node.ref.kind}
        </span>
        <b className="b" translate="no" title={drawnName(node.ref.name)}>
          {shortenMiddle(
            drawnName(node.ref.name),
            Math.max(LEAST_NAME_PX, width * NAME_SHARE - indentOf(row) - BEFORE_NAME_PX),
            NAME_WIDTH,
          )}
        </b>
      </span>
      <span className={`st ${lookOf(status)}`} aria-hidden="true">
        <StateGlyph look={lookOf(status)} size={14} />
        {status === 0 ? "" : wordOf(status)}
      </span>
      <span className={styles["facts"]} aria-hidden="true">
        {reasonBeside(node) !== "" && <span translate="no">{reasonBeside(node)}</span>}
        <span>{messageText(node.factWords)}</span>
        {node.notices.length > 0 && (
          <span title={node.notices.map((notice) => messageText(notice.words)).join("\n")}>
            <Icon name="info" size={12} /> {noticesWords(node)}
          </span>
        )}
      </span>
    </div>
  );
});

/** Pixels before an item, by its level. */
function indentOf({ level }: TreeRow): number {
  return 16 + (level - 1) * 24;
}

/**
 * Visible lines of the ownership tree, worst first. Branches with a problem below are open until the user closes them.
 *
 * @param toggled nodes whose state a person has turned round
 */
export function treeRows(nodes: ReadonlyMap<string, LiveNode>, toggled: ReadonlySet<string>): readonly TreeRow[] {
  const children = new Map<string, LiveNode[]>();
  for (const node of nodes.values()) {
    const parent = nodes.has(node.ownerId) && node.ownerId !== node.id ? node.ownerId : "";
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [node]);
    else list.push(node);
  }
  const rows: TreeRow[] = [];
  const seen = new Set<string>();
  const visit = (parentId: string, level: number): void => {
    const list = (children.get(parentId) ?? []).sort(worstFirst);
    for (const [index, node] of list.entries()) {
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      const hasChildren = children.has(node.id);
      const open = isProblem(node.worstBelow) !== toggled.has(node.id);
      rows.push({ id: node.id, level, parentId, expanded: hasChildren ? open : undefined, position: index + 1, siblings: list.length });
      if (hasChildren && open) visit(node.id, level + 1);
    }
  };
  visit("", 1);
  return rows;
}

function worstFirst(left: LiveNode, right: LiveNode): number {
  return (
    Math.max(statusOf(right), right.worstBelow) - Math.max(statusOf(left), left.worstBelow) ||
    compare(left.ref?.kind ?? "", right.ref?.kind ?? "") ||
    compare(left.ref?.name ?? "", right.ref?.name ?? "")
  );
}
