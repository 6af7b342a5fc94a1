import { setTimeout as sleep } from "node:timers/promises";

import { logProfile } from "@binnacle/kubelet-stand-in";

import { pick } from "../support/endpoints.ts";
import { kubectl } from "../support/kubectl.ts";
import type { Sandbox } from "../support/sandbox.ts";

/** Environment of the pod, and its namespace. */
export const CHATTY_ENVIRONMENT = "staging";
const POD_MS = 60_000;

/**
 * Leaves `web` one pod, which writes at a rate.
 *
 * @param rate lines per second
 * @param rotateLines lines of a file; only the newest file can be read
 * @returns its profile, which says when each line is written
 */
export async function runChattyPod(
  sandbox: Sandbox,
  { rate, rotateLines = 100_000 }: { readonly rate: number; readonly rotateLines?: number },
): Promise<ReturnType<typeof logProfile>> {
  const direct = (...args: string[]): Promise<string> =>
    kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", CHATTY_ENVIRONMENT, ...args]);
  const annotations = { "bench.kas/log-rate": String(rate), "bench.kas/log-rotate-lines": String(rotateLines) };
  const patch = { spec: { replicas: 1, template: { metadata: { annotations } } } };
  await direct("patch", "deployment", "web", "--patch", JSON.stringify(patch));
  await direct("rollout", "status", "deployment/web", "--timeout=120s");
  const deadline = Date.now() + POD_MS;
  while (Date.now() < deadline) {
    // It is a list of pods, of which the old ones go.
    const { items } = JSON.parse(await direct("get", "pods", "-l", "app.kubernetes.io/name=web", "-o", "json")) as {
      readonly items: readonly {
        readonly metadata: {
          readonly uid: string;
          readonly annotations: Readonly<Record<string, string>>;
          readonly deletionTimestamp?: string;
        };
        readonly spec: { readonly containers: readonly { readonly name: string }[] };
        readonly status: {
          readonly containerStatuses?: readonly { readonly state: { readonly running?: { readonly startedAt: string } } }[];
        };
      }[];
    };
    const [pod] = items;
    const startedAt = pod?.status.containerStatuses?.[0]?.state.running?.startedAt;
    if (items.length === 1 && pod !== undefined && startedAt !== undefined) {
      const container = pod.spec.containers[0]?.name ?? "";
      return logProfile(pod.metadata.annotations, {
        seed: `${pod.metadata.uid}/${container}/0`,
        container,
        startedMs: Date.parse(startedAt),
      });
    }
    await sleep(200);
  }
  throw new Error(`the one pod of web did not run after ${POD_MS / 1_000} s`);
}

/** Names of the logs of `web`. */
export function logsOfWeb(sandbox: Sandbox) {
  const { project } = pick(sandbox.endpoints.environments, (entry) => entry.name === CHATTY_ENVIRONMENT);
  const ref = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: CHATTY_ENVIRONMENT, name: "web" };
  return { projectPath: project, environment: CHATTY_ENVIRONMENT, refs: [ref] };
}
