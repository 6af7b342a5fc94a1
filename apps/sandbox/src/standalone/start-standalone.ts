import { join } from "node:path";

import { readKubeconfig } from "../cluster/kubeconfig-file.ts";
import { KubeHttp } from "../cluster/kube-http.ts";
import { ManifestApplier } from "../cluster/manifest-applier.ts";
import { readManifests } from "../cluster/manifest.ts";
import { demoAgents, type DemoAgent } from "../demo/demo-agents.ts";
import { createDemoSeed } from "../demo/demo-seed.ts";
import { waitUntilDeployed } from "../demo/deployed.ts";
import { World } from "../main-application/world.ts";
import { chooseAddresses } from "../orchestrator/addresses.ts";
import { EndpointsFile, type Endpoints } from "../orchestrator/endpoints-file.ts";
import { describeEndpoints } from "../orchestrator/endpoints.ts";
import { REPOSITORY_ROOT } from "../orchestrator/entry-points.ts";
import { FreePorts } from "../orchestrator/free-port.ts";
import { OrphanGuard } from "../orchestrator/orphan-guard.ts";
import { agentSettings } from "../orchestrator/sandbox-agents.ts";
import { openCluster, type SandboxCluster } from "../orchestrator/sandbox-cluster.ts";
import { SandboxDirectory } from "../orchestrator/sandbox-directory.ts";
import { createPrograms } from "../orchestrator/sandbox-programs.ts";
import { throughKas } from "../orchestrator/through-kas.ts";
import { createTlsFiles } from "../orchestrator/tls-files.ts";
import { proxyToken, writeUserKubeconfigs } from "../orchestrator/user-kubeconfigs.ts";
import { buildWeb } from "../orchestrator/web-build.ts";
import type { SandboxOptions } from "../orchestrator/sandbox.ts";
import { bindingsOf, demoOrganization } from "./demo-organization.ts";

/** Who signs in here; the demo's outsider belongs to GitLab's rights. */
const USERS = ["maintainer", "developer"];

/**
 * Starts the product without a main application and without Git: users, projects, environments and agents stand in `organization.yaml` of the
 * sandbox's directory, which kas and the dashboard read.
 *
 * @throws Fault with a sentence for the user
 */
export async function startStandalone({ flags, signal, say }: SandboxOptions, started: AsyncDisposableStack): Promise<Endpoints> {
  const directory = new SandboxDirectory(flags.dir);
  started.defer(() => directory.release());
  const guard = new OrphanGuard(directory.file("run", "pids"), directory.file("sandbox.pid"));
  started.defer(() => guard.release());
  const ports = new FreePorts();
  started.defer(() => ports.close());
  const addresses = await chooseAddresses(flags, ports);
  const tls = await createTlsFiles(directory);
  const halt = new AbortController();
  const halted = AbortSignal.any([signal, halt.signal]);
  // The build takes longest: it runs beside the cluster's start. Its failure is reported where it is awaited.
  const building = buildWeb(REPOSITORY_ROOT, { signal: halted, say });
  building.catch(() => {});
  started.defer(async () => {
    halt.abort();
    await building.catch(() => {});
  });
  const agents = demoAgents(flags.agents);
  const seed = createDemoSeed({ foreignCluster: false, colleagues: flags.colleagues, agents: flags.agents });
  const world = new World({ ...seed, users: seed.users.filter(({ username, id }) => USERS.includes(username) || id > USERS.length + 1) });
  const organization = directory.write("organization.yaml", await demoOrganization(world));
  const cluster = await openCluster({ flags, directory, ports, guard, signal, say });
  started.defer(() => cluster.stop());
  await deploy(cluster, agents, signal);

  const secrets = {
    gitlab: "",
    api: directory.createSecret("api").file,
    privateApi: directory.createSecret("private-api").file,
    manifestReader: directory.createSecret("manifest-reader").file,
  };
  let publish = (): void => {};
  const programs = createPrograms({
    flags,
    directory,
    guard,
    addresses,
    tls,
    secrets,
    standalone: {
      organization,
      state: directory.file("run", "state.json"),
      signingSecret: directory.createSecret("signing").file,
      webSecret: directory.createSecret("web").file,
    },
    redis: undefined,
    agents: agentSettings(world, cluster),
    sessionSecretFile: directory.keepSecret("session-keys"),
    say,
    onChange: () => publish(),
  });
  say("starting kas, agentk and the dashboard");
  for (const [index, process] of programs.kas.entries()) {
    started.defer(() => process.stop());
    await ports.handOver(Object.values(addresses.kasPorts[index] ?? {}));
    await process.start(signal);
  }
  await ports.handOver(addresses.agentkObservability);
  started.defer(async () => void (await Promise.all(programs.agentk.map((process) => process.stop()))));
  await Promise.all(programs.agentk.map((process) => process.start(signal)));
  await building;
  started.defer(() => programs.web.stop());
  await ports.handOver([addresses.dashboard.port, addresses.webObservability]);
  await programs.web.start(signal);

  const [agent] = world.agents;
  const [user] = world.users;
  if (!agent || !user) throw new Error("the demo world has an agent and users");
  const k8sProxy = addresses.k8sProxies[0]?.internal ?? "";
  await throughKas({ k8sProxy, token: proxyToken(agent.id, user), caFile: tls.caFile, signal }, async () => undefined);
  await Promise.all(agents.map((each) => waitUntilDeployed(each, { kubeconfig: cluster.kubeconfig, signal, say })));
  const namespace = world.environments[0]?.namespace;
  const kubeconfigs = writeUserKubeconfigs(directory, world.users, { k8sProxy, agentId: agent.id, namespace, caFile: tls.caFile });
  const file = new EndpointsFile(directory.file("endpoints.json"));
  const describe = (): Endpoints =>
    describeEndpoints({
      addresses: { ...addresses, mainApplication: addresses.dashboard },
      world,
      deploying: [],
      programs,
      cluster,
      redis: undefined,
      kubeconfigs,
      jobKubeconfig: "",
      directory,
      tls,
      secrets,
    });
  publish = () => file.write(describe());
  publish();
  started.defer(() => {
    publish = () => {};
    file.remove();
  });
  say(`the organization is ${organization}: change it, and kas and the dashboard follow within ten seconds`);
  return describe();
}

/** There is no Git: what agents of the demo deploy is applied here, and the organization's groups get the rights of the project's roles. */
async function deploy({ kubeconfig }: SandboxCluster, agents: readonly DemoAgent[], signal: AbortSignal): Promise<void> {
  const http = new KubeHttp(readKubeconfig(kubeconfig));
  try {
    const applier = new ManifestApplier(http, signal);
    for (const { files, deploys, appliedBefore } of agents) {
      for (const before of appliedBefore) await applier.apply(bindingsOf(readManifests(join(files, before), new Date())));
      for (const { directory } of deploys) await applier.apply(readManifests(join(files, directory), new Date()));
    }
  } finally {
    await http.close();
  }
}
