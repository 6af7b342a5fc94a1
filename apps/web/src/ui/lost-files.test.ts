import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { lostFilesScript, PAGE_STARTED } from "./lost-files.ts";

class Script {
  readonly tag = "script";
}
class Stylesheet {
  readonly tag = "link";
}
class Picture {
  readonly tag = "img";
}

/** A tab: its storage outlives its pages. */
class Tab {
  readonly items = new Map<string, string>();
  readonly shown: string[] = [];
  reloads = 0;
  blocked = false;

  /** A page is loaded. @returns what tells it of an event */
  open(build: string): (type: string, target?: object) => void {
    const listeners = new Map<string, Set<(event: object) => void>>();
    runInNewContext(lostFilesScript(build), {
      HTMLScriptElement: Script,
      HTMLLinkElement: Stylesheet,
      sessionStorage: {
        getItem: (key: string) => {
          if (this.blocked) throw new Error("The operation is insecure.");
          return this.items.get(key) ?? null;
        },
        setItem: (key: string, value: string) => this.items.set(key, value),
      },
      location: { reload: () => (this.reloads += 1) },
      addEventListener: (type: string, listener: (event: object) => void) =>
        listeners.set(type, (listeners.get(type) ?? new Set()).add(listener)),
      removeEventListener: (type: string, listener: (event: object) => void) => listeners.get(type)?.delete(listener),
      document: {
        readyState: "complete",
        createElement: () => ({ setAttribute: () => undefined }),
        body: { prepend: ({ textContent }: { textContent: string }) => this.shown.push(textContent) },
      },
    });
    return (type, target = {}) => {
      for (const listener of listeners.get(type) ?? []) listener({ target });
    };
  }
}

test("W12: a page whose script is gone before it starts is loaded anew once, and then says what to do", () => {
  const tab = new Tab();
  tab.open("a")("error", new Script());
  expect([tab.reloads, tab.shown]).toEqual([1, []]);
  tab.open("a")("error", new Script());
  expect(tab.reloads).toBe(1);
  expect(tab.shown).toEqual([expect.stringContaining("Load the page again in a minute")]);
});

test("W12: two builds by turns come to an end, and several lost files are one", () => {
  const tab = new Tab();
  for (let turn = 0; turn < 20; turn += 1) {
    const tell = tab.open(turn % 2 === 0 ? "a" : "b");
    for (let file = 0; file < 5; file += 1) tell("error", new Script());
  }
  expect([tab.reloads, tab.shown.length]).toEqual([2, 18]);
});

test("W12: what is lost later, and what is no file of ours to run, is left to the page", () => {
  const tab = new Tab();
  const tell = tab.open("a");
  tell("error", new Picture());
  tell(PAGE_STARTED);
  tell("error", new Script());
  expect([tab.reloads, tab.shown]).toEqual([0, []]);
});

test("W12: without storage the page is not reloaded, and shows the problem", () => {
  const tab = new Tab();
  tab.blocked = true;
  tab.open("a")("error", new Script());
  expect([tab.reloads, tab.shown.length]).toEqual([0, 1]);
});

test("XS7: no name of a build ends the script", () => {
  expect(lostFilesScript("</script><script>")).not.toContain("<");
});
