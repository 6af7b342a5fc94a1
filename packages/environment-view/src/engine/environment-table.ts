import { toBinary } from "@bufbuild/protobuf";
import { PublishedTable, type TableChange } from "@binnacle/replica";
import { EdgeSchema, EnvironmentHealthSchema, NodeSchema } from "@binnacle/proto/dashboard";

import type { EnvironmentScope } from "./environment-scope.ts";
import { changeOf, type ViewMessage } from "../stream/view-model.ts";

/** A view that is kept up to date, as a table. */
export interface ViewTable {
  readonly table: PublishedTable;
  /** Ends it; call it once. */
  close(): void;
}

const UTF8 = new TextEncoder();

/**
 * All of an environment, until it is closed. Entries: `view` its id, within which numbers hold; `n/<number>` and `e/<number>` nodes and edges
 * as `dashboard.v1` has them; `s/<id>` sources, `connection` and `complete` in JSON; `health`. docs/design/views.md "Entries"
 */
export function openEnvironmentTable(scope: Pick<EnvironmentScope, "id" | "open">): ViewTable {
  const table = new PublishedTable();
  const subscription = scope.open(
    () => {
      const message = subscription.take();
      if (message === undefined) return;
      table.apply(tableChangeOf(message, scope.id));
      table.announce();
    },
    { attention: "page" },
  );
  return { table, close: () => subscription.close() };
}

function tableChangeOf(message: ViewMessage, id: string): TableChange {
  const { reset, nodes, edges, sources, removedNodes, removedEdges, removedSources } = changeOf(message);
  const { health, connection, complete } = message;
  const entries = [
    ...(reset ? [{ key: "view", value: UTF8.encode(id) }] : []),
    ...nodes.map((node) => ({ key: `n/${node.id}`, value: toBinary(NodeSchema, node) })),
    ...edges.map((edge) => ({ key: `e/${edge.id}`, value: toBinary(EdgeSchema, edge) })),
    ...sources.map((source) => ({ key: `s/${source.id}`, value: json(source) })),
    ...(health === undefined ? [] : [{ key: "health", value: toBinary(EnvironmentHealthSchema, health) }]),
    ...(connection === undefined ? [] : [{ key: "connection", value: json(connection) }]),
    ...(complete === undefined ? [] : [{ key: "complete", value: json(complete) }]),
  ];
  const removed = [
    ...removedNodes.map((id) => `n/${id}`),
    ...removedEdges.map((id) => `e/${id}`),
    ...removedSources.map((id) => `s/${id}`),
  ];
  return { reset, entries, removed };
}

function json(value: unknown): Uint8Array {
  return UTF8.encode(JSON.stringify(value));
}
