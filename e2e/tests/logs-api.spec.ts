// needs: control-plane
import { createHash } from "node:crypto";

import { lineText, logProfile } from "@binnacle/kubelet-stand-in";
import { LogSourceState, type LogPosition, type LogSource, type ReadLogsResponse } from "@binnacle/proto/dashboard-logs";
import { Backoff, sleep, systemClock } from "@binnacle/rpc";
import { Code, ConnectError } from "@connectrpc/connect";

import { logsOf, openSession } from "../support/dashboard-client.ts";
import { expect, test } from "../support/fixtures.ts";
import { kubectl } from "../support/kubectl.ts";
import { signalProcess } from "../support/process-control.ts";
import { Sandbox } from "../support/sandbox.ts";

const NAMESPACE = "staging";
const REF = { group: "apps", version: "v1", kind: "Deployment", resource: "deployments", namespace: NAMESPACE, name: "chatty" };
const NAMES = { projectPath: "group/app", environment: NAMESPACE };
const LAST_WORDS = "app: last words of this container";

const CHATTY = JSON.stringify({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "chatty", namespace: NAMESPACE },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "chatty" } },
    template: {
      metadata: { labels: { app: "chatty" }, annotations: { "bench.kas/log-rate": "100" } },
      spec: { containers: [{ name: "app", image: "busybox" }] },
    },
  },
});

// One of its own: kas is killed, and rights are taken.
let sandbox: Sandbox;
test.beforeAll(async ({ cluster }) => {
  test.setTimeout(240_000);
  sandbox = await Sandbox.start({ cluster, flags: ["--restart", "1"] });
  await kubectl(sandbox.endpoints.kubeconfigs.cluster, ["apply", "-f", "-"], CHATTY);
  await direct("rollout", "status", "deployment/chatty", "--timeout=60s");
});
test.afterAll(() => sandbox?.stop());

const direct = (...args: string[]) => kubectl(sandbox.endpoints.kubeconfigs.cluster, ["-n", NAMESPACE, ...args]);

/** What streams have brought; each continues behind the positions of the one before. */
class Seen {
  readonly sources = new Map<string, LogSource>();
  readonly texts = new Map<string, string[]>();
  readonly #positions = new Map<string, LogPosition>();
  readonly #keys = new Map<number, string>();
  gaps = 0;

  /** A stream begins: it has numbers of its own. @returns where it continues */
  begin(): LogPosition[] {
    this.#keys.clear();
    return [...this.#positions.values()];
  }

  add({ message }: ReadLogsResponse): void {
    if (message.case === "sources") for (const source of message.value.sources) this.#put(source);
    if (message.case === "gap") this.gaps += 1;
    if (message.case !== "lines") return;
    for (const { source, text } of message.value.lines) {
      const key = this.#keys.get(source) ?? "";
      this.texts.set(key, [...(this.texts.get(key) ?? []), text]);
    }
    for (const position of message.value.positions) this.#positions.set(`${position.pod} ${position.containerId}`, position);
  }

  #put(source: LogSource): void {
    const key = `${source.pod} ${source.containerId}`;
    const before = this.#keys.get(source.id);
    // It had no id of its container yet.
    if (before !== undefined && before !== key) this.sources.delete(before);
    this.#keys.set(source.id, key);
    this.sources.set(key, source);
  }

  /** Sources that are read now, with the number of their lines. */
  reading(): Map<string, number> {
    const open = [...this.sources].filter(([, { state }]) => state === LogSourceState.READING);
    return new Map(open.map(([key]) => [key, this.texts.get(key)?.length ?? 0]));
  }
}

/** Holds what was read of a container against what it wrote: the first lines, each once, and at its end the last words. */
function expectWhole(source: LogSource, texts: readonly string[]): void {
  // Simulated nodes give no ids of containers: it is that of the lines.
  const profile = logProfile({}, { seed: source.containerId, container: "app", startedMs: 0 });
  const hasEnded = texts.at(-1) === LAST_WORDS;
  const count = hasEnded ? texts.length - 1 : texts.length;
  const written = Array.from({ length: count }, (_, n) => lineText(profile, n));
  const sum = (lines: readonly string[]): string => createHash("sha256").update(lines.join("\n")).digest("hex");
  expect(sum(texts), `${source.pod}: ${count} lines`).toBe(sum(hasEnded ? [...written, LAST_WORDS] : written));
}

