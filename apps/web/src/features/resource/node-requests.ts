import { useEffect, useEffectEvent } from "react";

/**
 * Requests from one part of a page to the part that shows a node: taken now, or when that part is mounted, unless it comes too late.
 * `Request` is what is requested of it.
 */
export class NodeRequests<Request> {
  readonly #lateMs: number;
  /** By node id. */
  readonly #mounted = new Map<string, (request: Request) => void>();
  #pending: { readonly id: string; readonly request: Request; readonly atMs: number } | undefined;

  /** @param lateMs a part that is mounted later than this does not take the request */
  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  /** Sends a request to the part of a node; it replaces one that is pending. */
  send(id: string, request: Request): void {
    const take = this.#mounted.get(id);
    this.#pending = take === undefined ? { id, request, atMs: performance.now() } : undefined;
    take?.(request);
  }

  /** Registers a mounted part. @returns removes it */
  mount(id: string, take: (request: Request) => void): () => void {
    this.#mounted.set(id, take);
    const pending = this.#pending?.id === id ? this.#pending : undefined;
    if (pending !== undefined) this.#pending = undefined;
    // After the heading of a drawer, which takes the focus when it opens.
    if (pending !== undefined && performance.now() - pending.atMs < this.#lateMs) requestAnimationFrame(() => take(pending.request));
    return () => {
      if (this.#mounted.get(id) === take) this.#mounted.delete(id);
    };
  }
}

/** Takes the requests for a node while the component is mounted. */
export function useNodeRequests<Request>(requests: NodeRequests<Request>, id: string, onRequest: (request: Request) => void): void {
  const run = useEffectEvent(onRequest);
  useEffect(() => requests.mount(id, (request) => run(request)), [requests, id]);
}

/** For the actions of a node in the drawer: the key of the action to open, or none to focus the first. Buttons that come later take no focus. */
export const ACTION_REQUESTS = new NodeRequests<string | undefined>(5_000);

/** For the terminal of a pod: to show the confirmation of a debug container. As long as the ticket of the tab may take. */
export const DEBUG_REQUESTS = new NodeRequests<void>(30_000);
