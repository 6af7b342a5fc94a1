import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { LogSourceState, type LogLine, type LogSource, type Logs, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { linesOf } from "@binnacle/telemetry/audit";
import { eventually, HurriedClock } from "@binnacle/testing";
import { Code, ConnectError, type Client } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { ClusterBehindKas } from "../../testing/cluster-behind-kas.ts";
import { logsClient, NAMES } from "../../testing/dashboard-tab.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { DashboardWorld } from "../../testing/dashboard-world.ts";

const NAMESPACE = "prod";
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const DEPLOYMENTS = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`;

/** What came of a stream. */
class Seen {
  readonly sources = new Map<number, LogSource>();
  readonly lines: LogLine[] = [];

  add({ message }: ReadLogsResponse): void {
    if (message.case === "sources") for (const source of message.value.sources) this.sources.set(source.id, source);
    if (message.case === "lines") this.lines.push(...message.value.lines);
  }

  states(): LogSourceState[] {
    return [...this.sources.values()].map(({ state }) => state).toSorted((one, other) => one - other);
  }
}

describe("logs over the k8s-proxy", () => {
  const dir = mkdtempSync(join(tmpdir(), "logs-"));
  let cluster: ClusterBehindKas;
  let world: DashboardWorld;
  let clock: HurriedClock;

  beforeAll(async () => {
    cluster = await ClusterBehindKas.embedded(join(dir, "cluster"));
    await cluster.send("POST", "/api/v1/namespaces", { body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
    await deploy("web", 3, [{ name: "app", image: "example/web:1" }]);
    await deploy(
      "many",
      1,
      ["a", "b", "c", "d", "e"].map((name) => ({ name, image: "example/web:1" })),
    );
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(dir, { recursive: true, force: true });
  });
  beforeEach(async () => {
    world = await DashboardWorld.open(["maintainer"]);
    world.kas.cluster = cluster.forward;
    clock = new HurriedClock();
    world.start(clock);
    cluster.intercept = undefined;
    cluster.as = undefined;
  });
  afterEach(() => world.close());

  async function deploy(name: string, replicas: number, containers: readonly object[]): Promise<void> {
    const labels = { app: name };
    const metadata = { labels, annotations: { "bench.kas/log-rate": "50", "bench.kas/log-style": "json" } };
    const spec = { replicas, selector: { matchLabels: labels }, template: { metadata, spec: { containers } } };
    await cluster.send("POST", DEPLOYMENTS, { body: { apiVersion: "apps/v1", kind: "Deployment", metadata: { name }, spec } });
    await eventually(async () => {
      const { items } = await cluster.send("GET", `${PODS}?labelSelector=app%3D${name}`);
      return JSON.stringify(items).split('"phase":"Running"').length > replicas ? undefined : `not all pods of ${name} run`;
    }, 30_000);
  }

  const logs = (): Client<typeof Logs> => logsClient(world.bff, { origin: ORIGIN, cookie: "_gitlab_session=session-maintainer" });
  const refOf = (name: string) => ({
    group: "apps",
    version: "v1",
    kind: "Deployment",
    resource: "deployments",
    namespace: NAMESPACE,
    name,
  });

  async function read(
    request: Parameters<Client<typeof Logs>["readLogs"]>[0],
    isEnough: (seen: Seen) => boolean = () => false,
  ): Promise<Seen> {
    const seen = new Seen();
    for await (const message of logs().readLogs({ ...NAMES, ...request })) {
      seen.add(message);
      if (isEnough(seen)) break;
    }
    return seen;
  }

  test("of a Deployment are those of its pods, merged by time", async () => {
    const seen = await read({ refs: [refOf("web")] });
    expect(seen.states()).toEqual([LogSourceState.ENDED, LogSourceState.ENDED, LogSourceState.ENDED]);
    expect(new Set([...seen.sources.values()].map(({ pod }) => pod)).size).toBe(3);
    const times = seen.lines.map(({ timeNanos }) => timeNanos);
    expect(times).toEqual(times.toSorted((one, other) => Number(one - other)));
    for (const id of seen.sources.keys()) {
      const numbers = seen.lines.filter(({ source }) => source === id).map(({ text }) => Number(/"line":(\d+)/.exec(text)?.[1]));
      expect(numbers.length).toBeGreaterThan(3);
      expect(numbers).toEqual(numbers.map((_, n) => n));
    }
  });

  test("of the environment, searched, have what matches, and its level", async () => {
    const filter = { pattern: String.raw`"msg":"(ready|starting)"`, isRegularExpression: true };
    const seen = await read({ filter });
    expect(seen.lines).toHaveLength(2 * (3 + 5));
    expect(new Set(seen.lines.map(({ level }) => level)).size).toBe(1);
  });

  test("have two records in the audit: who, of what, and how it ended, without what was looked for or read", async () => {
    const seen = await read({ refs: [refOf("web")], filter: { pattern: "starting" } });
    expect(seen.lines).toHaveLength(3);
    const what = {
      principal: { username: "maintainer" },
      action: { verb: "get", subresource: "log", resource: "deployments", name: "web" },
    };
    expect(world.audit).toMatchObject([
      { ...what, event: "start", purpose: { action: "logs" } },
      {
        ...what,
        event: "end",
        outcome: "ended",
        requestId: world.audit[0]?.requestId,
        bytesOut: seen.lines.reduce((sum, { text }) => sum + text.length, 0),
      },
    ]);
    const text = linesOf(world.audit, { dropped: 0, isMarked: false });
    expect(text).not.toContain("starting");
  });

  test("are followed of four containers; others have the state and what reads more", async () => {
    const seen = await read({ refs: [refOf("many")], follow: true }, ({ lines }) => lines.length > 100);
    const over = [...seen.sources.values()].filter(({ state }) => state === LogSourceState.OVER_LIMIT);
    expect(over).toMatchObject([{ words: { id: "logs/over-limit-proxy" } }]);
    expect(new Set(seen.lines.map(({ source }) => source)).size).toBe(4);
  });

  test.each<readonly [string, Parameters<Client<typeof Logs>["readLogs"]>[0], Code, RegExp]>([
    ["an expression beyond RE2", { filter: { pattern: "(?=a)", isRegularExpression: true } }, Code.InvalidArgument, /\(\?=/],
    [
      "a kind without pods",
      { refs: [{ ...refOf("web"), group: "", resource: "configmaps", kind: "ConfigMap" }] },
      Code.InvalidArgument,
      /ConfigMap/,
    ],
    ["another namespace", { refs: [{ ...refOf("web"), namespace: "other" }] }, Code.NotFound, /namespace/],
    ["more resources than a hundred", { refs: Array.from({ length: 101 }, () => refOf("web")) }, Code.InvalidArgument, /100 resources/],
    ["more lines than a page retains", { tailLines: 100_001 }, Code.InvalidArgument, /last 100000 lines/],
    ["what is not there", { refs: [refOf("absent")] }, Code.NotFound, /absent/],
  ])("are rejected for %s", async (...[, request, code, message]) => {
    const error = await read(request).then(
      () => undefined,
      (thrown: unknown) => ConnectError.from(thrown),
    );
    expect(error?.code).toBe(code);
    expect(error?.message).toMatch(message);
  });

  test("end when the viewer may no longer use the agent", async () => {
    let isRevoked = false;
    const ended = read({ refs: [refOf("web")], follow: true }, ({ lines }) => {
      if (lines.length > 0 && !isRevoked) {
        isRevoked = true;
        world.kas.allowed.delete("maintainer");
        clock.skip(31_000);
      }
      return false;
    });
    await expect(ended).rejects.toMatchObject({ code: Code.PermissionDenied });
    expect(world.audit.at(-1)).toMatchObject({ event: "end", outcome: "failed" });
  });

  test("T57: stop within a minute after the right to them was withdrawn, and a new stream names the missing rule", async () => {
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}`;
    const apiVersion = "rbac.authorization.k8s.io/v1";
    const reading = (...resources: string[]) => ({ rules: [{ apiGroups: ["", "apps"], resources, verbs: ["get", "list", "watch"] }] });
    const role = { apiVersion, kind: "Role", metadata: { name: "reads" }, ...reading("pods", "pods/log", "deployments") };
    await cluster.send("POST", `${rbac}/roles`, { body: role });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reads" };
    const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }];
    await cluster.send("POST", `${rbac}/rolebindings`, {
      body: { apiVersion, kind: "RoleBinding", metadata: { name: "reads" }, roleRef, subjects },
    });
    cluster.as = "ann";
    let isReviewed = false;
    cluster.intercept = ({ url }) => {
      if (url?.endsWith("/selfsubjectrulesreviews") === true) isReviewed = true;
      return undefined;
    };
    const request = { refs: [refOf("web")], follow: true };
    let withdrawing: Promise<unknown> | undefined;
    const ended = read(request, ({ lines }) => {
      if (lines.length > 0 && isReviewed)
        withdrawing ??= cluster.merge(`${rbac}/roles/reads`, reading("pods", "deployments")).then(() => clock.skip(61_000));
      return false;
    });
    await expect(ended).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: expect.stringContaining("was withdrawn") });
    await withdrawing;
    const seen = await read(request, ({ sources }) => [...sources.values()].some(({ state }) => state === LogSourceState.REFUSED));
    expect(seen.lines).toEqual([]);
    expect([...seen.sources.values()].find(({ roleYaml }) => roleYaml !== "")?.roleYaml).toContain("pods/log");
  });

  test("of a CronJob are those of later Jobs, too, each line once", async () => {
    const jobs = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
    const annotations = { "bench.kas/log-rate": "50", "bench.kas/log-style": "json" };
    const template = { metadata: { annotations }, spec: { restartPolicy: "Never", containers: [{ name: "run", image: "example/run:1" }] } };
    const spec = { schedule: "0 3 * * *", jobTemplate: { spec: { template } } };
    const path = `/apis/batch/v1/namespaces/${NAMESPACE}/cronjobs`;
    const made = await cluster.send("POST", path, {
      body: { apiVersion: "batch/v1", kind: "CronJob", metadata: { name: "nightly" }, spec },
    });
    const { uid } = made["metadata"] as { readonly uid: string };
    const run = (name: string) => {
      const ownerReferences = [{ apiVersion: "batch/v1", kind: "CronJob", name: "nightly", uid, controller: true }];
      return cluster.send("POST", jobs, {
        body: { apiVersion: "batch/v1", kind: "Job", metadata: { name, ownerReferences }, spec: { template } },
      });
    };
    const ref = { group: "batch", version: "v1", kind: "CronJob", resource: "cronjobs", namespace: NAMESPACE, name: "nightly" };
    const podsOf = ({ lines, sources }: Seen) => new Set(lines.map(({ source }) => sources.get(source)?.pod.replace(/-[^-]*$/, "")));
    const begun = new Set<number>();
    const seen = await read({ refs: [ref], follow: true }, (now) => {
      const count = podsOf(now).size;
      // The first one is there only after the stream has begun, the second one while lines of the first one come.
      if (!begun.has(count) && count < 2) {
        begun.add(count);
        void run(`nightly-${count + 1}`);
      }
      clock.skip(6_000);
      return count === 2;
    });
    expect(podsOf(seen)).toEqual(new Set(["nightly-1", "nightly-2"]));
    for (const id of seen.sources.keys()) {
      const numbers = seen.lines.filter(({ source }) => source === id).map(({ text }) => Number(/"line":(\d+)/.exec(text)?.[1]));
      expect(numbers).toEqual(numbers.map((_, n) => n));
    }
  });
});
