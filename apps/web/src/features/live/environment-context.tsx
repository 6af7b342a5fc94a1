"use client";
import type { Node } from "@binnacle/proto/dashboard";
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { sessionEndedProblem } from "../session/session-ended-problem.ts";
import { dashboardClient } from "./dashboard-client.ts";
import { EnvironmentStore, type ViewState } from "./environment-store.ts";
import { FrameBatch } from "./frame-batch.ts";
import { followStream } from "./reconnect.ts";

const StoreContext = createContext<EnvironmentStore | undefined>(undefined);

/** Follows one environment as long as it is mounted, and gives its store to everything below. Give it a `key` per environment. */
export function EnvironmentProvider(props: {
  readonly projectPath: string;
  readonly environment: string;
  readonly children: ReactNode;
}): ReactNode {
  const { projectPath, environment, children } = props;
  const [store] = useState(createStore);
  useEffect(() => {
    const abort = new AbortController();
    void followEnvironment(store, { projectPath, environment, signal: abort.signal }); // settles when aborted, never rejects
    return () => abort.abort();
  }, [store, projectPath, environment]);
  return <StoreContext value={store}>{children}</StoreContext>;
}

/** The store of the environment this component stands in. */
export function useEnvironmentStore(): EnvironmentStore {
  const store = use(StoreContext);
  if (store === undefined) throw new Error("no EnvironmentProvider above");
  return store;
}

/** Header data of the view; renders when any of it changes. */
export function useView(): ViewState {
  const store = useEnvironmentStore();
  return useSyncExternalStore(store.onView, store.view, store.view);
}

/** Renders whenever any node or edge has changed, at most once per frame. */
export function useGraphVersion(): number {
  const store = useEnvironmentStore();
  return useSyncExternalStore(store.onGraph, store.graphVersion, store.graphVersion);
}

/** One node; renders only when that one changes. */
export function useNode(id: string): Node | undefined {
  const store = useEnvironmentStore();
  const subscribe = useCallback((listener: () => void) => store.onNode(id, listener), [store, id]);
  const read = (): Node | undefined => store.node(id);
  return useSyncExternalStore(subscribe, read, read);
}

function createStore(): EnvironmentStore {
  let latest: (() => void) | undefined;
  const batch = new FrameBatch(() => latest?.());
  return new EnvironmentStore((flush) => {
    latest = flush;
    batch.request();
  });
}

function followEnvironment(
  store: EnvironmentStore,
  options: { readonly projectPath: string; readonly environment: string; readonly signal: AbortSignal },
): Promise<void> {
  const { projectPath, environment, signal } = options;
  return followStream(
    {
      open: (own) => dashboardClient().watchEnvironment({ projectPath, environment }, { signal: own }),
      take: (message) => store.apply(message, Date.now()),
      lost: (reason) => store.lost(reason, Date.now()),
      unauthenticated: () => store.end(sessionEndedProblem()),
    },
    signal,
  );
}
