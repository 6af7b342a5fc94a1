import type { EnvironmentRow, RowsSeen } from "@binnacle/proto/dashboard";

import type { ConnectedEnvironment } from "../environment/connected-environment.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";

/** The id of an environment of a project's index. */
export const nameAsId = ({ name }: EnvironmentRecord): string => name;

/** A row, and what names its environment. */
export interface RowWithId {
  readonly id: string;
  readonly row: EnvironmentRow;
}

/** What has changed in rows. */
export interface RowsChange {
  readonly rows: readonly RowWithId[];
  readonly seen: readonly RowsSeen[];
}

/** The time of the agent's newest connection changes while everything else stays; only the first one matters. */
export function isSameEnvironment(a: ConnectedEnvironment, b: ConnectedEnvironment): boolean {
  const shape = ({ agent, team, ...rest }: ConnectedEnvironment): string => {
    // Rules may be long, and have a name.
    const teamKey = [team?.scope, team?.rules?.id, team?.notices];
    return JSON.stringify([rest, teamKey, String(agent.id), agent.name, agent.projectPath, agent.lastSeenAt === undefined]);
  };
  return shape(a) === shape(b);
}
