"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { LiveNode } from "../../live/live-node.ts";
import { isSameMessage } from "@binnacle/presentation/graph/same-message";
import type { NodeProps, Node as FlowNode } from "@xyflow/react";
import { memo, useEffect, useRef, useState, type ReactNode, useCallback, useSyncExternalStore } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { messageText, tLater } from "../../../ui/messages.ts";
import { formatAge, millisOf } from "../../../ui/format-time.ts";
import { drawnName } from "@binnacle/presentation/text/drawn-name";
import { nameWidth } from "@binnacle/presentation/text/name-width";
import { shortenMiddle } from "@binnacle/presentation/text/shorten-middle";
import { StateGlyph } from "../../../ui/state-glyph.tsx";
import { useNow } from "../../../ui/use-now.ts";
import { useEnvironmentStore, useNode } from "../../live/environment-context.tsx";
import { isProblem, keyOfStatus, lookOf, statusOf } from "../../live/health-status.ts";
import { iconOfKind, shortKind } from "@binnacle/presentation/health/kind-words";
import { selectionOf } from "../../address/url-state.ts";
import type { EnvironmentStore } from "../../live/environment-store.ts";
import type { Density } from "@binnacle/presentation/drawing/geometry";
import { nameOfFold, nameOfNode } from "@binnacle/presentation/drawing/accessible-name";
import { factOf, lookOfNode, stripOf } from "@binnacle/presentation/drawing/card-words";
import { clickOf, useGraphActions, useIsTabStop } from "./graph-context.tsx";
import type { Card } from "@binnacle/presentation/layout/card";
import { shortTitleOfFold } from "@binnacle/presentation/layout/fold-title";
import styles from "./node-card.module.css";

/** What a mark takes beside a name. */
const MARK_PX = 17;

/** What React Flow hands to a card. */
export type CardNode = FlowNode<{ readonly card: Card }, "card">;

/** A card of the graph; a node renders alone when it alone changes. */
export const CardView = memo(function CardView({ data }: NodeProps<CardNode>): ReactNode {
  return data.card.type === "fold" ? <FoldCard card={data.card} /> : <NodeCard card={data.card} />;
});

type Graph = Pick<EnvironmentStore, "edges" | "graphVersion">;

interface Counts {
  readonly version: number;
  /** By node: how many lines end at it, and how many begin there, as they are drawn. */
  readonly of: ReadonlyMap<string, readonly [arriving: number, leaving: number]>;
}

const counted = new WeakMap<Graph, Counts>();

function NodeCard({ card }: { readonly card: Card }): ReactNode {
  const node = useNode(card.id);
  const store = useEnvironmentStore();
  const actions = useGraphActions();
  const { density, focus, sel, hits, hit, chosen } = actions;
  const isTabStop = useIsTabStop(focus, card.id);
  const changed = useChangePulse(node);
  const lines = useLineWords(card.id);
  if (node?.ref === undefined) return null;
  const look = lookOfNode(node);
  const strip = stripOf(node, store);
  const selected = selectionOf(node.ref) === sel;
  const dim = hits !== undefined && !hits.has(card.id);
  const isChosen = chosen.has(card.id);
  const marks = Number(node.externalUrl !== "") + Number(node.notices.length > 0) + Number(isChosen);
  const classes = [
    styles["card"],
    look,
    selected && styles["selected"],
    isChosen && styles["chosen"],
    dim && styles["dim"],
    hit === card.id && styles["hit"],
    strip !== "" && styles["bad"],
    node.presence === Presence.MISSING && styles["dangling"],
    node.presence === Presence.NOT_VISIBLE && styles["concealed"],
  ];
  return (
    <button
      type="button"
      className={classes.filter((name) => name !== false).join(" ")}
      data-density={density.name}
      data-node-id={card.id}
      data-life={node.life}
      data-health={keyOfStatus(statusOf(node))}
      data-kind={node.ref.kind}
      data-chosen={isChosen}
      aria-haspopup="dialog"
      tabIndex={isTabStop ? 0 : -1}
      onFocus={() => focus.set(card.id)}
      onClick={clickOf(actions, card.id)}
      title={drawnName(node.ref.name)}
    >
      <span className="visually-hidden">
        {isChosen ? tLater("resource-graph/chosen", { card: nameOfNode(node, lines) }) : nameOfNode(node, lines)}
      </span>
      <span className={styles["edge"]} />
      <span className={styles["kind"]} aria-hidden="true">
        <Icon name={iconOfKind(node.ref.kind)} size={density.name === "compact" ? 16 : 20} />
        <small translate="no">{shortKind(node.ref.kind)}</small>
      </span>
      <span className={styles["text"]} aria-hidden="true">
        <span className={styles["name"]} translate="no">
          {shortenMiddle(drawnName(node.ref.name), nameRoom(density, marks), nameWidth(density.nameFont))}
        </span>
        <span className={`${styles["fact"]} ${styles["cut"]}`}>{factOf(node)}</span>
      </span>
      <span className={styles["marks"]}>
        {isChosen && <Icon name="check" size={12} />}
        {node.notices.length > 0 && (
          <span
            className={styles["notices"]}
            title={node.notices.map((notice) => messageText(notice.words)).join("\n")}
            data-notices={node.notices.length}
          >
            <Icon name="info" size={12} />
          </span>
        )}
        {node.externalUrl !== "" && <Icon name="ext" size={12} />}
        {look !== "neutral" && <StateGlyph look={look} size={14} />}
      </span>
      {strip !== "" && <Strip text={strip} node={node} />}
      {changed > 0 && <span key={changed} className={styles["changed"]} />}
    </button>
  );
}

