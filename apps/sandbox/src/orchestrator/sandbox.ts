import { readFileSync } from "node:fs";

import { Fault } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { demoDeployment } from "../demo/demo-deployment.ts";
import { demoAgents } from "../demo/demo-agents.ts";
import { createRepositories } from "../demo/demo-repositories.ts";
import { createDemoSeed, environmentsOf } from "../demo/demo-seed.ts";
import type { Flags } from "../flags.ts";
import { startGitaly } from "../gitaly/gitaly-server.ts";
import { compareCommits } from "../gitaly/compare-commits.ts";
import { commitFile, lastCommitOf } from "../gitaly/commit-file.ts";
import { HeadFiles } from "../gitaly/head-files.ts";
import { readBlob } from "../gitaly/read-blob.ts";
import { readCommit } from "../gitaly/read-commit.ts";
import { startApplicationServer } from "../main-application/application-server.ts";
import type { Application } from "../main-application/application.ts";
import { createConnectedAgents } from "../main-application/connected-agents.ts";
import { createKasApi } from "../main-application/kas-api.ts";
import { Sessions } from "../main-application/sessions.ts";
import { World } from "../main-application/world.ts";
import { startOrganization } from "../organization/start-organization.ts";
import { startPrometheus } from "../prometheus/start-prometheus.ts";
import { reviewAppsOf } from "../review/demo-review.ts";
import type { ReviewApps } from "../review/review-apps.ts";
import { reviewWork } from "../review/review-work.ts";
import { startStandalone } from "../standalone/start-standalone.ts";
import { chooseAddresses, K8S_PROXY_PREFIX } from "./addresses.ts";
import { EndpointsFile, type Endpoints } from "./endpoints-file.ts";
import { describeEndpoints } from "./endpoints.ts";
import { REPOSITORY_ROOT } from "./entry-points.ts";
import { foreignNamespaces } from "./foreign-namespaces.ts";
import { FreePorts, isFree } from "./free-port.ts";
import { jobKubeconfig } from "./job-kubeconfig.ts";
import { OrphanGuard } from "./orphan-guard.ts";
import { tellOfPushes } from "./pushes.ts";
import { findRedisServer, startRedis, useRedis, type SandboxRedis } from "./redis-server.ts";
import { agentSettings, agentsReady } from "./sandbox-agents.ts";
import { openCluster } from "./sandbox-cluster.ts";
import { SandboxDirectory } from "./sandbox-directory.ts";
import { createPrograms } from "./sandbox-programs.ts";
import { throughKas } from "./through-kas.ts";
import { createTlsFiles } from "./tls-files.ts";
import { proxyToken, writeUserKubeconfigs } from "./user-kubeconfigs.ts";
import { buildWeb } from "./web-build.ts";

/** How a sandbox is started. */
export interface SandboxOptions {
  readonly flags: Flags;
  /** Ends the start; a running sandbox is ended by `stop()`. */
  readonly signal: AbortSignal;
  /** Progress, a line at a time. */
  readonly say: (line: string) => void;
}

/** A running sandbox. */
export interface Sandbox {
  readonly endpoints: Endpoints;
  /** Stops everything, last started first. */
  stop(): Promise<void>;
}

