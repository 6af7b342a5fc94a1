/* oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a virtual list are placed absolutely, which a <table> does not allow */
"use client";
import { Presence } from "@binnacle/proto/dashboard-enums";
import type { WordsId } from "@binnacle/words";
import type { ReactNode } from "react";
import { millisOf } from "../../ui/format-time.ts";
import { Icon } from "../../ui/icon.tsx";
import { codeWidth } from "@binnacle/presentation/text/name-width";
import { Name } from "../../ui/name.tsx";
import { messageText, tLater } from "../../ui/messages.ts";
import { reasonBeside, statusOf, wordOf } from "../live/health-status.ts";
import type { LiveNode } from "../live/live-node.ts";
import { iconOfKind } from "@binnacle/presentation/health/kind-words";
import { AgeCell, HealthCell, managerOf, NAME_WIDTH, NameCell, OwnerCell, readyWithoutReason, type CellProps } from "./row-cells.tsx";

/** The owner of a node, as far as it is known. */
export type OwnerOf = (node: LiveNode) => LiveNode | undefined;

/** Everything about a column of the list: how it looks, what it is sorted by, and what leaves the page in files and on paper. */
interface ColumnDefinition {
  /** What it is called in an address; stays, since links have it. */
  readonly key: string;
  readonly title: WordsId;
  /** As narrow as it can become, in pixels, and its share of what is left; 0 never grows. */
  readonly least: number;
  readonly share: number;
  /** Whether a card of a phone has it; the drawer has the rest. */
  readonly onCard: boolean;
  /** By what it is sorted, rising: numbers before texts, nothing at the end. */
  readonly sortValueOf: (node: LiveNode, ownerOf: OwnerOf) => number | string | undefined;
  /** What a row shows; a React component, which may use hooks. */
  readonly Cell: (props: CellProps) => ReactNode;
  readonly exported: {
    /** Its name in JSON; stays, since programs read it. */
    readonly key: string;
    /** Its title in CSV and on paper, where that differs from the screen's. */
    readonly title?: WordsId;
    /** What stands in CSV, JSON and on paper: full names and exact times in UTC. */
    readonly textOf: (node: LiveNode, ownerOf: OwnerOf) => string | number;
  };
}

const DEFINITIONS = [
  {
    key: "kind",
    title: "ui/kind",
    least: 168,
    share: 0.5,
    onCard: true,
    sortValueOf: ({ ref }) => ref?.kind,
    Cell: ({ node }) => (
      <span role="gridcell" className="muted" translate="no">
        <Icon name={iconOfKind(node.ref?.kind ?? "")} size={14} /> {node.ref?.kind}
      </span>
    ),
    exported: { key: "kind", textOf: ({ ref }) => ref?.kind ?? "" },
  },
  {
    key: "name",
    title: "ui/name",
    least: 220,
    share: 1.6,
    onCard: true,
    sortValueOf: ({ ref }) => ref?.name,
    Cell: NameCell,
    exported: { key: "name", textOf: ({ ref }) => ref?.name ?? "" },
  },
  {
    key: "namespace",
    title: "ui/namespace",
    least: 110,
    share: 0.8,
    onCard: false,
    sortValueOf: ({ ref }) => ref?.namespace || undefined,
    Cell: ({ node, room }) => (
      <span role="gridcell" className="muted" translate="no">
        <Name name={node.ref?.namespace ?? ""} room={room} measure={NAME_WIDTH} />
      </span>
    ),
    exported: { key: "namespace", textOf: ({ ref }) => ref?.namespace ?? "" },
  },
  {
    key: "health",
    title: "ui/health",
    least: 272,
    share: 1.5,
    onCard: true,
    sortValueOf: (node) => 0 - Number(statusOf(node)),
    Cell: HealthCell,
    exported: { key: "health", textOf: healthText },
  },
  {
    key: "ready",
    title: "resource-list/ready",
    least: 132,
    share: 0.9,
    onCard: true,
    sortValueOf: ({ wanted, ready }) => (wanted > 0 ? ready / wanted : undefined),
    Cell: ({ node }) => (
      <span role="gridcell" className="num" title={messageText(node.factWords)}>
        {readyWithoutReason(node)}
      </span>
    ),
    exported: {
      key: "ready",
      textOf: ({ wanted, ready, factWords }) => (wanted >= 0 ? `${Math.max(0, ready)}/${wanted}` : messageText(factWords)),
    },
  },
  {
    key: "restarts",
    title: "detail/restarts",
    least: 84,
    share: 0,
    onCard: false,
    sortValueOf: ({ restarts }) => restarts,
    Cell: ({ node }) => (
      <span role="gridcell" className="num">
        {node.restarts > 0 ? node.restarts : ""}
      </span>
    ),
    exported: { key: "restarts", textOf: ({ restarts }) => Math.max(0, restarts) },
  },
  {
    key: "age",
    title: "ui/age",
    least: 60,
    share: 0,
    onCard: false,
    sortValueOf: ({ createdAt }) => (createdAt === undefined ? undefined : -millisOf(createdAt)),
    Cell: AgeCell,
    // An age is wrong a minute later: what leaves the page says when.
    exported: { key: "createdAt", title: "ui/created", textOf: createdText },
  },
  {
    key: "owner",
    title: "detail/owner",
    least: 130,
    share: 1,
    onCard: false,
    sortValueOf: (node, ownerOf) => ownerOf(node)?.ref?.name,
    Cell: OwnerCell,
    exported: { key: "owner", textOf: (node, ownerOf) => ownerOf(node)?.ref?.name ?? "" },
  },
  {
    key: "images",
    title: "ui/images",
    least: 150,
    share: 1,
    onCard: false,
    sortValueOf: ({ images }) => images[0],
    Cell: ({ node, room }) => (
      <span role="gridcell" className="mono muted" translate="no" title={node.images.join(", ")}>
        <Name name={node.images.map((image) => image.split("/").at(-1)).join(", ")} room={room} measure={codeWidth} />
      </span>
    ),
    exported: { key: "images", textOf: ({ images }) => images.join(", ") },
  },
  {
    key: "managed",
    title: "resource-list/managed-by",
    least: 240,
    share: 1.2,
    onCard: false,
    sortValueOf: ({ managedBy }) => managedBy?.name,
    Cell: ({ node }) => (
      <span role="gridcell" className="muted" title={managerOf(node)}>
        {managerOf(node)}
      </span>
    ),
    exported: { key: "managedBy", textOf: managerOf },
  },
] as const satisfies readonly ColumnDefinition[];

/** What a column is called in an address. */
export type ColumnKey = (typeof DEFINITIONS)[number]["key"];

/** A column of the list. */
export interface Column extends ColumnDefinition {
  readonly key: ColumnKey;
}

/** All columns in their order, on the screen, in files and on paper. */
export const COLUMNS: readonly Column[] = DEFINITIONS;

/** What a card of a phone shows. */
export const CARD_COLUMNS: readonly Column[] = COLUMNS.filter(({ onCard }) => onCard);

function healthText(node: LiveNode): string {
  if (node.presence === Presence.NOT_VISIBLE) return tLater("resource-list/not-visible");
  const reason = reasonBeside(node);
  return reason === "" ? wordOf(statusOf(node)) : `${wordOf(statusOf(node))}: ${reason}`;
}

function createdText({ createdAt }: LiveNode): string {
  return createdAt === undefined ? "" : new Date(millisOf(createdAt)).toISOString().replace(/\.\d+Z$/, "Z");
}
