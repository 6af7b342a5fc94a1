"use client";
import { ConnectError } from "@connectrpc/connect";
import type { GetResourceResponse, Node } from "@binnacle/proto/dashboard";
import { useEffect, useState } from "react";
import { dashboardClient } from "../live/dashboard-client.ts";

/** One resource in full, as far as it has come. The last answer stays while the next is under way. */
export interface ResourceState {
  readonly answer?: GetResourceResponse | undefined;
  readonly problem?: string | undefined;
  readonly loading: boolean;
}

/** After a change of the node the details are asked for again, but not more often than this. */
const AGAIN_AFTER_MS = 1500;

/** Loads a resource on demand, and again whenever its node has changed. */
export function useResource(where: { readonly projectPath: string; readonly environment: string }, node: Node | undefined): ResourceState {
  const { projectPath, environment } = where;
  const [state, setState] = useState<ResourceState & { readonly id?: string }>({ loading: false });
  const id = node?.id;
  useEffect(() => {
    if (node?.ref === undefined) return undefined;
    const abort = new AbortController();
    const isNew = state.id !== node.id;
    if (isNew) setState({ loading: true, id: node.id });
    const timer = setTimeout(
      () => {
        dashboardClient()
          .getResource({ projectPath, environment, ref: node.ref as NonNullable<typeof node.ref> }, { signal: abort.signal }) // checked above
          .then((answer) => setState({ answer, loading: false, id: node.id }))
          .catch((error: unknown) => {
            if (abort.signal.aborted) return;
            setState((before) => ({ ...before, loading: false, problem: ConnectError.from(error).rawMessage }));
          });
      },
      isNew ? 0 : AGAIN_AFTER_MS,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the state is compared with, not depended on
  }, [node, projectPath, environment]);
  return state.id === id ? state : { loading: true };
}
