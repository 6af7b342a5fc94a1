import type { Delivery, EnvironmentHealth, IssueGroup } from "@binnacle/proto/dashboard";
import { byWorst } from "./issue-filter.ts";

/** Keys of issues of syncs, as the server makes them. */
const SYNC_KEY = '["sync",';

/** Whether an issue is of a sync, and not of resources. */
export function isSyncIssue({ key }: Pick<IssueGroup, "key">): boolean {
  return key.startsWith(SYNC_KEY);
}

/** The health of an environment with what is wrong with its syncs among the issues. Its status stays that of its resources. */
export function withSyncIssues(health: EnvironmentHealth, delivery: Delivery | undefined): EnvironmentHealth {
  const own = health.issues.filter((issue) => !isSyncIssue(issue));
  const added: readonly IssueGroup[] = delivery?.issues ?? [];
  const before = health.issues.length - own.length;
  if (added.length + before === 0) return health;
  const issuesTotal = health.issuesTotal - before + added.length;
  return { ...health, issues: [...added, ...own].toSorted(byWorst), issuesTotal };
}
