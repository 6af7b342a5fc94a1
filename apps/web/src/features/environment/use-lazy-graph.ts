"use client";
import { useEffect, useState, type ComponentType } from "react";

/** The graph's component once its code has come. */
export type LazyGraph = ComponentType | undefined;

let loaded: LazyGraph;

/**
 * Loads the graph's code when it is first wanted, while the first data is under way. Not `lazy`: React holds back what replaces a fallback
 * for 300 ms.
 */
export function useLazyGraph(wanted: boolean): LazyGraph {
  const [, setThere] = useState(loaded !== undefined);
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    if (!wanted || loaded !== undefined) return;
    import("../resource-graph/resource-graph.tsx").then((module) => {
      loaded = module.ResourceGraph;
      return setThere(true);
    }, setFailure);
  }, [wanted]);
  // oxlint-disable-next-line typescript/only-throw-error -- what `import` rejects with goes to the error boundary as it is
  if (failure !== undefined) throw failure;
  return loaded;
}
