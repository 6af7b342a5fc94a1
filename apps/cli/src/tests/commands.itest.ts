import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { ConnectError } from "@connectrpc/connect";
import { HealthStatus, ConnectionState } from "@binnacle/proto/dashboard-enums";
import { LogSourceState, type ReadLogsRequest } from "@binnacle/proto/dashboard-logs";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";

import { CliProcess, temporaryHome, type CliProcessOptions } from "../testing/cli-process.ts";
import { DEGRADED, degradedBy, headerOf, HEALTHY, snapshotOf } from "../testing/made-environment.ts";
import { StandInDashboard } from "../testing/stand-in-dashboard.ts";

let dashboard: StandInDashboard;
let home: ReturnType<typeof temporaryHome>;
let running: CliProcess[] = [];
beforeEach(async () => {
  dashboard = await StandInDashboard.start();
  dashboard.opening = [headerOf(), snapshotOf(DEGRADED)];
  home = temporaryHome();
});
afterEach(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  running = [];
  await dashboard.close();
  home.remove();
});

function start(args: readonly string[], options: Partial<CliProcessOptions> = {}): CliProcess {
  const started = new CliProcess(args, { url: dashboard.url, home: home.path, ...options });
  running.push(started);
  return started;
}

async function runs(args: readonly string[], options: Partial<CliProcessOptions> = {}) {
  const started = start(args, options);
  return { code: await started.exited, output: started.output, notes: started.notes };
}

test("a wrong token is 3 with what to do, and stands nowhere in what is written", async () => {
  const { code, output, notes } = await runs(["status", "production"], { token: "glpat-wrong" });
  expect([code, output]).toEqual([3, ""]);
  expect(notes).toBe(
    `binnacle: ${dashboard.url} does not accept the token: it is wrong, expired or revoked.\nbinnacle login ${dashboard.url}\n`,
  );
});

test("a dashboard that is not there is 3", async () => {
  const { url } = dashboard;
  await dashboard.close();
  const gone = new CliProcess(["status", "production"], { url, home: home.path });
  const code = await gone.exited;
  const { notes } = gone;
  expect(code).toBe(3);
  expect(notes).toContain(`binnacle: ${url} cannot be reached: `);
  dashboard = await StandInDashboard.start();
});

test("status writes the headline and the titles without colours into a pipe, and sends no cookie", async () => {
  const { code, output, notes } = await runs(["status", "production"]);
  expect(code).toBe(1);
  expect(output).toBe("1 of 1 checked resources is degraded.\n1 issue: 1 resource\n  Deployment web: image cannot be pulled\n");
  expect(notes).toBe("");
  expect(dashboard.cookies).toEqual([]);
});

test("table, JSON and YAML of status say the same", async () => {
  const table = await runs(["status", "production"]);
  const json = JSON.parse((await runs(["status", "production", "-o", "json"])).output) as Record<string, unknown>;
  const yaml: unknown = parse((await runs(["status", "production", "--output=yaml"])).output);
  expect({ ...json, asOf: "" }).toEqual({ ...(yaml as object), asOf: "" });
  expect(table.output.startsWith(`${String(json["sentence"])}\n`)).toBe(true);
  expect(json).toMatchObject({
    format: "binnacle.status",
    status: "degraded",
    exitCode: 1,
    connection: "live",
    issues: [{ title: "Deployment web: image cannot be pulled", message: "registry.example/web:2 does not exist" }],
  });
});

test("why says all about an issue", async () => {
  const { code, output } = await runs(["why", "production"]);
  expect(code).toBe(1);
  expect(output).toContain("\nDeployment web: image cannot be pulled\n  registry.example/web:2 does not exist\n");
});

test("what a cluster says cannot move the cursor or colour the terminal", async () => {
  const evil = "\u001B[2Jgone\u0007";
  dashboard.opening = [headerOf(), snapshotOf(degradedBy(evil, evil))];
  const { output } = await runs(["why", "production"]);
  expect(output).toContain("⟨U+001B⟩[2Jgone⟨U+0007⟩");
  expect([...output.matchAll(/\p{Cc}/gu)].map(([sign]) => sign).filter((sign) => sign !== "\n")).toEqual([]);
});

test("environments lists rows with most harm first", async () => {
  const row = (name: string, status: HealthStatus) => ({
    environment: { projectPath: "group/app", name, agentId: 7n },
    health: { status, counts: [{ status, count: 2 }] },
    connection: { state: ConnectionState.CONNECTED },
    workloads: 2,
    workloadsReady: status === HealthStatus.HEALTHY ? 2 : 1,
    live: true,
  });
  dashboard.rows = [{ rows: [row("staging", HealthStatus.HEALTHY), row("production", HealthStatus.DEGRADED)], complete: true }];
  const { code, output } = await runs(["environments"]);
  expect(code).toBe(0);
  expect(output.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["NAME", "HEALTH", "WORKLOADS"],
    ["production", "Degraded", "1/2", "2 of 2 checked resources are degraded."],
    ["staging", "Healthy", "2/2", "All 2 checked resources are healthy."],
    ["2 environments. 1 needs attention."],
    [""],
  ]);
});

