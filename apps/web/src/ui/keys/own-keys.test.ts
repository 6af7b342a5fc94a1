import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { shortcutsNow, takenBy } from "./all-shortcuts.ts";
import { shortcutOf } from "./local-keys.ts";
import { giveKeys, forgetKeys, hasOwn, isTyped, withOwn } from "./own-keys.ts";
import { keysOfPage } from "./page-shortcuts.ts";
import { ariaKeys, withKeys } from "./key-labels.ts";

const PLAIN = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

beforeEach(() => {
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
});
afterEach(() => {
  forgetKeys();
  vi.unstubAllGlobals();
});

function shortcut(name: string) {
  const found = shortcutsNow().find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

test("keys of one's own take the place of those that are typed; arrows, Enter and Space stay", () => {
  giveKeys("list.down", "s");
  expect(shortcut("list.down").keys).toEqual(["s", "ArrowDown"]);
  expect(shortcutOf("list", { ...PLAIN, key: "s" }, true)).toBe("down");
  expect(shortcutOf("list", { ...PLAIN, key: "j" }, true)).toBeUndefined();
  expect(shortcutOf("list", { ...PLAIN, key: "ArrowDown" }, true)).toBe("down");
  giveKeys("list.choose", "q");
  expect(shortcut("list.choose").keys).toEqual(["q", " "]);
  expect(shortcutOf("tree", { ...PLAIN, key: "j" }, true)).toBe("down");
  giveKeys("everywhere.help", "Mod+h");
  giveKeys("environment.events", "g x");
  expect([keysOfPage("help"), keysOfPage("events")]).toEqual([["Mod+h"], ["g x"]]);
  giveKeys("list.down", undefined);
  expect([hasOwn("list.down"), hasOwn("list.choose")]).toEqual([false, true]);
  forgetKeys();
  expect([shortcut("list.choose").keys, keysOfPage("help")]).toEqual([["x", " "], ["?"]]);
});

test("keys are refused where another has them, begins them or is begun by them, but not in another part of the page", () => {
  const nameOf = (name: string, keys: string) => takenBy(shortcut(name), keys)?.name;
  expect(nameOf("list.down", "n")).toBe("list.nextProblem");
  expect(nameOf("list.down", "f")).toBeUndefined();
  expect(nameOf("list.down", "h")).toBe("everywhere.hold");
  expect(nameOf("everywhere.hold", "f")).toBe("graph.fit");
  expect(nameOf("everywhere.hold", "g")).toBe("environment.index");
  expect(nameOf("environment.events", "? x")).toBe("everywhere.help");
  expect(nameOf("environment.events", "g t")).toBeUndefined();
  giveKeys("list.nextProblem", "p");
  expect([nameOf("list.down", "n"), nameOf("list.down", "p")]).toEqual([undefined, "list.nextProblem"]);
});

test("the first keys of the tables clash with none themselves", () => {
  expect(shortcutsNow().filter((each) => each.keys.some((keys) => takenBy(each, keys) !== undefined))).toEqual([]);
});

test("only what one can type is one's own", () => {
  expect(["a", "+", "g e", "Mod+k", "Mod+Shift+k", "ß"].filter(isTyped)).toHaveLength(6);
  expect(["", " ", "ab", "g e e", "Enter", "Shift+ArrowDown", "Mod+Enter"].filter(isTyped)).toEqual([]);
});

test.each(["", "no JSON", "[]", "null", '{"list.down":7}', '{"list.down":"Enter"}', `{"list.down":"${"x".repeat(5_000)}"}`])(
  "foreign content of the storage is ignored: %#",
  async (text) => {
    vi.resetModules();
    vi.stubGlobal("localStorage", { getItem: () => text, setItem: () => undefined });
    const fresh = await import("./own-keys.ts");
    expect(fresh.withOwn("list.down", ["j"])).toEqual(["j"]);
  },
);

test("a text tells the keys that act, in the words of a keyboard and of readers", () => {
  expect([withKeys("Hold", "h"), withKeys("Hold", "")]).toEqual(["Hold (h)", "Hold"]);
  expect(["h", "Ctrl K", "⌘ K", "g e", ""].map(ariaKeys)).toEqual(["h", "Control+K", "Meta+K", undefined, undefined]);
  expect(withOwn("none", ["a"])).toEqual(["a"]);
});
