import { kubeconfigText } from "@binnacle/kube-sandbox";

import type { User } from "../main-application/world.ts";
import { K8S_PROXY_PREFIX } from "./addresses.ts";
import type { SandboxDirectory } from "./sandbox-directory.ts";

/** How users reach the cluster through kas. */
export interface UserAccessSetting {
  /** https://host:port of a k8s-proxy */
  readonly k8sProxy: string;
  readonly agentId: number;
  readonly namespace: string | undefined;
  readonly caFile: string;
}

/** Server address of a kubeconfig through kas; kubectl adds the path. */
export function proxyServer(k8sProxy: string): string {
  return k8sProxy + K8S_PROXY_PREFIX.replace(/\/$/, "");
}

/** The bearer token of a user at the k8s-proxy. */
export function proxyToken(agentId: number, user: User): string {
  return `pat:${agentId}:${user.personalAccessToken}`;
}

/** Writes one kubeconfig per user and gives the files by username. */
export function writeUserKubeconfigs(
  directory: SandboxDirectory,
  users: readonly User[],
  setting: UserAccessSetting,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    users.map((user) => [
      user.username,
      directory.write(
        `kubeconfig/${user.username}.yaml`,
        kubeconfigText({
          name: user.username,
          server: proxyServer(setting.k8sProxy),
          token: proxyToken(setting.agentId, user),
          caFile: setting.caFile,
          ...(setting.namespace === undefined ? {} : { namespace: setting.namespace }),
        }),
      ),
    ]),
  );
}
