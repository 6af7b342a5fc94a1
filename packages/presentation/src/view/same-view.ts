import type { Environment, Viewer } from "@binnacle/proto/dashboard";

interface Whose {
  readonly environment?: Environment | undefined;
  readonly viewer?: Viewer | undefined;
}

/** Whether another user has signed in. */
export function isOfAnotherUser(before: Viewer | undefined, now: Viewer | undefined): boolean {
  return before !== undefined && before.username !== now?.username;
}

/** The viewer, with the identity in the cluster as it was known last while it is not known anew. */
export function viewerAfter(before: Viewer | undefined, now: Viewer | undefined): Viewer | undefined {
  if (before === undefined || now === undefined || now.clusterUsername !== "" || isOfAnotherUser(before, now)) return now;
  return { ...now, clusterUsername: before.clusterUsername, clusterGroups: before.clusterGroups };
}

/** Whether two headers name one view: the same agent and part of the cluster, seen as the same identity. An identity not known yet is no other one. */
export function isSameView(before: Whose, now: Whose): boolean {
  const [was, is] = [before.environment, now.environment];
  if (was !== undefined && (was.agentId !== is?.agentId || was.namespace !== is.namespace || was.scopeId !== is.scopeId)) return false;
  const known = before.viewer !== undefined && before.viewer.clusterUsername !== "";
  return !known || identityOf(before.viewer) === identityOf(now.viewer);
}

function identityOf(viewer: Viewer | undefined): string {
  return viewer === undefined ? "" : JSON.stringify([viewer.clusterUsername, viewer.clusterGroups.toSorted()]);
}
