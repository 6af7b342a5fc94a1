import type { DemoAgent } from "../demo/demo-agents.ts";
import { projectEnvironments } from "../demo/project-environments.ts";
import { dashboardUrlOf } from "../main-application/project-pages.ts";
import type { World } from "../main-application/world.ts";
import { K8S_PROXY_PREFIX, type Addresses } from "./addresses.ts";
import type { Endpoints } from "./endpoints-file.ts";
import type { SandboxRedis } from "./redis-server.ts";
import type { SandboxCluster } from "./sandbox-cluster.ts";
import type { SandboxDirectory } from "./sandbox-directory.ts";
import { kasEndpoints, type Programs } from "./sandbox-programs.ts";
import type { TlsFiles } from "./tls-files.ts";

/** Sources of the content of endpoints.json. */
export interface EndpointsSource {
  readonly addresses: Addresses;
  readonly world: World;
  /** Agents that deploy from Git; none with a foreign cluster. */
  readonly deploying: readonly DemoAgent[];
  /** Names of further environments, each deployed from a project of its own. Default: none. */
  readonly manifestProjects?: readonly string[];
  readonly programs: Programs;
  readonly cluster: SandboxCluster;
  readonly redis: SandboxRedis | undefined;
  /** Files by username. */
  readonly kubeconfigs: Readonly<Record<string, string>>;
  /** File of the job that runs. */
  readonly jobKubeconfig: string;
  readonly directory: SandboxDirectory;
  readonly tls: TlsFiles;
  /** Files with base64 text. */
  readonly secrets: { readonly api: string; readonly privateApi: string };
}

/** The content of endpoints.json as things are now. */
export function describeEndpoints(source: EndpointsSource): Endpoints {
  const { addresses, world, programs, cluster, redis, directory } = source;
  const { maintainer = "", ...others } = source.kubeconfigs;
  return {
    dashboard: addresses.dashboard.external,
    dashboardInternal: addresses.dashboard.internal,
    environments: environments(addresses, world),
    users: world.users.map(({ username, password, personalAccessToken }) => ({ username, password, personalAccessToken })),
    agents: world.agents.map((agent) => ({
      id: String(agent.id),
      name: agent.name,
      token: agent.token,
      projectId: String(agent.projectId),
      configProject: world.project(agent.projectId)?.fullPath ?? "",
    })),
    kas: kasEndpoints(addresses),
    observability: {
      agentk: `http://127.0.0.1:${addresses.agentkObservability[0]}`,
      web: `http://127.0.0.1:${addresses.webObservability}`,
    },
    kasExternalUrl: `${addresses.k8sProxies[0]?.external}${K8S_PROXY_PREFIX}`,
    apiJwtSecretFile: source.secrets.api,
    internalJwtSecretFile: source.secrets.privateApi,
    mainApplication: {
      url: addresses.mainApplication.external,
      internalUrl: addresses.mainApplication.internal,
      graphql: `${addresses.mainApplication.internal}/api/graphql`,
      gitRoot: directory.file("git"),
    },
    manifestProjects: [
      ...source.deploying.flatMap(({ project, deploys }) => {
        const repository = directory.file("git", `${project}.git`);
        return deploys.map(({ environment, directory: folder }) => ({ project, repository, environment, directory: folder }));
      }),
      ...projectEnvironments(source.manifestProjects ?? []).map(({ name: environment, fullPath: project }) => {
        return { project, repository: directory.file("git", `${project}.git`), environment, directory: "" };
      }),
    ],
    redis: redis?.url ?? null,
    kubeconfigs: { cluster: cluster.kubeconfig, viaKas: maintainer, viaKasAs: others, ciJob: source.jobKubeconfig },
    ciJobToken: world.ciJobs[0]?.token ?? "",
    caFile: source.tls.caFile,
    ...(cluster.auditLog === undefined ? {} : { auditLog: cluster.auditLog }),
    logDir: directory.file("log"),
    commands: {
      kas: programs.kas.map((kas) => kas.command),
      agentk: programs.agentk.map((agentk) => agentk.command),
      web: programs.web.command,
    },
    pids: {
      kas: programs.kas.map((kas) => kas.pid ?? 0),
      agentk: programs.agentk.map((agentk) => agentk.pid ?? 0),
      web: programs.web.pid ?? 0,
      sandbox: process.pid,
      cluster: cluster.pids,
      ...(redis?.pid === undefined ? {} : { redis: redis.pid }),
    },
  };
}

function environments(addresses: Addresses, world: World): Endpoints["environments"] {
  return world.environments.flatMap((environment) => {
    const project = world.project(environment.projectId);
    if (!project) return [];
    const url = dashboardUrlOf(addresses.dashboard.external, project, environment);
    return [
      { project: project.fullPath, name: environment.name, namespace: environment.namespace, agentId: String(environment.agentId), url },
    ];
  });
}
