import type { ViewScope } from "@binnacle/environment-view";

import type { EnvironmentRecord } from "./records.ts";

/** What an environment shows of its cluster, and by which rules: as the team's file says, else its namespace and those of all. */
export function scopeOf({ namespace, team }: Pick<EnvironmentRecord, "namespace" | "team">): ViewScope {
  const scope = team?.scope ?? { namespaces: namespace === "" ? [] : [namespace] };
  return team?.rules === undefined ? scope : { ...scope, rules: team.rules };
}
