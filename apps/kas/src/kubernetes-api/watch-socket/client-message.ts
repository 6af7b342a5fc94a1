import { collectionPath, InvalidPathError } from "@binnacle/kube";
import { z } from "zod";

import type { WatchRequest } from "./watch-upstream.ts";

const text = z.string().max(4_096).nullish();
const MAX_ID = 256;

/** Keys in snake case, as the client's own conversion writes them. */
const watchParamsSchema = z.object({
  group: text,
  version: z.string().min(1).max(256),
  resource: z.string().min(1).max(256),
  namespace: text,
  label_selector: text,
  field_selector: text,
  resource_version: text,
  resource_version_match: text,
  send_initial_events: z.boolean().nullish(),
  allow_watch_bookmarks: z.boolean().nullish(),
  timeout_seconds: z.int().positive().nullish(),
});

const messageSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("watch"), watch_id: z.string().min(1).max(MAX_ID), watch_params: z.unknown() }),
  z.object({ type: z.literal("unwatch"), watch_id: z.string().min(1).max(MAX_ID) }),
]);

/** What a client of the WebSocket says. */
export type ClientMessage = z.output<typeof messageSchema>;

/** @returns undefined for text that is no message of ours */
export function parseClientMessage(data: string): ClientMessage | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(data)).data;
  } catch {
    return undefined;
  }
}

/** The watch that the parameters describe. @returns what is wrong with them otherwise */
export function watchRequestOf(params: unknown): WatchRequest | { readonly problem: string } {
  const result = watchParamsSchema.safeParse(params);
  if (!result.success)
    return { problem: result.error.issues.map(({ path, message }) => `watch_params.${path.join(".")}: ${message}`).join("; ") };
  const { group, version, resource, namespace } = result.data;
  const kind = { group: group ?? "", version, resource, namespaced: true };
  try {
    return { path: collectionPath(kind, namespace ?? ""), query: queryOf(result.data) };
  } catch (error) {
    if (error instanceof InvalidPathError) return { problem: `watch_params: ${error.message}` };
    throw error;
  }
}

function queryOf(params: z.output<typeof watchParamsSchema>): URLSearchParams {
  const initial = params.send_initial_events;
  const values = {
    watch: "true",
    labelSelector: params.label_selector,
    fieldSelector: params.field_selector,
    resourceVersion: params.resource_version,
    // The API server refuses initial events without it.
    resourceVersionMatch: params.resource_version_match ?? (typeof initial === "boolean" ? "NotOlderThan" : undefined),
    sendInitialEvents: initial?.toString(),
    allowWatchBookmarks: params.allow_watch_bookmarks?.toString() ?? (initial === true ? "true" : undefined),
    timeoutSeconds: params.timeout_seconds?.toString(),
  };
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) if (value !== undefined && value !== null && value !== "") query.set(key, value);
  return query;
}
