import type { EnvironmentRow, HealthStatus } from "@binnacle/proto/dashboard";
import { lookOf, wordOf } from "../live/health-status.ts";
import type { PaletteItem } from "../palette/palette-items.ts";
import { nameOf, NOT_KNOWN_YET, NOT_VISIBLE, statusOfRow } from "@binnacle/presentation/environments/row-order";
import { tLater } from "../../ui/messages.ts";

/** An environment, and its status where that is known. */
interface NamedEnvironment {
  readonly name: string;
  readonly status?: HealthStatus | undefined;
}

/** The environment of a row of the index. */
export function namedEnvironment(row: EnvironmentRow): NamedEnvironment {
  const status = statusOfRow(row);
  return { name: nameOf(row), status: status === NOT_KNOWN_YET || status === NOT_VISIBLE ? undefined : status };
}

/** Environments of a project as things to go to, and the list of them. @param go to one by its name, or to the list */
export function environmentItems(environments: Iterable<NamedEnvironment>, go: (name: string | undefined) => void): readonly PaletteItem[] {
  const items = [...environments].map(({ name, status = 0 }): PaletteItem => ({
    id: `environment ${name}`,
    group: "Environments",
    text: name,
    detail: tLater("ui/environment"),
    ...(status === 0 ? {} : { look: lookOf(status), state: wordOf(status) }),
    run: () => go(name),
  }));
  return [
    ...items,
    { id: "environments", group: "Environments", text: tLater("environments/all-environments-project"), run: () => go(undefined) },
  ];
}
