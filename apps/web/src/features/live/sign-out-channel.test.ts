import { afterEach, expect, test, vi } from "vitest";
import { announceSignOut, hearSignOut } from "./sign-out-channel.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const open = new Set<FakeChannel>();

/** As browsers have them, but heard at once. */
class FakeChannel {
  readonly #name: string;
  readonly #listeners: ((event: { readonly data: unknown }) => void)[] = [];

  constructor(name: string) {
    this.#name = name;
    open.add(this);
  }

  postMessage(data: unknown): void {
    for (const other of open) {
      if (other === this || other.#name !== this.#name) continue;
      for (const listener of other.#listeners) listener({ data });
    }
  }

  addEventListener(_type: string, listener: (event: { readonly data: unknown }) => void): void {
    this.#listeners.push(listener);
  }

  close(): void {
    open.delete(this);
  }
}

test("XM5: all tabs and workers of the session hear of a sign-out, those of another session do not", () => {
  open.clear();
  vi.stubGlobal("BroadcastChannel", FakeChannel);
  const heard: string[] = [];
  hearSignOut("ann", () => heard.push("a tab of ann"));
  hearSignOut("ann", () => heard.push("the worker of ann"));
  hearSignOut("bob", () => heard.push("bob"));
  announceSignOut("ann");
  expect(heard).toEqual(["a tab of ann", "the worker of ann"]);
});

test("where pages cannot speak with each other nothing fails", () => {
  const forbidden = vi.fn<() => void>(() => {
    throw new DOMException("no", "SecurityError");
  });
  vi.stubGlobal("BroadcastChannel", forbidden);
  hearSignOut("ann", () => undefined);
  announceSignOut("ann");
  expect(forbidden).toHaveBeenCalledTimes(2);
});
