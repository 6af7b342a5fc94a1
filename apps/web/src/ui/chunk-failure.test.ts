import { expect, test } from "vitest";
import { isChunkFailure, reloadOnce, type ReloadablePage } from "./chunk-failure.ts";

/** A tab: its storage outlives its reloads. */
class Tab implements ReloadablePage {
  readonly items = new Map<string, string>();
  reloads = 0;
  blocked = false;
  build = "a";

  readonly storage = (): Pick<Storage, "getItem" | "setItem"> => {
    if (this.blocked) throw new Error("The operation is insecure.");
    return { getItem: (key) => this.items.get(key) ?? null, setItem: (key, value) => void this.items.set(key, value) };
  };

  readonly reload = (): void => {
    this.reloads += 1;
  };
}

function missing(file: string): Error {
  const error = new Error(`Failed to load chunk /_next/static/chunks/${file} from module 4711`);
  error.name = "ChunkLoadError";
  return error;
}

test.each([
  missing("graph.js"),
  new TypeError("Failed to fetch dynamically imported module: https://x/_next/static/chunks/a.js"),
  new TypeError("error loading dynamically imported module: https://x/a.js"),
  new TypeError("Importing a module script failed."),
])("W12: is known as code that could not be loaded: %s", (error) => {
  expect(isChunkFailure(error)).toBe(true);
});

test.each([new TypeError("x is undefined"), new Error("Failed to fetch"), "ChunkLoadError", undefined, null])(
  "W12: is no code that could not be loaded: %s",
  (error) => {
    expect(isChunkFailure(error)).toBe(false);
  },
);

test("W12: missing files reload the page once, and then no more", () => {
  const tab = new Tab();
  expect(reloadOnce(tab)).toBe(true);
  expect(reloadOnce(tab)).toBe(false);
  expect(tab.reloads).toBe(1);
});

test("W12: another build reloads it again, and two builds by turns come to an end", () => {
  const tab = new Tab();
  for (let turn = 0; turn < 50; turn += 1) {
    tab.build = turn % 2 === 0 ? "a" : "b";
    reloadOnce(tab);
  }
  expect(tab.reloads).toBe(2);
});

test("W12: where nothing can be remembered nothing is reloaded", () => {
  const tab = new Tab();
  tab.blocked = true;
  expect(reloadOnce(tab)).toBe(false);
  expect(tab.reloads).toBe(0);
});
