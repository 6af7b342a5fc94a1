import { stringify } from "yaml";

import { allowedAgentsOf } from "../main-application/ci-access.ts";
import type { CiJob, World } from "../main-application/world.ts";
import { proxyServer } from "./user-kubeconfigs.ts";

const CLUSTER = "gitlab";

/**
 * The kubeconfig that a runner gives a job: a context for each agent that the job may use, "group/app:demo", and none of them chosen
 * (docs.gitlab.com, "Using GitLab CI/CD with a Kubernetes cluster").
 */
export function jobKubeconfig(world: World, job: CiJob, via: { readonly k8sProxy: string; readonly caFile: string }): string {
  const entries = allowedAgentsOf(world, job).map(({ id, config_project: project, configuration }) => {
    const user = `agent:${id}`;
    const namespace = configuration["default_namespace"];
    return {
      user: { name: user, user: { token: `ci:${id}:${job.token}` } },
      context: {
        name: `${world.project(project.id)?.fullPath ?? ""}:${world.agent(id)?.name ?? ""}`,
        context: { cluster: CLUSTER, user, ...(typeof namespace === "string" && namespace !== "" ? { namespace } : {}) },
      },
    };
  });
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: CLUSTER, cluster: { server: proxyServer(via.k8sProxy), "certificate-authority": via.caFile } }],
      contexts: entries.map(({ context }) => context),
      users: entries.map(({ user }) => user),
    },
    { lineWidth: 0 },
  );
}
