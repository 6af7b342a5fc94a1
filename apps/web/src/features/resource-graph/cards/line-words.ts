import { useCallback, useSyncExternalStore } from "react";
import { sayLater } from "../../../ui/said.ts";
import { useEnvironmentStore } from "../../live/environment-context.tsx";
import type { EnvironmentStore } from "../../live/environment-store.ts";

type Graph = Pick<EnvironmentStore, "edges" | "graphVersion">;

interface Counts {
  readonly version: number;
  /** By node: how many lines end at it, and how many begin there, as they are drawn. */
  readonly of: ReadonlyMap<string, readonly [arriving: number, leaving: number]>;
}

const counted = new WeakMap<Graph, Counts>();

/** "2 lines in, 1 out": how a node is connected, for who does not see the lines; empty without any. Edges are walked once per change. */
export function lineWordsOf(id: string, store: Graph): string {
  const [arriving, leaving] = countsOf(store).of.get(id) ?? [0, 0];
  return arriving + leaving === 0 ? "" : sayLater("card/lines", { arriving, leaving });
}

/** The same, and the component renders when it has changed. */
export function useLineWords(id: string): string {
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
