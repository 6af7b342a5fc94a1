// needs: control-plane
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { createHttpsTransport, readText, type HttpsTransport } from "@binnacle/environment-view";
import { fieldsAt, listAt, textAt } from "@binnacle/kube";
import { countAt, KubeletServer, lineText, logProfile, serveControlPlane, type LogProfile } from "@binnacle/kubelet-stand-in";
import { LogSourceState } from "@binnacle/proto/dashboard-logs";
import { eventually } from "@binnacle/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { LogsQuery } from "./logs-query.ts";
import { LogTally, QUERY, readerOf } from "./read-logs-harness.ts";
import { readLogs } from "./read-logs.ts";

const NAMESPACE = "logs";
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
const NEVER = new AbortController().signal;

describe("logs of a real control plane with the kubelet stand-in", () => {
  const dir = mkdtempSync(join(tmpdir(), "pod-logs-"));
  let kubelet: KubeletServer;
  let cluster: ControlPlane;
  let close: () => void;
  let admin: HttpsTransport;
  const read = (file: string): string => readFileSync(file, "utf8");

  beforeAll(async () => {
    kubelet = await KubeletServer.listen();
    cluster = await startControlPlane({ dir, nodes: 1, kubeletPort: kubelet.port });
    close = serveControlPlane(kubelet, cluster);
    admin = createHttpsTransport({
      baseUrl: cluster.server,
      ca: read(cluster.caFile),
      cert: read(cluster.certFile),
      key: read(cluster.keyFile),
    });
    await send("POST", "/api/v1/namespaces", { metadata: { name: NAMESPACE } });
  });
  afterAll(async () => {
    admin.close();
    close();
    await cluster.stop();
    await kubelet.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  async function send(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object): Promise<unknown> {
    const contentType = method === "PATCH" ? { contentType: "application/merge-patch+json" } : {};
    const content = body === undefined ? {} : { body: JSON.stringify(body), ...contentType };
    const response = await admin.request({ method, path, accept: "application/json", ...content }, NEVER);
    const text = await readText(response, { mostBytes: 1024 * 1024 });
    if (response.status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text) as unknown;
  }

  /** A running pod with one container `web`, and how its first run looks. */
  async function pod(name: string, annotations: Readonly<Record<string, string>>): Promise<LogProfile> {
    await send("POST", PODS, {
      metadata: { name, annotations, labels: { app: name } },
      spec: { containers: [{ name: "web", image: "busybox" }] },
    });
    let startedAt = "";
    let uid = "";
    await eventually(async () => {
      const object = await send("GET", `${PODS}/${name}`);
      uid = textAt(fieldsAt(object, "metadata"), "uid");
      startedAt = textAt(fieldsAt(fieldsAt(listAt(fieldsAt(object, "status"), "containerStatuses")[0], "state"), "running"), "startedAt");
      return startedAt === "" ? `pod ${name} does not run` : undefined;
    }, 30_000);
    return logProfile(annotations, { seed: `${uid}/web/0`, container: "web", startedMs: Date.parse(startedAt) });
  }

  function follow(query: Partial<LogsQuery>): { readonly tally: LogTally; readonly stop: () => Promise<void> } {
    const abort = new AbortController();
    const tally = new LogTally();
    const full = { ...QUERY, targets: [{ namespace: NAMESPACE }], follow: true, ...query };
    const reading = (async () => {
      for await (const message of readLogs(full, readerOf(admin), abort.signal)) tally.add(message);
    })();
    return {
      tally,
      stop: async () => {
        abort.abort();
        await reading;
      },
    };
  }

  const texts = (tally: LogTally): string[] => tally.lines.map(({ line }) => line.text);
  const firstLines = (profile: LogProfile, count: number): string[] => Array.from({ length: count }, (_, n) => lineText(profile, n));

  test("are followed through a restart: every line of both runs once, without a gap", async () => {
    const profile = await pod("restarts", { "bench.kas/log-rate": "200" });
    const { tally, stop } = follow({ targets: [{ namespace: NAMESPACE, pod: "restarts" }] });
    await tally.until(() => tally.lines.length > 100);
    const finishedMs = Math.ceil(Date.now() / 1000) * 1000;
    const startedAt = new Date(finishedMs).toISOString().replace(".000", "");
    const terminated = { exitCode: 1, startedAt: new Date(profile.startedMs).toISOString(), finishedAt: startedAt };
    await send("PATCH", `${PODS}/restarts/status`, {
      status: {
        containerStatuses: [
          {
            name: "web",
            image: "busybox",
            imageID: "",
            ready: true,
            started: true,
            restartCount: 1,
            state: { running: { startedAt } },
            lastState: { terminated },
          },
        ],
      },
    });
    const second = { ...profile, seed: profile.seed.replace(/0$/, "1"), startedMs: finishedMs };
    await tally.until(() => texts(tally).filter((text) => text === lineText(second, 100)).length > 0);
    await stop();
    const before = countAt(profile, finishedMs);
    const expected = [...firstLines(profile, before), "web: last words of this container"];
    expect(texts(tally).slice(0, expected.length)).toEqual(expected);
    const ofSecond = texts(tally).slice(expected.length);
    expect(ofSecond).toEqual(firstLines(second, ofSecond.length));
    expect(tally.gaps).toEqual([]);
    expect([...tally.sources.values()].map(({ restarts, state }) => [restarts, state])).toEqual([
      [0, LogSourceState.ENDED],
      [1, LogSourceState.READING],
    ]);
  });

  test("that were rotated while they were not read have a gap with both times, and go on behind it", async () => {
    const profile = await pod("rotates", { "bench.kas/log-rate": "100", "bench.kas/log-rotate-lines": "60" });
    const targets = [{ namespace: NAMESPACE, pod: "rotates" }];
    const first = follow({ targets });
    await first.tally.until(() => first.tally.lines.length >= 10);
    await first.stop();
    const [position] = first.tally.positions;
    const linesNow = async (): Promise<number> => {
      const path = `${PODS}/rotates/log?tailLines=1&timestamps=true`;
      const text = await readText(await admin.request({ method: "GET", path, accept: "*/*" }, NEVER), { mostBytes: 1024 });
      return Number(/line=(\d+)/.exec(text)?.[1] ?? 0);
    };
    const lastRead = Number(/line=(\d+)/.exec(texts(first.tally).at(-1) ?? "")?.[1]);
    await eventually(async () => ((await linesNow()) > lastRead + 130 ? undefined : "it has not been rotated twice"), 30_000);
    const second = follow({ targets, positions: first.tally.positions });
    await second.tally.until(() => second.tally.lines.length >= 10);
    await second.stop();
    const [line] = second.tally.lines;
    expect(second.tally.gaps).toEqual([{ after: expect.any(BigInt) as bigint, before: line?.line.timeNanos }]);
    expect(second.tally.gaps[0]?.after).toBe((position?.time?.seconds ?? 0n) * 1_000_000_000n + BigInt(position?.time?.nanos ?? 0));
    const from = Number(/line=(\d+)/.exec(line?.line.text ?? "")?.[1]);
    expect(from % 60).toBe(0);
    expect(texts(second.tally)).toEqual(texts(second.tally).map((_, n) => lineText(profile, from + n)));
  });

  test("cut a line of 10 MB, and go on", async () => {
    const profile = await pod("long", { "bench.kas/log-rate": "50", "bench.kas/log-long-line": "4" });
    const { tally, stop } = follow({ targets: [{ namespace: NAMESPACE, labelSelector: "app=long" }] });
    await tally.until(() => tally.lines.length >= 8);
    await stop();
    expect(tally.lines[4]?.line.text).toHaveLength(64 * 1024);
    expect(tally.lines[4]?.cutBytes).toBe(BigInt(10_000_000 - 64 * 1024));
    expect(texts(tally).slice(5, 8)).toEqual([5, 6, 7].map((n) => lineText(profile, n)));
    expect(tally.gaps).toEqual([]);
  });

  test("of several pods are merged by time, searched with context, and counted", async () => {
    await pod("one", { "bench.kas/log-rate": "20", "bench.kas/log-style": "json" });
    await pod("two", { "bench.kas/log-rate": "20", "bench.kas/log-style": "logfmt" });
    const targets = [
      { namespace: NAMESPACE, pod: "one" },
      { namespace: NAMESPACE, pod: "two" },
    ];
    const all = new LogTally();
    const reader = readerOf(admin);
    for await (const message of readLogs({ ...QUERY, targets }, reader, NEVER)) all.add(message);
    const times = all.lines.map(({ line }) => line.timeNanos);
    expect(times).toEqual(times.toSorted((a, b) => Number(a - b)));
    expect(all.states()).toEqual([LogSourceState.ENDED, LogSourceState.ENDED]);
    const found = new LogTally();
    const filter = { pattern: String.raw`hello from .* container`, isRegularExpression: true, contextLines: 1 };
    for await (const message of readLogs({ ...QUERY, targets, filter }, reader, NEVER)) found.add(message);
    expect(found.lines.filter(({ isContext }) => !isContext)).toHaveLength(2);
    expect(found.lines.filter(({ isContext }) => isContext)).toHaveLength(4);
    const counts = found.messages.flatMap(({ message }) => (message.case === "progress" ? message.value.progresses : []));
    expect(counts.filter(({ reachedEnd, matches }) => reachedEnd && matches === 1n).length).toBeGreaterThanOrEqual(2);
  });

  test("that the viewer may not read name the rule, with a Role that gives it", async () => {
    await pod("secret", {});
    await send("POST", `/api/v1/namespaces/${NAMESPACE}/serviceaccounts`, { metadata: { name: "viewer" } });
    const issued = await send("POST", `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/viewer/token`, { spec: {} });
    const viewer = createHttpsTransport({
      baseUrl: cluster.server,
      ca: read(cluster.caFile),
      token: textAt(fieldsAt(issued, "status"), "token"),
    });
    const query = { ...QUERY, targets: [{ namespace: NAMESPACE, pod: "secret" }] };
    const nothing = new LogTally();
    for await (const message of readLogs(query, readerOf(viewer), NEVER)) nothing.add(message);
    expect([...nothing.sources.values()]).toMatchObject([
      { pod: "secret", container: "", state: LogSourceState.REFUSED, words: { id: "logs/pods-refused" } },
    ]);
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${NAMESPACE}`;
    await send("POST", `${rbac}/roles`, {
      metadata: { name: "pods" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] }],
    });
    await send("POST", `${rbac}/rolebindings`, {
      metadata: { name: "pods" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "pods" },
      subjects: [{ kind: "ServiceAccount", name: "viewer", namespace: NAMESPACE }],
    });
    let refused = new LogTally();
    await eventually(async () => {
      refused = new LogTally();
      for await (const message of readLogs(query, readerOf(viewer), NEVER)) refused.add(message);
      return [...refused.sources.values()].some(({ container }) => container === "web") ? undefined : "the pods cannot be listed";
    }, 30_000);
    viewer.close();
    const [source] = [...refused.sources.values()];
    expect(source).toMatchObject({ pod: "secret", container: "web", state: LogSourceState.REFUSED, words: { id: "logs/refused" } });
    expect(source?.roleYaml).toContain("pods/log");
    expect(refused.lines).toEqual([]);
  });
});
