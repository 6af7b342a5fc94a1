import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { demoAgents } from "../demo/demo-agents.ts";
import { createDemoSeed, FOREIGN_CONFIGURATION } from "../demo/demo-seed.ts";
import { parseFlags } from "../flags.ts";
import { World } from "../main-application/world.ts";
import { chooseAddresses } from "./addresses.ts";
import { EndpointsFile, type Endpoints } from "./endpoints-file.ts";
import { describeEndpoints } from "./endpoints.ts";
import { FreePorts } from "./free-port.ts";
import { OrphanGuard } from "./orphan-guard.ts";
import { SandboxDirectory } from "./sandbox-directory.ts";
import { createPrograms } from "./sandbox-programs.ts";

const root = mkdtempSync(join(tmpdir(), "endpoints-"));
afterAll(() => {
  guard.release();
  rmSync(root, { recursive: true, force: true });
});

const TLS = { caFile: "/ca", certificateFile: "/crt", keyFile: "/key" };
let endpoints: Endpoints;
let describe: (foreign: boolean) => Endpoints;
let guard: OrphanGuard;
beforeAll(async () => {
  const parsed = parseFlags(["--kas", "2", "--port", "0"]);
  if (parsed.kind === "problems") throw new Error(parsed.problems.join());
  const directory = new SandboxDirectory(join(root, "dir"));
  const ports = new FreePorts();
  const addresses = await chooseAddresses(parsed.flags, ports);
  await ports.close();
  guard = new OrphanGuard(directory.file("run", "pids"), directory.file("sandbox.pid"));
  const secrets = { gitlab: "/g", api: "/a", privateApi: "/p", manifestReader: "/m" };
  const programs = createPrograms({
    flags: parsed.flags,
    directory,
    guard,
    addresses,
    tls: TLS,
    redis: undefined,
    secrets,
    agents: ["agentk", "agentk-platform"].map((processName) => ({ processName, token: processName, flags: ["--kubeconfig", "/k"] })),
    sessionSecretFile: "/s",
    say: () => {},
    onChange: () => {},
  });
  describe = (foreign) =>
    describeEndpoints({
      addresses,
      programs,
      directory,
      secrets,
      deploying: foreign ? [] : demoAgents(2),
      world: new World(createDemoSeed({ foreignCluster: foreign, colleagues: 0, agents: foreign ? 1 : 2 })),
      cluster: { kubeconfig: "/c", agentkFlags: [], pids: { etcd: 7 }, stop: async () => {} },
      redis: undefined,
      kubeconfigs: { maintainer: "/m", developer: "/d", outsider: "/o" },
      jobKubeconfig: "/j",
      tls: TLS,
    });
  endpoints = describe(false);
});

test("production, shop and site are deployed from repositories whose paths are named, and nothing is to a foreign cluster", () => {
  const of = (project: string, environment: string) => ({
    project,
    repository: join(endpoints.mainApplication.gitRoot, `${project}.git`),
    environment,
    directory: `manifests/${environment}`,
  });
  expect(endpoints.manifestProjects).toEqual([of("group/app", "production"), of("group/deploy", "shop"), of("group/deploy", "site")]);
  expect(describe(true).manifestProjects).toEqual([]);
  expect(FOREIGN_CONFIGURATION).not.toContain("gitops");
});

test("the file is whole at every moment, private, and gone after remove()", () => {
  const file = new EndpointsFile(join(root, "endpoints.json"));
  file.write(endpoints);
  file.write({ ...endpoints, redis: "redis://127.0.0.1:1" });
  expect(JSON.parse(readFileSync(file.path, "utf8"))).toEqual({ ...endpoints, redis: "redis://127.0.0.1:1" });
  expect(readdirSync(root).filter((name) => name.startsWith("endpoints"))).toEqual(["endpoints.json"]);
  expect(statSync(file.path).mode & 0o077).toBe(0);
  file.remove();
  expect(existsSync(file.path)).toBe(false);
});

test("environments, users, agents and kubeconfigs are as the contract says", () => {
  const environment = (name: string, agentId = "1", project = "group/app") => ({
    project,
    name,
    namespace: name,
    agentId,
    url: `${endpoints.dashboard}/p/${project}/environments/${name}`,
  });
  const [demo, acme] = [true, false].map((isDemo) =>
    endpoints.environments.filter(({ project }) => project.startsWith("group/") === isDemo),
  );
  expect(acme).toHaveLength(16);
  expect(demo).toEqual([
    environment("production"),
    environment("staging"),
    environment("preview"),
    environment("shop", "2"),
    environment("site", "2", "group/site"),
  ]);
  expect(endpoints.users.map((user) => user.username)).toEqual(["maintainer", "developer", "outsider"]);
  expect(endpoints.agents).toMatchObject([
    { id: "1", name: "demo", projectId: "1", configProject: "group/app" },
    { id: "2", name: "platform", projectId: "3", configProject: "group/deploy" },
    { id: "3", name: "runner", projectId: "13", configProject: "acme/platform/agents" },
  ]);
  expect(endpoints.kubeconfigs).toEqual({ cluster: "/c", viaKas: "/m", viaKasAs: { developer: "/d", outsider: "/o" }, ciJob: "/j" });
});

test("each kas has its own listeners, and every command can be started from anywhere", () => {
  expect(endpoints.kas).toHaveLength(2);
  expect(endpoints.kas[0]).toEqual({
    agent: expect.stringMatching(/^grpc:\/\/127\.0\.0\.1:\d+$/),
    api: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    k8sProxy: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/),
    k8sProxyInternal: endpoints.kas[0]?.k8sProxy,
    urlPathPrefix: "/k8s-proxy/",
    internal: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    observability: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  const loopback = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(endpoints.observability).toEqual({ agentk: loopback, web: loopback });
  const { kas, agentk, web } = endpoints.commands;
  for (const { argv, cwd } of [...kas, ...agentk, web]) {
    const [node, ...args] = argv;
    // Flags for Node stand before the program.
    const program = args.find((arg) => !arg.startsWith("--"));
    expect([node, program, cwd].map((path) => isAbsolute(path ?? ""))).toEqual([true, true, true]);
  }
  expect(kas.map((command) => command.env["OWN_PRIVATE_API_URL"])).toEqual(endpoints.kas.map((each) => `grpc://${each.internal}`));
});

test("each agentk has its own token and listener, and dials the last kas only", () => {
  const valueOf = (flag: string) => endpoints.commands.agentk.map(({ argv }) => argv[argv.indexOf(flag) + 1] ?? "");
  expect(valueOf("--kas-address")).toEqual([endpoints.kas[1]?.agent, endpoints.kas[1]?.agent]);
  expect(valueOf("--token-file").map((file) => readFileSync(file, "utf8").trim())).toEqual(["agentk", "agentk-platform"]);
  const [first, second] = valueOf("--observability-listen-address");
  expect(endpoints.observability.agentk).toBe(`http://${first}`);
  expect(second).not.toBe(first);
});

test("a second sandbox in the same directory is refused by name of the flag", () => {
  const taken = new SandboxDirectory(join(root, "twice"));
  const other = `${process.ppid}`;
  taken.write("sandbox.pid", other);
  expect(() => new SandboxDirectory(join(root, "twice"))).toThrow(
    `another sandbox (process ${other}) keeps its files there: stop it, or choose another directory with --dir`,
  );
});
