import { changeState, type StateTable } from "@binnacle/rpc";

/** `idle` no subscriber has joined yet · `running` from the first subscriber on, until `ended` settles · `closed` for good. */
export type SharedViewState = { readonly name: "idle" | "closed" } | { readonly name: "running"; readonly ended: Promise<void> };

/** Every change of state of a shared view. Subscribers that join later change nothing. */
export const SHARED_VIEW_STATES: StateTable<SharedViewState["name"], "join" | "close"> = {
  idle: { join: "running", close: "closed" },
  running: { close: "closed" },
  closed: {},
};

/**
 * `viewed` has subscribers · `left` has none, and is closed after a while · `replaced` is closed, because the environment is shown in another
 * way from now on, and its subscribers have to join anew · `closed` for good.
 */
export type ScopeUseState =
  | { readonly name: "viewed"; readonly users: number }
  | { readonly name: "left"; readonly cancelClosing: () => void }
  | { readonly name: "replaced"; readonly users: number }
  | { readonly name: "closed" };

/** `leave` a subscriber goes, but not the last one of a scope that is viewed: that is `last-left`. */
export type ScopeUseEvent = "join" | "leave" | "last-left" | "replace" | "close";

/** Every change of state of a scope's use. */
export const SCOPE_USE_STATES: StateTable<ScopeUseState["name"], ScopeUseEvent> = {
  viewed: { join: "viewed", leave: "viewed", "last-left": "left", replace: "replaced" },
  left: { join: "viewed", close: "closed" },
  replaced: { leave: "replaced" },
  closed: {},
};

/** Who uses a scope of a shared view; it is opened by its first subscriber. */
export class ScopeUse {
  #state: ScopeUseState = { name: "viewed", users: 1 };

  get state(): ScopeUseState["name"] {
    return this.#state.name;
  }

  join(): void {
    this.#become("join", { name: "viewed", users: this.#state.name === "viewed" ? this.#state.users + 1 : 1 });
  }

  /**
   * A subscriber goes.
   *
   * @param closeLater begins the time after which a scope without subscribers is closed; the returned function ends it
   */
  leave(closeLater: () => () => void): void {
    const state = this.#state;
    if (state.name === "viewed" && state.users === 1) this.#become("last-left", { name: "left", cancelClosing: closeLater() });
    else if (state.name === "viewed" || state.name === "replaced") this.#become("leave", { name: state.name, users: state.users - 1 });
  }

  /** The scope is closed; its subscribers, if there are any, find out by its state. */
  close(): void {
    const state = this.#state;
    if (state.name === "viewed") this.#become("replace", { name: "replaced", users: state.users });
    else this.#become("close", { name: "closed" });
  }

  /** The whole view ends: a scope that was left is not closed on its own any more. */
  cancelClosing(): void {
    if (this.#state.name === "left") this.#state.cancelClosing();
  }

  #become(event: ScopeUseEvent, next: ScopeUseState): void {
    this.cancelClosing();
    this.#state = changeState(SCOPE_USE_STATES, this.#state, { event, next });
  }
}
