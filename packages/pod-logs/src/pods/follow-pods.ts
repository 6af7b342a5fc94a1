import {
  ACCEPT_JSON,
  listPath,
  namespacedKind,
  parseJson,
  parseObjectList,
  WatchLineSplitter,
  watchPath,
  type KubeObject,
} from "@binnacle/kube";
import { apiFailureOf, KubeClientError, readText, type KubeResponse } from "@binnacle/environment-view/transport";
import { Backoff, sleep } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { LogsReader, LogTarget } from "../logs-query.ts";

export const PODS = namespacedKind({ group: "", version: "v1", kind: "Pod", resource: "pods" });

const PAGE_SIZE = 100;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const MAX_PODS = 5_000;
/** A watch is requested for so long; one that outlives it by as much again is given up. */
const WATCH_SECONDS = 300;
const MAX_WATCH_MS = 2 * WATCH_SECONDS * 1000;
const REFUSED_RETRY_MS = 30_000;
/** Lists that fail before one that is not followed is given up. */
const MAX_ATTEMPTS = 5;

/** Receives the pods of one target. */
export interface PodSink {
  /** Everything there is. */
  listed(pods: readonly KubeObject[]): void;
  changed(pod: KubeObject): void;
  removed(pod: KubeObject): void;
  /** They cannot be listed; it is tried again when it follows. */
  failed(error: KubeClientError): void;
}

/**
 * Lists the pods of a target and, when it follows, watches them until `signal` aborts. Lists again whenever a watch breaks or is rejected. A
 * change is taken in only after the one before.
 *
 * @throws KubeClientError `unauthorized`: the credential is not accepted
 */
export async function followPods(
  target: LogTarget,
  { transport, clock, random }: Pick<LogsReader, "transport" | "clock" | "random">,
  { sink, follow, signal }: { readonly sink: PodSink; readonly follow: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const backoff = new Backoff({ initialMs: 200, maxMs: 15_000, ...(random === undefined ? {} : { random }) });
  const selection = {
    namespace: target.namespace,
    ...(target.pod === undefined ? {} : { fieldSelector: `metadata.name=${target.pod}` }),
    ...(target.labelSelector === undefined ? {} : { labelSelector: target.labelSelector }),
  };

  const get = async (path: string, inner: AbortSignal): Promise<KubeResponse> => {
    const response = await transport.request({ method: "GET", path, accept: ACCEPT_JSON }, inner);
    if (response.status >= 400) throw await apiFailureOf(response, { clock });
    return response;
  };

  const list = async (): Promise<string> => {
    const pods: KubeObject[] = [];
    for (let continueToken = ""; ;) {
      const path = listPath(PODS, { ...selection, limit: PAGE_SIZE, continueToken });
      const page = parseObjectList(parseJson(await readText(await get(path, signal), { mostBytes: MAX_PAGE_BYTES, clock })), PODS);
      if (page === undefined) throw new KubeClientError("connection", words("answer/no-list", { path: "pods" }));
      pods.push(...page.items);
      continueToken = page.continueToken;
      if (continueToken !== "" && pods.length < MAX_PODS) continue;
      sink.listed(pods.slice(0, MAX_PODS));
      return page.resourceVersion;
    }
  };

  /** @returns where the next watch begins; `undefined` when all must be listed again */
  const watch = async (from: string): Promise<string | undefined> => {
    const overdue = new AbortController();
    const cancel = clock.after(MAX_WATCH_MS, () => overdue.abort());
    const path = watchPath(PODS, { ...selection, resourceVersion: from, timeoutSeconds: WATCH_SECONDS });
    const inner = AbortSignal.any([signal, overdue.signal]);
    const lines = new WatchLineSplitter();
    let version = from;
    let response: KubeResponse | undefined;
    try {
      response = await get(path, inner);
      backoff.reset();
      for await (const chunk of response.body) {
        for (const event of lines.eventsOf(chunk)) {
          if (event.type === "ERROR") return undefined;
          if (event.type === "BOOKMARK") version = event.resourceVersion;
          else {
            version = event.object.metadata.resourceVersion ?? version;
            if (event.type === "DELETED") sink.removed(event.object);
            else sink.changed(event.object);
          }
        }
      }
      return version;
    } finally {
      cancel();
      response?.close();
    }
  };

  let version: string | undefined;
  let attempts = 0;
  while (!signal.aborted) {
    try {
      if (version === undefined) version = await list();
      if (!follow) return;
      const openedAtMs = clock.now();
      version = await watch(version);
      if (clock.now() - openedAtMs < 1000) await sleep(clock, backoff.nextMs(), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof KubeClientError && error.failure === "unauthorized") throw error;
      const failure =
        error instanceof KubeClientError ? error : new KubeClientError("connection", words("answer/watch-broken"), { cause: error });
      const isRefused = failure.status?.code === 403;
      // A list that was read stays good while only the watch is rejected or breaks.
      if (version === undefined) sink.failed(failure);
      version = undefined;
      attempts += 1;
      if (!follow && (isRefused || attempts >= MAX_ATTEMPTS)) return;
      await sleep(clock, isRefused ? REFUSED_RETRY_MS : backoff.nextMs(), signal);
    }
  }
}