function FoldCard({ card }: { readonly card: Card }): ReactNode {
  const actions = useGraphActions();
  const { density, focus, hits, hit, chosen } = actions;
  const isTabStop = useIsTabStop(focus, card.id);
  const look = lookOf(card.status);
  const chosenMembers = card.members.filter((id) => chosen.has(id)).length;
  return (
    <button
      type="button"
      className={`${styles["card"]} ${styles["fold"]} ${look} ${hits === undefined || hits.has(card.id) ? "" : styles["dim"]} ${hit === card.id ? styles["hit"] : ""} ${chosenMembers > 0 ? styles["chosen"] : ""}`}
      data-density={density.name}
      data-node-id={card.id}
      data-fold={card.members.length}
      data-health={keyOfStatus(card.status)}
      data-kind={card.kind}
      aria-expanded={false}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={() => focus.set(card.id)}
      onClick={clickOf(actions, card.id)}
      title={tLater("resource-graph/open")}
    >
      <span className="visually-hidden">
        {chosenMembers > 0 ? tLater("resource-graph/chosen-members", { card: nameOfFold(card), count: chosenMembers }) : nameOfFold(card)}
      </span>
      <span className={styles["edge"]} />
      <span className={styles["kind"]} aria-hidden="true">
        <Icon name={iconOfKind(card.kind)} size={density.name === "compact" ? 16 : 20} />
        <small translate="no">{shortKind(card.kind)}</small>
      </span>
      <span className={styles["text"]} aria-hidden="true">
        <span className={styles["name"]}>
          {shortenMiddle(shortTitleOfFold(card), nameRoom(density, Number(chosenMembers > 0)), nameWidth(density.nameFont))}
        </span>
        <span className={styles["fact"]}>
          {card.counts.map(([status, count]) => (
            <span key={status} className={`${styles["count"]} ${lookOf(status)}`}>
              <StateGlyph look={lookOf(status)} size={12} />
              {count}
            </span>
          ))}
          {card.below > 0 && (
            <span className={isProblem(card.worstBelow) ? `${styles["count"]} ${lookOf(card.worstBelow)}` : undefined}>
              {isProblem(card.worstBelow) && <StateGlyph look={lookOf(card.worstBelow)} size={12} />}+
              {tLater("resource-graph/below", { below: card.below })}
            </span>
          )}
        </span>
      </span>
      <span className={styles["marks"]}>
        {chosenMembers > 0 && <Icon name="check" size={12} />}
        {look !== "neutral" && <StateGlyph look={look} size={14} />}
      </span>
      <span className={styles["farCount"]} aria-hidden="true">
        {card.members.length}
      </span>
    </button>
  );
}

function Strip({ text, node }: { readonly text: string; readonly node: LiveNode }): ReactNode {
  const now = useNow(10_000);
  const since = node.presence === Presence.MISSING || node.health?.since === undefined ? "" : formatAge(millisOf(node.health.since), now);
  return (
    <span className={styles["strip"]} aria-hidden="true" title={text}>
      <span className={styles["stripText"]} translate={node.presence === Presence.MISSING ? undefined : "no"}>
        {text}
      </span>
      {since !== "" && <span className={styles["stripAge"]}>{since}</span>}
    </span>
  );
}

/** Pixels for a name beside the glyph and so many marks. */
function nameRoom(density: Density, marks: number): number {
  return density.nameRoom - MARK_PX * marks;
}

/** Raised when the node looks different than it did before: the dot pulses once. */
function useChangePulse(node: LiveNode | undefined): number {
  const before = useRef(node);
  const [pulses, setPulses] = useState(0);
  useEffect(() => {
    if (before.current !== undefined && node !== undefined && looksChanged(before.current, node)) setPulses((count) => count + 1);
    before.current = node;
  }, [node]);
  return pulses;
}

/** "2 lines in, 1 out": how a node is connected, for who does not see the lines; empty without any. Edges are walked once per change. */
export function lineWordsOf(id: string, store: Graph): string {
  const [arriving, leaving] = countsOf(store).of.get(id) ?? [0, 0];
  return arriving + leaving === 0 ? "" : tLater("card/lines", { arriving, leaving });
}

/** The same, and the component renders when it has changed. */
function useLineWords(id: string): string {
  const store = useEnvironmentStore();
  const read = useCallback(() => lineWordsOf(id, store), [id, store]);
  return useSyncExternalStore(store.onGraph, read, read);
}

function countsOf(store: Graph): Counts {
  const version = store.graphVersion();
  const known = counted.get(store);
  if (known?.version === version) return known;
  const of = new Map<string, [number, number]>();
  const countsAt = (id: string): [number, number] => {
    const counts = of.get(id) ?? [0, 0];
    of.set(id, counts);
    return counts;
  };
  for (const { from, to, flowReversed } of store.edges.values()) {
    countsAt(flowReversed ? from : to)[0] += 1;
    countsAt(flowReversed ? to : from)[1] += 1;
  }
  const counts = { version, of };
  counted.set(store, counts);
  return counts;
}

/** Whether a card of the node looks different: a new `revision` alone only says that there is more to read about it. */
export function looksChanged(before: LiveNode, now: LiveNode): boolean {
  return before !== now && !isSameMessage({ ...before, revision: now.revision }, now);
}
