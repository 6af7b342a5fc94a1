import type { EnvironmentRow } from "@binnacle/proto/dashboard";
import { lookOf, wordOf } from "../live/health-status.ts";
import type { PaletteItem } from "../palette/palette-items.ts";
import { nameOf, NOT_KNOWN_YET, statusOfRow } from "./row-order.ts";
import { sayLater } from "../../ui/said.ts";

/** Environments of a project as things to go to, and the list of them. @param go to one by its name, or to the list */
export function environmentItems(rows: Iterable<EnvironmentRow>, go: (name: string | undefined) => void): readonly PaletteItem[] {
  const items = [...rows].map((row): PaletteItem => {
    const status = statusOfRow(row);
    const known = status === NOT_KNOWN_YET || status === 0 ? {} : { look: lookOf(status), state: wordOf(status) };
    return {
      id: `environment ${nameOf(row)}`,
      group: "Environments",
      text: nameOf(row),
      detail: sayLater("environments/environment"),
      ...known,
      run: () => go(nameOf(row)),
    };
  });
  return [
    ...items,
    { id: "environments", group: "Environments", text: sayLater("environments/all-environments-project"), run: () => go(undefined) },
  ];
}
