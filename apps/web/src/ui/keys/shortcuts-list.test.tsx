import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { LOCAL_SHORTCUTS } from "./local-shortcuts.ts";
import { tLater } from "../messages.ts";
import { PAGE_SHORTCUTS } from "./page-shortcuts.ts";
import { Shortcuts } from "./shortcuts-list.tsx";

test("the help lists every shortcut of the tables, and the switch for those of one character", () => {
  vi.stubGlobal("navigator", { platform: "Linux x86_64" });
  const html = renderToStaticMarkup(<Shortcuts />);
  vi.unstubAllGlobals();
  const all = [...Object.values(PAGE_SHORTCUTS), ...Object.values(LOCAL_SHORTCUTS)].flatMap((table) => Object.values(table));
  expect(all.map(({ does }) => tLater(does)).filter((does) => !html.includes(`<dd>${does}</dd>`))).toEqual([]);
  expect(html).toContain("<kbd>Ctrl</kbd><kbd>K</kbd>");
  expect(html).toMatch(/<input type="checkbox"[^>]*checked/);
});