/**
 * Starts everything and proves that a request reaches the cluster through kas and agentk.
 *
 * @throws Fault with a sentence for the user; everything that had been started is stopped then
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const started = new AsyncDisposableStack();
  try {
    const { port, standalone } = options.flags;
    if (port !== 0 && !(await isFree(port))) {
      throw new Fault("conflict", `port ${port} is in use: choose another for the dashboard with --port N (0 takes any free one)`);
    }
    const endpoints = await (standalone ? startStandalone : startParts)(options, started);
    return { endpoints, stop: () => started.disposeAsync() };
  } catch (error) {
    await started.disposeAsync();
    throw error;
  }
}

async function startParts({ flags, signal, say }: SandboxOptions, started: AsyncDisposableStack): Promise<Endpoints> {
  const directory = new SandboxDirectory(flags.dir);
  started.defer(() => directory.release());
  const guard = new OrphanGuard(directory.file("run", "pids"), directory.file("sandbox.pid"));
  started.defer(() => guard.release());
  const ports = new FreePorts();
  started.defer(() => ports.close());
  const addresses = await chooseAddresses(flags, ports);
  const tls = await createTlsFiles(directory);
  const foreign = flags.kubeconfig !== undefined;

  // The build takes longest: it runs beside the cluster's start. Its failure is reported where it is awaited.
  const halt = new AbortController();
  const building = buildWeb(REPOSITORY_ROOT, { signal: AbortSignal.any([signal, halt.signal]), say });
  building.catch(() => {});
  started.defer(async () => {
    halt.abort();
    await building.catch(() => {});
  });
  const cluster = await openCluster({ flags, directory, ports, guard, signal, say });
  started.defer(() => cluster.stop());
  const prometheus = flags.prometheus
    ? await startPrometheus({ kubeconfig: cluster.kubeconfig, port: await ports.take(), directory, signal })
    : undefined;
  if (prometheus) started.defer(() => prometheus.stop());
  guard.note("prometheus", prometheus?.pid);

  const gitaly = await startGitaly({ gitRoot: directory.file("git"), secret: "sandbox-gitaly" });
  started.defer(() => gitaly.close());
  const { manifestProjects } = flags;
  const world = new World(
    createDemoSeed({ foreignCluster: foreign, colleagues: flags.colleagues, agents: flags.agents, manifestProjects }),
  );
  const deploying = foreign ? [] : demoAgents(flags.agents);
  await createRepositories(directory.file("git"), { foreign, agents: flags.agents, prometheus: flags.prometheus, manifestProjects });
  await startOrganization(world, directory.file("git"));
  if (!foreign) world.deployed(await demoDeployment(directory.file("git"), Date.now()));
  const headFiles = new HeadFiles(directory.file("git"));
  const secrets = {
    gitlab: directory.createSecret("gitlab"),
    api: directory.createSecret("api"),
    privateApi: directory.createSecret("private-api"),
    manifestReader: directory.createSecret("manifest-reader"),
  };
  const kasApi = createKasApi(`127.0.0.1:${addresses.kasPorts[0]?.api}`, secrets.api.bytes);
  const app: Application = {
    world,
    sessions: new Sessions(),
    connectedAgents: createConnectedAgents(kasApi),
    externalUrl: addresses.mainApplication.external,
    dashboardUrl: addresses.dashboard.external,
    kasUrl: `${addresses.k8sProxies[0]?.external}${K8S_PROXY_PREFIX}`,
    kasSecret: secrets.gitlab.bytes,
    gitaly: { address: gitaly.address, token: "sandbox-gitaly" },
    readFile: (fullPath, path) => headFiles.read(fullPath, path),
    readBlob: (fullPath, place) => readBlob(directory.file("git"), fullPath, place),
    readCommit: (fullPath, id) => readCommit(directory.file("git"), fullPath, id),
    compareCommits: (fullPath, range) => compareCommits(directory.file("git"), fullPath, range),
    lastCommitOf: (fullPath, path) => lastCommitOf(directory.file("git"), fullPath, path),
    commitFile: (fullPath, file) => commitFile(directory.file("git"), fullPath, file),
    log: createLogger("sandbox", "error"),
  };
  const pair = flags.tls ? { cert: readFileSync(tls.certificateFile, "utf8"), key: readFileSync(tls.keyFile, "utf8") } : undefined;
  await ports.handOver([addresses.mainApplication.port]);
  const server = await startApplicationServer(app, { port: addresses.mainApplication.port, tls: pair });
  started.defer(() => server.close());
  let review: ReviewApps | undefined;
  const pushed = (): void => void review?.pushed();
  const pushes = tellOfPushes({ gitRoot: directory.file("git"), projects: world.projects, kas: kasApi, log: app.log, pushed });
  started.defer(() => pushes.close());

  const redis = await openRedis({ flags, directory, ports, signal });
  if (redis) started.defer(() => redis.stop());
  guard.note("redis", redis?.pid);
  const [agent] = world.agents;
  const [maintainer] = world.users;
  if (!agent || !maintainer) throw new Error("the demo world has an agent and users");
  let publish = (): void => {};
  const programs = createPrograms({
    flags,
    directory,
    guard,
    addresses,
    tls,
    secrets: {
      gitlab: secrets.gitlab.file,
      api: secrets.api.file,
      privateApi: secrets.privateApi.file,
      manifestReader: secrets.manifestReader.file,
    },
    redis: redis?.setting,
    agents: agentSettings(world, cluster, prometheus?.port),
    sessionSecretFile: directory.keepSecret("session-keys"),
    say,
    onChange: () => publish(),
  });
  // The dashboard starts beside them: it sends no request to kas before it gets one.
  const halted = AbortSignal.any([signal, halt.signal]);
  const dashboard = (async () => {
    await building;
    await ports.handOver([addresses.dashboard.port, addresses.webObservability]);
    await programs.web.start(halted);
  })();
  dashboard.catch(() => {});
  started.defer(async () => {
    halt.abort();
    await dashboard.catch(() => {});
    await programs.web.stop();
  });
  say(`starting kas (${programs.kas.length}), agentk and the dashboard`);
  for (const [index, process] of programs.kas.entries()) {
    started.defer(() => process.stop());
    await ports.handOver(Object.values(addresses.kasPorts[index] ?? {}));
    await process.start(signal);
  }
  await ports.handOver(addresses.agentkObservability);
  started.defer(async () => void (await Promise.all(programs.agentk.map((process) => process.stop()))));
  await Promise.all(programs.agentk.map((process) => process.start(signal)));
  await agentsReady({ world, connectedAgents: app.connectedAgents, cluster, deploying, signal, say });
  const k8sProxy = addresses.k8sProxies[0]?.internal ?? "";
  const way = { k8sProxy, token: proxyToken(agent.id, maintainer), caFile: tls.caFile, signal };
  await throughKas(way, async (http) => {
    if (foreign) world.setEnvironments(environmentsOf(await foreignNamespaces(http, flags.namespaces)));
  });
  await dashboard;
  // Of what serves people it ends first.
  started.defer(() => programs.web.stop());

  if (!foreign) {
    const work = reviewWork({ cluster: readKubeconfig(cluster.kubeconfig), k8sProxy, caFile: tls.caFile, signal: halt.signal });
    review = reviewAppsOf({ world, agentId: agent.id, gitRoot: directory.file("git"), work, log: app.log });
    started.defer(() => void (review = undefined));
  }

  const kubeconfigs = writeUserKubeconfigs(directory, world.users, {
    k8sProxy,
    agentId: agent.id,
    namespace: world.environments[0]?.namespace,
    caFile: tls.caFile,
  });
  const [job] = world.ciJobs;
  if (!job) throw new Error("the demo world has a job");
  const jobFile = directory.write("kubeconfig/ci-job.yaml", jobKubeconfig(world, job, { k8sProxy, caFile: tls.caFile }));
  const file = new EndpointsFile(directory.file("endpoints.json"));
  const describe = (): Endpoints =>
    describeEndpoints({
      addresses,
      world,
      deploying,
      manifestProjects,
      programs,
      cluster,
      redis,
      kubeconfigs,
      jobKubeconfig: jobFile,
      directory,
      tls,
      secrets: { api: secrets.api.file, privateApi: secrets.privateApi.file },
    });
  publish = () => file.write(describe());
  publish();
  started.defer(() => {
    publish = () => {};
    file.remove();
  });
  return describe();
}

async function openRedis(setting: {
  flags: Flags;
  directory: SandboxDirectory;
  ports: FreePorts;
  signal: AbortSignal;
}): Promise<SandboxRedis | undefined> {
  const { flags, directory, ports, signal } = setting;
  if (flags.redis !== undefined) return useRedis(flags.redis, directory);
  if (flags.kas === 1) return undefined;
  const program = findRedisServer();
  if (program === undefined) throw new Fault("configuration_invalid", NO_REDIS);
  return startRedis(program, { port: await ports.take(), directory, signal });
}

/** The error for several kas without a Redis. */
export const NO_REDIS = "--kas above 1 needs a Redis: give --redis URL, or install redis-server or valkey-server";
