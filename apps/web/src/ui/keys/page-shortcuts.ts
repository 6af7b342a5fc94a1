import { withOwn } from "./own-keys.ts";
import type { Shortcut, ShortcutTable } from "./shortcut.ts";

/** What acts wherever the focus is, by the pages where it does (`usePageKey`). The help lists this table, and what takes keys asks it. */
export const PAGE_SHORTCUTS = {
  everywhere: {
    help: { keys: ["?"], does: "keys/show-this-help" },
    search: { keys: ["/"], does: "keys/search-field" },
    hold: { keys: ["h"], does: "keys/pause-updates" },
    palette: { keys: ["Mod+k"], does: "palette/title" },
  },
  environment: {
    index: { keys: ["g e"], does: "keys/go-environments-project" },
    summary: { keys: ["g s"], does: "keys/go-summary" },
    graph: { keys: ["g g"], does: "keys/go-graph" },
    list: { keys: ["g l"], does: "keys/go-list" },
    events: { keys: ["g t"], does: "keys/go-events" },
    logs: { keys: ["g o"], does: "keys/go-logs" },
    yaml: { keys: ["y"], does: "keys/yaml-resource" },
    terminal: { keys: ["s"], does: "keys/terminal-pod" },
    resourceEvents: { keys: ["e"], does: "keys/events-resource" },
    actions: { keys: ["a"], does: "keys/actions-resource" },
    resourceLogs: { keys: ["l"], does: "keys/logs-resource" },
    copy: { keys: ["c"], does: "environment/copy-link" },
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
