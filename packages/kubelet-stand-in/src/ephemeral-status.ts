import type { ContainerEnd } from "./pod-streams.ts";

type Tree = Readonly<Record<string, unknown>>;

function tree(value: unknown): Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

/** Parts of a pod of the Kubernetes API that a status is written with. */
export function podStatusOf(object: unknown): { readonly uid: unknown; readonly resourceVersion: unknown; readonly status: unknown } {
  const { metadata, status } = tree(object);
  const { uid, resourceVersion } = tree(metadata);
  return { uid, resourceVersion, status };
}

/**
 * A pod's status after an ephemeral container has ended: `terminated` with its exit code.
 *
 * @param status `PodStatus` of the Kubernetes API; unchanged where the container does not run
 */
export function withEnd(status: unknown, { container, end }: { readonly container: string; readonly end: ContainerEnd }): Tree {
  const present = tree(status);
  const statuses = present["ephemeralContainerStatuses"];
  const { exitCode, finishedMs } = end;
  const ephemeralContainerStatuses = (Array.isArray(statuses) ? statuses : []).map((one: unknown) => {
    const running = tree(tree(one)["state"])["running"];
    if (tree(one)["name"] !== container || running === undefined) return one;
    // Times of the API have whole seconds.
    const finishedAt = `${new Date(finishedMs).toISOString().slice(0, 19)}Z`;
    const { startedAt = finishedAt } = tree(running);
    const reason = exitCode === 0 ? "Completed" : "Error";
    return { ...tree(one), state: { terminated: { exitCode, reason, startedAt, finishedAt } } };
  });
  return { ...present, ephemeralContainerStatuses };
}
