"use client";
import { Presence, type Node } from "@binnacle/proto/dashboard";
import type { NodeProps, Node as FlowNode } from "@xyflow/react";
import { memo, useEffect, useRef, useState, type ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";
import { formatAge, millisOf } from "../../ui/format-time.ts";
import { drawnName } from "../../ui/drawn-name.ts";
import { shortenMiddle } from "../../ui/shorten-middle.ts";
import { StateGlyph, type StateLook } from "../../ui/state-glyph.tsx";
import { useNow } from "../../ui/use-now.ts";
import type { EnvironmentStore } from "../live/environment-store.ts";
import { useEnvironmentStore, useNode } from "../live/environment-context.tsx";
import { isProblem, keyOfStatus, lookOf, statusOf } from "../live/health-status.ts";
import { iconOfKind, shortKind } from "../resource/kind-words.ts";
import { selectionOf } from "../environment/url-state.ts";
import type { Density } from "./geometry.ts";
import { nameOfFold, nameOfNode } from "./accessible-name.ts";
import { useGraphActions, useIsTabStop } from "./graph-context.tsx";
import type { Card } from "./layout/card.ts";

/** What React Flow hands to a card. */
export type CardNode = FlowNode<{ readonly card: Card }, "card">;

/** A card of the graph; a node renders alone when it alone changes. */
export const CardView = memo(function CardView({ data }: NodeProps<CardNode>): ReactNode {
  return data.card.type === "fold" ? <FoldCard card={data.card} /> : <NodeCard card={data.card} />;
});

function NodeCard({ card }: { readonly card: Card }): ReactNode {
  const node = useNode(card.id);
  const store = useEnvironmentStore();
  const { density, focus, sel, q, activate } = useGraphActions();
  const isTabStop = useIsTabStop(focus, card.id);
  const changed = useChangePulse(node);
  if (node?.ref === undefined) return null;
  const look = lookOfNode(node);
  const strip = stripOf(node, store);
  const selected = selectionOf(node.ref) === sel;
  const dim = q !== "" && !node.ref.name.toLowerCase().includes(q);
  const classes = ["card", density.name, look, selected ? "sel" : "", dim ? "dim" : "", strip === "" ? "" : "bad"];
  const marks = Number(node.externalUrl !== "") + Number(node.notices.length > 0);
  if (marks > 0) classes.push(`marks${marks}`);
  if (node.presence === Presence.MISSING) classes.push("dangling");
  if (node.presence === Presence.NOT_VISIBLE) classes.push("concealed");
  return (
    <button
      type="button"
      className={classes.filter((name) => name !== "").join(" ")}
      data-node-id={card.id}
      data-health={keyOfStatus(statusOf(node))}
      data-kind={node.ref.kind}
      aria-haspopup="dialog"
      tabIndex={isTabStop ? 0 : -1}
      onFocus={() => focus.set(card.id)}
      onClick={() => activate(card.id)}
      title={drawnName(node.ref.name)}
    >
      <span className="visually-hidden">{nameOfNode(node)}</span>
      <span className="hb" />
      <span className="kd" aria-hidden="true">
        <Icon name={iconOfKind(node.ref.kind)} size={density.name === "compact" ? 16 : 20} />
        <small>{shortKind(node.ref.kind)}</small>
      </span>
      <span className="tx" aria-hidden="true">
        <span className="nm">{shortenMiddle(drawnName(node.ref.name), lettersOf(density, marks))}</span>
        <span className="fact">{factOf(node)}</span>
      </span>
      <span className="rt">
        {node.notices.length > 0 && (
          <span className="note" title={node.notices.map((notice) => notice.message).join("\n")} data-notices={node.notices.length}>
            <Icon name="info" size={12} />
          </span>
        )}
        {node.externalUrl !== "" && <Icon name="ext" size={12} />}
        {look !== "neutral" && <StateGlyph look={look} size={14} />}
      </span>
      {strip !== "" && <Strip text={strip} node={node} />}
      {changed > 0 && <span key={changed} className="chg" />}
    </button>
  );
}

function FoldCard({ card }: { readonly card: Card }): ReactNode {
  const { density, focus, q, activate } = useGraphActions();
  const isTabStop = useIsTabStop(focus, card.id);
  const look = lookOf(card.status);
  return (
    <button
      type="button"
      className={`card fold ${density.name} ${look} ${q === "" ? "" : "dim"}`}
      data-node-id={card.id}
      data-fold={card.members.length}
      data-health={keyOfStatus(card.status)}
      data-kind={card.kind}
      aria-expanded={false}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={() => focus.set(card.id)}
      onClick={() => activate(card.id)}
      title="Open"
    >
      <span className="visually-hidden">{nameOfFold(card)}</span>
      <span className="hb" />
      <span className="kd" aria-hidden="true">
        <Icon name={iconOfKind(card.kind)} size={density.name === "compact" ? 16 : 20} />
        <small>{shortKind(card.kind)}</small>
      </span>
      <span className="tx" aria-hidden="true">
        <span className="nm">{card.shortTitle}</span>
        <span className="fact">
          {card.counts.map(([status, count]) => (
            <span key={status} className={`fc ${lookOf(status)}`}>
              <StateGlyph look={lookOf(status)} size={12} />
              {count}
            </span>
          ))}
          {card.below > 0 && (
            <span className={isProblem(card.worstBelow) ? `fc ${lookOf(card.worstBelow)}` : undefined}>
              {isProblem(card.worstBelow) && <StateGlyph look={lookOf(card.worstBelow)} size={12} />}+{card.below} below
            </span>
          )}
        </span>
      </span>
      <span className="rt">{look !== "neutral" && <StateGlyph look={look} size={14} />}</span>
      <span className="far-count" aria-hidden="true">
        {card.members.length}
      </span>
    </button>
  );
}

function Strip({ text, node }: { readonly text: string; readonly node: Node }): ReactNode {
  const now = useNow(10_000);
  const since = node.presence === Presence.MISSING || node.health?.since === undefined ? "" : formatAge(millisOf(node.health.since), now);
  return (
    <span className="why" aria-hidden="true">
      <span className="why-text">{text}</span>
      {since !== "" && <span className="why-age">{since}</span>}
    </span>
  );
}

/** Letters of a name that fit beside the glyph and so many marks. */
function lettersOf(density: Density, marks: number): number {
  return (density.name === "compact" ? 14 : 18) - 2 * marks;
}

/** Look of a card: what may not be seen is never coloured by a state. */
function lookOfNode(node: Node): StateLook {
  return node.presence === Presence.NOT_VISIBLE ? "locked" : lookOf(statusOf(node));
}

function factOf(node: Node): string {
  if (node.presence === Presence.MISSING) return "does not exist";
  if (node.presence === Presence.NOT_VISIBLE) return "Not visible to you";
  return node.fact;
}

/** The reason on degraded cards, and on missing ones who refers to them. */
function stripOf(node: Node, store: EnvironmentStore): string {
  if (node.presence === Presence.MISSING) return `Referenced by ${referrersOf(node.id, store)}`;
  const look = lookOfNode(node);
  return look === "degraded" || look === "unknown" ? (node.health?.reason ?? "") : "";
}

function referrersOf(id: string, store: EnvironmentStore): string {
  const names: string[] = [];
  for (const edge of store.edges.values()) {
    const name = edge.to === id ? store.node(edge.from)?.ref?.name : undefined;
    if (name !== undefined && !names.includes(name)) names.push(name);
  }
  names.sort((left, right) => left.length - right.length);
  const [first] = names.map(drawnName);
  return names.length > 1 ? `${first} and ${names.length - 1} more` : (first ?? "another resource");
}

/** Raised when the node changed after it was first seen: the dot pulses once. */
function useChangePulse(node: Node | undefined): number {
  const before = useRef(node);
  const [pulses, setPulses] = useState(0);
  useEffect(() => {
    if (before.current !== undefined && before.current !== node) setPulses((count) => count + 1);
    before.current = node;
  }, [node]);
  return pulses;
}
