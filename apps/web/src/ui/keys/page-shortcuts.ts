import { withOwn } from "./own-keys.ts";
import type { Shortcut, ShortcutTable } from "./shortcut.ts";

/** What acts wherever the focus is, by the pages where it does (`usePageKey`). The help lists this table, and what takes keys asks it. */
export const PAGE_SHORTCUTS = {
  everywhere: {
    help: { keys: ["?"], does: "Show this help" },
    search: { keys: ["/"], does: "Go to the search field, where there is one" },
    palette: { keys: ["Mod+k"], does: "Go to anything, or do anything: the command palette" },
  },
  environment: {
    index: { keys: ["g e"], does: "Go to the environments of the project" },
    summary: { keys: ["g s"], does: "Go to the summary" },
    graph: { keys: ["g g"], does: "Go to the graph" },
    list: { keys: ["g l"], does: "Go to the list" },
    events: { keys: ["g t"], does: "Go to the events" },
    yaml: { keys: ["y"], does: "YAML of the resource that has the focus, or is open" },
    resourceEvents: { keys: ["e"], does: "Events of that resource" },
    hold: { keys: ["h"], does: "Hold the picture while you read, and go on" },
    copy: { keys: ["c"], does: "Copy a link to what is shown" },
  },
} as const satisfies ShortcutTable;

type Table = typeof PAGE_SHORTCUTS;

/** Names of what acts wherever the focus is. */
export type PageShortcut = keyof Table["everywhere"] | keyof Table["environment"];

/** Keys of what acts wherever the focus is, as they are now. */
export function keysOfPage(id: PageShortcut): readonly string[] {
  const { everywhere, environment } = PAGE_SHORTCUTS;
  const all: Readonly<Record<PageShortcut, Shortcut>> = { ...everywhere, ...environment };
  return withOwn(`${id in everywhere ? "everywhere" : "environment"}.${id}`, all[id].keys);
}
