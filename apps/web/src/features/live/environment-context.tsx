"use client";
import type { LiveNode } from "./live-node.ts";
import type { SummarizeEnvironmentResponse } from "@binnacle/proto/dashboard";
import { millisOf } from "../../ui/format-time.ts";
import { pageBegins, serverTime } from "../../ui/server-time.ts";
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { sessionEndedProblem } from "./session-ended-problem.ts";
import { EnvironmentStore } from "./environment-store.ts";
import type { ViewState } from "@binnacle/presentation/view/view-state";
import { firstViewOf } from "@binnacle/presentation/view/first-view";
import { FrameBatch } from "./frame-batch.ts";
import { liveTopics } from "./live-topics.ts";

const StoreContext = createContext<EnvironmentStore | undefined>(undefined);

/** Follows one environment as long as it is mounted, and gives its store to everything below. Give it a `key` per environment. */
export function EnvironmentProvider(props: {
  readonly projectPath: string;
  readonly environment: string;
  /** What the page was sent with. Read once. */
  readonly first?: SummarizeEnvironmentResponse | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const { projectPath, environment, first, children } = props;
  const [store] = useState(() => {
    pageBegins(first?.sentAt);
    return createStore(first === undefined ? {} : firstViewOf(first));
  });
  useEffect(() => followEnvironment(store, projectPath, environment), [store, projectPath, environment]);
  return <StoreProvider store={store}>{children}</StoreProvider>;
}

/** Provides a store to all components below, independent of its source. */
export function StoreProvider({ store, children }: { readonly store: EnvironmentStore; readonly children: ReactNode }): ReactNode {
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
export function useNode(id: string): LiveNode | undefined {
  const store = useEnvironmentStore();
  const subscribe = useCallback((listener: () => void) => store.onNode(id, listener), [store, id]);
  const read = (): LiveNode | undefined => store.node(id);
  return useSyncExternalStore(subscribe, read, read);
}

function createStore(first: Partial<ViewState>): EnvironmentStore {
  let latest: (() => void) | undefined;
  const batch = new FrameBatch(() => latest?.());
  return new EnvironmentStore((flush) => {
    latest = flush;
    batch.request();
  }, first);
}

/** @returns ends it */
function followEnvironment(store: EnvironmentStore, projectPath: string, environment: string): () => void {
  return liveTopics().subscribe(
    { what: "environment", projectPath, environment },
    {
      take: ({ answer, atMs }) => {
        if (answer.case !== "environment") return;
        const { sentAt } = answer.value;
        store.apply(answer.value, serverTime.heard(sentAt && millisOf(sentAt), atMs));
      },
      lost: (reason) => store.lost(reason, serverTime.now()),
      unauthenticated: () => store.end(sessionEndedProblem()),
    },
  );
}