test.each([
  ["svg", /^<\?xml [^]*<text [^>]*>web<\/text>/],
  ["mermaid", /^flowchart LR\n {2}n0\["deploy web<br\/>Degraded/],
  ["dot", /^digraph environment \{\n[^]*n0 \[label="deploy web\\nDegraded/],
  ["json", /^\{\n {2}"format": "binnacle\.graph",/],
])("graph writes %s", async (format, shape) => {
  const { code, output } = await runs(["graph", "production", "-o", format]);
  expect(code).toBe(0);
  expect(output).toMatch(shape);
});

test("a file that cannot be written is a mistake of the call, not of the dashboard", async () => {
  const { code, notes } = await runs(["graph", "production", "-f", join(home.path, "none", "graph.mmd")]);
  expect(code).toBe(64);
  expect(notes).toContain("graph.mmd cannot be written: ENOENT");
});

test("a reader that closes the pipe ends a command that follows, without a failure", async () => {
  const eventsOf = (reason: string) => {
    const event = { type: "Normal", reason, message: "as it should be", count: 1, lastAt: timestampFromMs(0) };
    return [{ topic: 1, message: { case: "events" as const, value: { upserted: [{ id: reason, event }], state: { complete: true } } } }];
  };
  dashboard.events = eventsOf("Started");
  const events = start(["events", "production", "--follow"]);
  await until(() => events.output.includes("Started: as it should be"));
  events.child.stdout.destroy();
  dashboard.events = eventsOf("Pulled");
  dashboard.cut();
  expect(await events.exited).toBe(0);
  expect(events.notes).toBe("");
});

test("logs that are followed go on behind the last line after a break", async () => {
  const requests: ReadLogsRequest[] = [];
  const source = { id: 1, namespace: "prod", pod: "web-0", container: "app", containerId: "c1", state: LogSourceState.READING };
  dashboard.logs = (request) => {
    requests.push(request);
    const text = requests.length === 1 ? "one" : "two";
    const position = {
      namespace: "prod",
      pod: "web-0",
      container: "app",
      containerId: "c1",
      time: timestampFromMs(requests.length),
      linesAtTime: 1,
    };
    return [
      { message: { case: "sources", value: { sources: [source] } } },
      { message: { case: "lines", value: { lines: [{ source: 1, text, timeNanos: 0n }], positions: [position] } } },
      ...(requests.length === 1 ? [new ConnectError("cut")] : []),
    ];
  };
  const logs = start(["logs", "production", "deploy/web", "--follow"]);
  await until(() => logs.output === "one\ntwo\n");
  expect(requests[1]?.positions.map(({ pod, time }) => [pod, time?.nanos])).toEqual([["web-0", 1_000_000]]);
  expect(requests[0]?.refs.map(({ resource, name }) => `${resource}/${name}`)).toEqual(["deployments/web"]);
  logs.child.kill("SIGINT");
  expect(await logs.exited).toBe(130);
});

test("login reads the token from standard input, tries it, and stores it for its owner alone", async () => {
  const login = start(["login", dashboard.url, "--project", "group/app"], { url: undefined });
  login.child.stdin.end("glpat-ann\n");
  expect(await login.exited).toBe(0);
  expect(login.output).toBe(`Signed in to ${dashboard.url} as ann.\n`);
  const path = join(home.path, ".config", "binnacle", "config.yaml");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, "..")).mode & 0o777).toBe(0o700);
  expect(parse(readFileSync(path, "utf8"))).toEqual({ url: dashboard.url, token: "glpat-ann", project: "group/app" });
  dashboard.opening = [headerOf(), snapshotOf(HEALTHY)];
  expect((await runs(["status", "production"], { url: undefined })).code).toBe(0);
});

test("login stores no token that is not accepted", async () => {
  const login = start(["login", dashboard.url], { url: undefined });
  login.child.stdin.end("glpat-wrong\n");
  expect(await login.exited).toBe(3);
  expect((await runs(["status", "production"], { url: undefined })).code).toBe(64);
});

test("a configuration that others may read is not used", async () => {
  const login = start(["login", dashboard.url], { url: undefined });
  login.child.stdin.end("glpat-ann");
  await login.exited;
  const path = join(home.path, ".config", "binnacle", "config.yaml");
  chmodSync(path, 0o644);
  const { code, notes } = await runs(["status", "production"], { url: undefined });
  expect(code).toBe(64);
  expect(notes).toContain(`chmod 600 ${path}`);
  expect(notes).not.toContain("glpat-ann");
});

test("the kubeconfig holds no token: its plugin prints it, for the agent and the dashboard that it was made with", async () => {
  const { code, output } = await runs(["kubeconfig", "production", "--server", "https://kas.example.com/k8s-proxy/"]);
  expect(code).toBe(0);
  expect(output).not.toContain("glpat");
  const { users, clusters } = parse(output) as {
    users: { user: { exec: { args: string[] } } }[];
    clusters: { cluster: { server: string } }[];
  };
  expect(clusters[0]?.cluster.server).toBe("https://kas.example.com/k8s-proxy/");
  const plugin = await runs(users[0]?.user.exec.args ?? []);
  expect(JSON.parse(plugin.output)).toMatchObject({ kind: "ExecCredential", status: { token: "pat:7:glpat-ann" } });
  expect((await runs(["credential", "--agent", "7", "--url", "https://other.example.com"])).code).toBe(64);
});

test("agent check names what is in the way, and nothing behind it", async () => {
  dashboard.opening = [headerOf(), snapshotOf(HEALTHY, { connection: ConnectionState.AGENT_OFFLINE })];
  const { code, output } = await runs(["agent", "check", "production"]);
  expect(code).toBe(1);
  expect(output).toContain("✓ agent         prod\n✗ connection    Agent prod is offline");
  expect(output).toContain("– rights        not checked\n");
});
