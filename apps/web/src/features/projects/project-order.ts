import type { Project, ProjectSummary } from "@binnacle/proto/dashboard";
import { HealthStatus } from "@binnacle/proto/dashboard-enums";
import { millisOf } from "../../ui/format-time.ts";

/** Summaries of projects by full path. */
export type ProjectSummaries = ReadonlyMap<string, ProjectSummary>;

/**
 * Most need first: the share of workloads that are down, then the worst status, then how many environments need attention, then the newest change, then
 * the path. Projects of which nothing is known yet come after those that are.
 */
export function byNeed(projects: readonly Project[], summaries: ProjectSummaries): readonly Project[] {
  const keys = new Map(projects.map((project) => [project, needOf(summaries.get(project.fullPath))]));
  return projects.toSorted((left, right) => {
    const [a, b] = [keys.get(left) ?? [], keys.get(right) ?? []];
    const at = a.findIndex((each, index) => each !== b[index]);
    return at < 0 ? (left.fullPath < right.fullPath ? -1 : 1) : (b[at] ?? 0) - (a[at] ?? 0);
  });
}

/** Numbers by which a project is compared, the most important first; more is more need. */
function needOf(summary: ProjectSummary | undefined): readonly number[] {
  if (summary?.worst === undefined) return [0, 0, HealthStatus.UNSPECIFIED, 0, 0];
  const { workloads, workloadsDown, worst, attention, lastChange } = summary;
  return [1, workloads === 0 ? 0 : workloadsDown / workloads, worst, attention, lastChange === undefined ? 0 : millisOf(lastChange)];
}
