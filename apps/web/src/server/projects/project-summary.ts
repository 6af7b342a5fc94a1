import { ProjectSummarySchema, type EnvironmentRow, type Problem, type ProjectSummary } from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { create } from "@bufbuild/protobuf";
import { timestampMs, type Timestamp } from "@bufbuild/protobuf/wkt";

import { isOutside } from "@binnacle/presentation/environments/row-order";

/** What a project's line is made of. */
export interface ProjectRows {
  readonly fullPath: string;
  readonly rows: Iterable<EnvironmentRow>;
  readonly problem?: Problem | undefined;
  /** Nothing more is read of it now. */
  readonly isDone: boolean;
}

/** A project in one line: the worst of what is known, how much of it is not, and how old the oldest part is. */
export function projectSummary({ fullPath, rows, problem, isDone }: ProjectRows): ProjectSummary {
  const all = [...rows];
  const inside = all.filter((row) => !isOutside(row));
  const known = inside.filter(({ health }) => health !== undefined);
  const sum = (of: (row: EnvironmentRow) => number): number => known.reduce((total, row) => total + of(row), 0);
  const statuses = known.map(({ health }) => health?.status ?? HealthStatus.UNSPECIFIED);
  const worst = statuses.reduce((before, status) => (status > before ? status : before), HealthStatus.UNSPECIFIED);
  const lastChange = extreme(known.map((row) => row.lastChange), 1); // prettier-ignore
  const asOf = extreme(known.filter(({ live }) => !live).map((row) => row.asOf), -1); // prettier-ignore
  return create(ProjectSummarySchema, {
    fullPath,
    environments: all.length,
    known: known.length,
    outside: all.length - inside.length,
    ...(statuses.length > 0 && { worst }),
    attention: known.filter(needsAttention).length,
    issues: sum(({ health }) => health?.issuesTotal ?? 0),
    workloads: sum(({ workloads }) => workloads),
    workloadsDown: sum(({ workloadsDown }) => workloadsDown ?? 0),
    ...(lastChange && { lastChange }),
    ...(asOf && { asOf }),
    ...(problem && { problem }),
    done: isDone,
  });
}

/** Its status is worse than Progressing, or its first issue is a notice: then all are. */
function needsAttention({ health }: EnvironmentRow): boolean {
  return (health?.status ?? HealthStatus.UNSPECIFIED) >= HealthStatus.MISSING || health?.issues[0]?.notice === true;
}

/** The latest (`sign` 1) or the earliest (`sign` -1) of some times. */
function extreme(times: readonly (Timestamp | undefined)[], sign: 1 | -1): Timestamp | undefined {
  return times.flatMap((time) => time ?? []).toSorted((left, right) => sign * (timestampMs(right) - timestampMs(left)))[0];
}
