import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { PaletteItem } from "./palette-items.ts";
import { PaletteSearch } from "./palette-panel.tsx";

const items: readonly PaletteItem[] = [
  { id: "a", group: "Resources", text: "<b>web</b>", detail: "Pod in shop", state: "Degraded", look: "degraded", run: () => undefined },
  { id: "b", group: "Kinds", text: "x".repeat(1_000_000), detail: "1 resource", run: () => undefined },
];

test("the palette is a combobox with a list: its first option is the current one, groups have names, and no name is markup", () => {
  const html = renderToStaticMarkup(<PaletteSearch items={items} onClose={() => undefined} />);
  const [, current] = /aria-activedescendant="([^"]+)"/.exec(html) ?? [];
  expect(html).toMatch(/role="combobox"[^>]+aria-autocomplete="list"[^>]+aria-expanded="true"/);
  expect(html).toContain(`id="${current}" role="option"`);
  expect(html.match(/aria-selected="true"/g)).toHaveLength(1);
  expect(html).toContain('role="group" aria-label="Resources"');
  expect(html).not.toContain("<b>");
});
