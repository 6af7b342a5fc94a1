import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { keyWords } from "./key-words.ts";
import { runLocalKey, shortcutOf } from "./local-keys.ts";
import { nameOfKey, type KeyPress } from "./name-of-key.ts";
import { PageKeys, type TimedPress } from "./listen-to-page.ts";
import { LOCAL_SHORTCUTS } from "./local-shortcuts.ts";
import { PAGE_SHORTCUTS } from "./page-shortcuts.ts";

const PLAIN = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

function press(key: string, more: Partial<KeyPress> = {}, timeStamp = 0): TimedPress {
  return { ...PLAIN, key, timeStamp, ...more };
}

function pageKeys(singles = true) {
  const keys = new PageKeys(() => singles);
  const done: string[] = [];
  for (const each of ["g e", "g g", "e", "?", "Mod+k"]) keys.add(each, () => done.push(each));
  const type = (...presses: readonly TimedPress[]) => {
    for (const each of presses) (keys.chord(each) ?? keys.single(each, false))?.();
    return done.splice(0);
  };
  return { keys, type };
}

test("two keys one after the other are one shortcut, and neither alone", () => {
  const { type } = pageKeys();
  expect(type(press("g"), press("e", {}, 400))).toEqual(["g e"]);
  expect(type(press("e"))).toEqual(["e"]);
  expect(type(press("g"), press("g", {}, 400), press("g", {}, 500))).toEqual(["g g"]);
  expect(pageKeys().type(press("g"), press("e", {}, 5000))).toEqual(["e"]);
  expect(pageKeys().type(press("g"), press("x"), press("e"))).toEqual(["e"]);
});

test("while the user types only keys with Ctrl or Cmd act; with Alt none does", () => {
  const { keys } = pageKeys();
  expect(keys.single(press("?"), true)).toBeUndefined();
  expect(keys.single(press("k", { ctrlKey: true }), true)).toBeDefined();
  expect(keys.single(press("k", { metaKey: true }), true)).toBeDefined();
  expect(keys.single(press("e", { altKey: true }), false)).toBeUndefined();
});

test("WCAG 2.1.4: switched off, no character and no two characters act, but Ctrl K does", () => {
  const { type } = pageKeys(false);
  expect(type(press("?"), press("e"), press("g"), press("e", {}, 100), press("k", { ctrlKey: true }))).toEqual(["Mod+k"]);
  expect(shortcutOf("list", press("j"), false)).toBeUndefined();
  expect(shortcutOf("list", press("ArrowDown"), false)).toBe("down");
  expect(shortcutOf("list", press(" "), false)).toBe("choose");
});

test("the last that came has a key, and the one before it has it again", () => {
  const keys = new PageKeys(() => true);
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
  keys.add("/", first);
  const leave = keys.add("/", second);
  keys.single(press("/"), false)?.();
  leave();
  keys.single(press("/"), false)?.();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
});

test("a key is called by what it types, and by Shift only where that types nothing", () => {
  expect(nameOfKey(press("N", { shiftKey: true }))).toBe("N");
  expect(nameOfKey(press("ArrowDown", { shiftKey: true }))).toBe("Shift+ArrowDown");
  expect(keyWords("Shift+ArrowDown", false)).toEqual(["Shift", "↓"]);
  expect([keyWords("Mod+k", true), keyWords("+", false), keyWords("g l", false)]).toEqual([["⌘", "K"], ["+"], ["g", "l"]]);
});

test("a part of the page takes the keys that it does something at, and leaves the others to the page", () => {
  const nothing = () => false;
  const open = vi.fn<() => void>();
  const actions = Object.fromEntries(Object.keys(LOCAL_SHORTCUTS.tree).map((id) => [id, nothing]));
  const all = { ...actions, open } as unknown as Parameters<typeof runLocalKey<"tree">>[2];
  const event = (key: string) => ({ ...press(key), target: null, preventDefault: vi.fn<() => void>() });
  vi.stubGlobal("HTMLElement", EventTarget);
  expect([runLocalKey("tree", event("Enter"), all), runLocalKey("tree", event("j"), all), runLocalKey("tree", event("q"), all)]).toEqual([
    true,
    false,
    false,
  ]);
  expect(open).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test("the help is right: every shortcut of a page has a handler, and no key is used twice in one place", () => {
  const sources = readdirSync(join(import.meta.dirname, "../.."), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes(".test."))
    .map((path) => readFileSync(join(import.meta.dirname, "../..", path), "utf8"))
    .join("\n");
  const ids = [...Object.keys(PAGE_SHORTCUTS.everywhere), ...Object.keys(PAGE_SHORTCUTS.environment)];
  expect(ids.filter((id) => !sources.includes(`usePageKey("${id}"`))).toEqual([]);
  // Parts of the page give an action for each of theirs: `KeyActions` says so.
  const scopes = ["find", "graph", "list", "heads", "tree"] as const;
  expect(scopes.filter((scope) => !sources.includes(`runLocalKey("${scope}"`))).toEqual([]);
  for (const table of Object.values({ ...PAGE_SHORTCUTS, ...LOCAL_SHORTCUTS })) {
    const keys = Object.values(table).flatMap((shortcut) => shortcut.keys);
    expect(new Set(keys).size).toBe(keys.length);
  }
});