test("a maintainer follows a Deployment through a rollout and the SIGKILL of kas: every line once, and no gap", async () => {
  test.setTimeout(180_000);
  const logs = logsOf(await openSession(sandbox, "maintainer"));
  const seen = new Seen();
  const stop = new AbortController();
  let failure: unknown;
  let breaks = 0;
  const read = async (): Promise<void> => {
    const request = { ...NAMES, refs: [REF], follow: true, positions: seen.begin() };
    try {
      for await (const message of logs.readLogs(request, { signal: stop.signal })) seen.add(message);
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof ConnectError && error.code === Code.Unavailable)) failure = error;
      breaks += 1;
    }
  };
  // As a client retries while kas starts.
  const backoff = new Backoff({ initialMs: 100, maxMs: 1_000 });
  const reading = (async () => {
    while (!stop.signal.aborted) {
      await read();
      if (failure !== undefined) return;
      await sleep(systemClock, backoff.nextMs(), stop.signal);
    }
  })();
  const readingAtLeast = (sources: number, lines: number) =>
    expect
      .poll(() => failure ?? [...seen.reading().values()].filter((count) => count > lines).length, { timeout: 60_000 })
      .toBeGreaterThanOrEqual(sources);
  await readingAtLeast(3, 50);
  const first = new Set(seen.sources.keys());

  await direct("rollout", "restart", "deployment/chatty");
  await direct("rollout", "status", "deployment/chatty", "--timeout=60s");
  const leftBehind = (): number =>
    [...seen.sources].filter(([key, { hasLeft, state }]) => first.has(key) && hasLeft && state === LogSourceState.ENDED).length;
  await expect.poll(leftBehind, { timeout: 60_000 }).toBe(3);
  await readingAtLeast(3, 50);

  const before = seen.reading();
  signalProcess(sandbox.endpoints.pids.kas[0], "SIGKILL");
  const goneOn = (): number => [...seen.reading()].filter(([key, count]) => count > (before.get(key) ?? 0) + 500).length;
  await expect.poll(() => failure ?? goneOn(), { timeout: 90_000 }).toBe(3);
  stop.abort();
  await reading;
  expect(seen.gaps).toBe(0);
  expect(seen.sources.size).toBe(6);
  for (const [key, source] of seen.sources) expectWhole(source, seen.texts.get(key) ?? []);
  expect(breaks).toBeGreaterThan(0);
});

test("a developer without pods/log is given the Role, and reads after it was applied", async () => {
  test.setTimeout(120_000);
  const cluster = sandbox.endpoints.kubeconfigs.cluster;
  await kubectl(cluster, ["delete", "clusterrolebinding", "project-1-developer-view"]);
  await kubectl(cluster, ["create", "clusterrole", "without-logs", "--verb=get,list,watch", "--resource=pods,deployments.apps"]);
  await kubectl(cluster, ["create", "clusterrolebinding", "without-logs", "--clusterrole=without-logs", "--user=gitlab:user:developer"]);
  const logs = logsOf(await openSession(sandbox, "developer"));
  const read = async (): Promise<Seen> => {
    const seen = new Seen();
    for await (const message of logs.readLogs({ ...NAMES, refs: [REF], tailLines: 5 })) seen.add(message);
    return seen;
  };
  const refused = await read();
  const states = [...refused.sources.values()].map(({ state }) => state);
  expect(states).toEqual([LogSourceState.REFUSED, LogSourceState.REFUSED, LogSourceState.REFUSED]);
  expect(refused.texts.size).toBe(0);
  const [source] = refused.sources.values();
  expect(source?.words?.id).toBe("logs/refused");

  await kubectl(cluster, ["apply", "-f", "-"], source?.roleYaml);
  await direct("create", "rolebinding", "read-logs", "--role=binnacle-read-logs", "--user=gitlab:user:developer");
  await expect.poll(async () => [...(await read()).texts.values()].map((texts) => texts.length)).toEqual([5, 5, 5]);
});
