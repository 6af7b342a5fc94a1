import type { KubeObject, WatchEvent } from "@binnacle/kube";

import type { KubeClientError } from "../base/kube-client.ts";

/** Something that happened. */
export interface Change {
  readonly version: number;
  readonly kindId: string;
  readonly event: WatchEvent;
}

/** A watch that is open. */
export interface Watcher {
  readonly kindId: string;
  /** Empty for all. */
  readonly namespace: string;
  readonly queue: WatchEvent[];
  wake: () => void;
  failure: KubeClientError | undefined;
  ended: boolean;
  /** Events until it is held back; absent: it is not. */
  left: number | undefined;
}

/** What is left of a list. */
export interface Page {
  readonly version: number;
  readonly objects: readonly KubeObject[];
}

/** What most watches begin with. */
export const NEW_WATCHER = { wake: (): void => {}, failure: undefined, ended: false, left: undefined };

/** @param namespace empty for all */
export function isIn({ metadata }: KubeObject, namespace: string): boolean {
  return namespace === "" || metadata.namespace === namespace;
}

/** Whether a watch of a namespace brings it. */
export function isFor(event: WatchEvent, namespace: string): boolean {
  return event.type === "BOOKMARK" || event.type === "ERROR" || isIn(event.object, namespace);
}
