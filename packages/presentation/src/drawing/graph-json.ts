import { Presence } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../text/format-time.ts";
import { messageText } from "../text/messages.ts";
import { keyOfStatus, statusOf } from "../health/health-status.ts";
import type { LiveEdge, LiveNode } from "../graph/live-node.ts";
import type { LegendEntry } from "./exported-picture.ts";
import type { ExportScope } from "../export/export-scope.ts";
import { inTurns } from "../export/in-turns.ts";
import { scopeFields } from "../export/table-files.ts";

/** What a graph in JSON is made of. */
export interface GraphContent {
  readonly nodes: Iterable<LiveNode>;
  readonly edges: Iterable<LiveEdge>;
  /** The card that shows a node: itself, a fold, or none where it is hidden or below a fold. */
  readonly cardOf: (id: string) => string | undefined;
  readonly legend: readonly LegendEntry[];
}

const PRESENCES: Readonly<Record<number, string>> = {
  [Presence.PRESENT]: "present",
  [Presence.MISSING]: "missing",
  [Presence.NOT_VISIBLE]: "not-visible",
};

/** The graph as the page knows it, every node and edge, in the shape that docs/design/export.md describes. */
export async function graphJsonOf({ nodes, edges, cardOf, legend }: GraphContent, scope: ExportScope, turns = inTurns): Promise<string> {
  const nodeLines: string[] = [];
  const edgeLines: string[] = [];
  await turns(nodes, (node) => nodeLines.push(JSON.stringify(nodeFields(node, cardOf(node.id)))));
  await turns(edges, (edge) => edgeLines.push(JSON.stringify(edgeFields(edge))));
  const head = JSON.stringify({ format: "binnacle.graph", version: 1, ...scopeFields(scope), legend }, undefined, 2);
  return `${head.slice(0, head.lastIndexOf("\n"))},\n  "nodes": ${listOf(nodeLines)},\n  "edges": ${listOf(edgeLines)}\n}\n`;
}

function listOf(lines: readonly string[]): string {
  return lines.length === 0 ? "[]" : `[\n    ${lines.join(",\n    ")}\n  ]`;
}

function nodeFields(node: LiveNode, card: string | undefined) {
  const { id, ref, presence, health, ownerId, ready, wanted, restarts, images, createdAt, externalUrl } = node;
  return {
    id,
    group: ref?.group ?? "",
    version: ref?.version ?? "",
    kind: ref?.kind ?? "",
    namespace: ref?.namespace ?? "",
    name: ref?.name ?? "",
    presence: PRESENCES[presence] ?? "unknown",
    card: card ?? null,
    owner: ownerId === "" ? null : ownerId,
    status: keyOfStatus(statusOf(node)),
    reason: health?.reason ?? "",
    message: messageText(health?.words),
    since: health?.since === undefined ? null : new Date(millisOf(health.since)).toISOString(),
    fact: messageText(node.factWords),
    ready: wanted < 0 ? null : Math.max(0, ready),
    wanted: wanted < 0 ? null : wanted,
    restarts: Math.max(0, restarts),
    images,
    createdAt: createdAt === undefined ? null : new Date(millisOf(createdAt)).toISOString(),
    externalUrl,
  };
}

function edgeFields({ from, to, kind, edgeClass, fieldPaths, optional, missing, refused, portMissing, ready, weight }: LiveEdge) {
  return {
    from,
    to,
    kind,
    class: edgeClass,
    fieldPaths,
    optional,
    missing,
    refused,
    portMissing,
    ready: ready ?? null,
    weight: weight ?? null,
  };
}
