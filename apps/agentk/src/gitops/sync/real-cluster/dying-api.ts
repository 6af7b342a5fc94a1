import type { ClusterApi } from "../../../cluster-access/cluster-api.ts";
import { bench, never } from "./sync-bench.ts";

/** Lets so many requests through, then the process is dead: the last one may have reached the API server or not. */
export function dyingApi(after: number, reaches: boolean): { readonly api: ClusterApi; readonly signal: AbortSignal } {
  let calls = 0;
  const death = new AbortController();
  const dying: ClusterApi = {
    async call(request) {
      calls += 1;
      if (calls < after) return bench.api.call(request);
      if (calls === after && reaches) await bench.api.call({ ...request, signal: never });
      death.abort();
      throw new Error("killed");
    },
  };
  return { api: dying, signal: death.signal };
}
