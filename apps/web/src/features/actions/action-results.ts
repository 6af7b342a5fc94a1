import { useCallback, useSyncExternalStore } from "react";
import { announce } from "../../ui/announce.ts";
import { Subscribable } from "../live/subscribable.ts";
import type { Attempt } from "./action-attempt.ts";
import { announcementOf } from "./attempt-words.ts";

/** More resources than anybody acts on at once; the oldest results go first. */
const MAX_RESULTS = 200;

/** The resource that a result is of. Another user of this browser has results of their own. */
export interface ResultIdentity {
  readonly username: string;
  readonly projectPath: string;
  readonly environment: string;
  /** Id of its node. */
  readonly id: string;
}

/** The last attempt of each resource, as long as the page is there: a drawer that is closed, or another page, loses none. */
class ActionResults {
  readonly #attempts = new Map<string, Attempt>();
  readonly #subscribers = new Subscribable();

  get(of: ResultIdentity): Attempt | undefined {
    return this.#attempts.get(keyOf(of));
  }

  /** Replaces the attempt, and announces its state when that is another. */
  set(of: ResultIdentity, attempt: Attempt): void {
    const key = keyOf(of);
    const before = this.#attempts.get(key);
    if (before === attempt) return;
    this.#attempts.delete(key);
    this.#attempts.set(key, attempt);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > MAX_RESULTS && oldest !== undefined) this.#attempts.delete(oldest);
    const isNews = before === undefined || stateOf(before) !== stateOf(attempt);
    if (isNews && attempt.action.isOneOfMany !== true) announce(announcementOf(attempt));
    this.#subscribers.notify();
  }

  /** Changes the attempt of this request; another one that has taken its place stays. */
  update(of: ResultIdentity, requestId: string, change: (attempt: Attempt) => Attempt): void {
    const attempt = this.get(of);
    if (attempt?.action.request.requestId === requestId) this.set(of, change(attempt));
  }

  delete(of: ResultIdentity): void {
    if (this.#attempts.delete(keyOf(of))) this.#subscribers.notify();
  }

  readonly listen = this.#subscribers.subscribe;
}

/** Of this page of the browser. On the server nothing is ever put into it. */
export const actionResults = new ActionResults();

/** The last attempt on a resource. */
export function useActionResult(of: ResultIdentity): Attempt | undefined {
  const { username, projectPath, environment, id } = of;
  const read = useCallback(() => actionResults.get({ username, projectPath, environment, id }), [username, projectPath, environment, id]);
  return useSyncExternalStore(actionResults.listen, read, () => undefined);
}

function keyOf({ username, projectPath, environment, id }: ResultIdentity): string {
  return JSON.stringify([username, projectPath, environment, id]);
}

function stateOf({ action, state, follow }: Attempt): string {
  return `${action.request.requestId} ${state.kind} ${state.kind === "written" ? follow.kind : ""}`;
}
