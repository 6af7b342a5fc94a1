import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createHttpsTransport, EnvironmentView, HttpKubeClient, type ViewMessage, type ViewSource } from "@binnacle/environment-view";
import { ViewReader } from "@binnacle/environment-view/view-reader";
import { startKubeSandbox, type KubeSandbox } from "@binnacle/kube-sandbox";
import {
  createKasSecrets,
  eventually,
  FaultProxy,
  HurriedClock,
  startAgentkProcess,
  startKasProcess,
  startMainApplicationStandIn,
  until,
  type FaultyRequest,
} from "@binnacle/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

const NEVER = new AbortController().signal;
const TOKEN = "pat:7:user-1";
const PATH = "/api/v1/namespaces/app/configmaps";
const KIND = "/configmaps/app";
/** A real watch of kubectl has no end of its own. */
const WATCH = `${PATH}?watch=true`;

const closers: (() => Promise<void> | void)[] = [];
let cluster: KubeSandbox;
let proxy: FaultProxy;
let admin: HttpKubeClient;
let kasUrl: string;

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "faulty-api-"));
  closers.push(() => rmSync(dir, { recursive: true, force: true }));
  cluster = await startKubeSandbox({ dir, nodes: 1 });
  closers.push(() => cluster.stop());
  const ca = readFileSync(cluster.caFile, "utf8");
  const direct = createHttpsTransport({ baseUrl: cluster.server, ca, token: cluster.adminToken });
  closers.push(() => direct.close());
  admin = new HttpKubeClient(direct);
  await admin.json({ path: "/api/v1/namespaces", body: { apiVersion: "v1", kind: "Namespace", metadata: { name: "app" } } }, NEVER);
  proxy = await FaultProxy.start({ target: cluster.server, ca, token: cluster.adminToken });
  closers.push(() => proxy.close());
  const [main, secrets] = [await startMainApplicationStandIn(), createKasSecrets()];
  closers.push(
    () => main.close(),
    () => rmSync(secrets.directory, { recursive: true }),
  );
  const kas = await startKasProcess({ mainApplication: main.address, secrets });
  closers.push(() => kas.stop());
  const agentk = await startAgentkProcess({ kasAddress: `grpc://${kas.addresses.agent}`, token: "glagent-7", server: proxy.url });
  closers.push(() => agentk.stop());
  kasUrl = `http://${kas.addresses.k8sProxy}`;
  await eventually(async () => (((await kas.metrics()).get("kas_tunnels_idle") ?? 0) > 0 ? undefined : "no tunnel is open"), 60_000);
}, 120_000);
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const ofKind = ({ path }: FaultyRequest): boolean => path === PATH;
const watchOfKind = (request: FaultyRequest): boolean => ofKind(request) && request.query.has("watch");

async function make(name: string): Promise<void> {
  await admin.json({ path: PATH, body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "app" } } }, NEVER);
}

/** A watch as kubectl makes it. */
function watch(): { text: string; end: "ended" | "broken" | undefined } {
  const seen: { text: string; end: "ended" | "broken" | undefined } = { text: "", end: undefined };
  const read = async (): Promise<void> => {
    const answer = await fetch(kasUrl + WATCH, { headers: { authorization: `Bearer ${TOKEN}` } });
    for await (const chunk of answer.body ?? []) seen.text += Buffer.from(chunk).toString();
  };
  void read().then(
    () => (seen.end = "ended"),
    () => (seen.end = "broken"),
  );
  return seen;
}

test.each(["answer", "fin", "rst"] as const)(
  "R2: when the API server or an intermediary ends kubectl's watch (%s), the client receives that through agentk and kas",
  async (how) => {
    await make(`before-${how}`);
    const seen = watch();
    await until(() => seen.text.includes(`before-${how}`));
    expect(seen.end).toBeUndefined();
    proxy.end(watchOfKind, how);
    await until(() => seen.end !== undefined);
    // An answer that was cut is not taken for a whole one.
    expect(seen.end === "ended").toBe(how === "answer");
  },
);

test("R2: a client that leaves a silent watch takes its connection to the API server with it", async () => {
  await make("silent");
  const left = new AbortController();
  const answer = await fetch(kasUrl + WATCH, { headers: { authorization: `Bearer ${TOKEN}` }, signal: left.signal });
  expect(answer.status).toBe(200);
  await until(() => proxy.watches(watchOfKind) === 1);
  proxy.freeze(watchOfKind);
  left.abort();
  await until(() => proxy.watches(watchOfKind) === 0);
});

test("a page through kas and agentk: one kind fails and says why, half-dead watches are opened anew, and the others are live all the time", async () => {
  const clock = new HurriedClock();
  const transport = createHttpsTransport({ baseUrl: kasUrl, token: TOKEN, clock });
  const client = new HttpKubeClient(transport, { clock });
  const view = new EnvironmentView({ client, scope: { namespaces: ["app"] }, clock });
  const stop = new AbortController();
  const ended = view.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    transport.close();
    await ended;
  });
  const page = new ViewReader();
  const subscription = view.open(() => {
    const message: ViewMessage | undefined = subscription.take();
    if (message) page.take(message);
  });
  const source = (): ViewSource | undefined => page.sources.get(KIND);
  const others = (): boolean =>
    [...page.sources.values()]
      .filter(({ id, stale }) => id !== KIND && stale?.cause !== "sampled")
      .every(({ stale }) => stale === undefined);
  const shows = (name: string): boolean => [...page.nodes.values()].some(({ ref }) => ref.name === name);
  await until(() => source()?.settled === "live" && page.complete);

  const message = "conversion webhook for widgets failed";
  const heal = proxy.add(ofKind, { kind: "answer", status: 500, body: { kind: "Status", status: "Failure", message, code: 500 } });
  proxy.end(watchOfKind, "rst");
  await until(() => JSON.stringify(source()?.stale?.words ?? "").includes(message));
  expect([source()?.settled, others()]).toEqual(["live", true]);
  heal();
  clock.skip(30_000);
  await until(() => source()?.stale === undefined);

  proxy.freeze(({ query }) => query.has("watch"));
  await make("while-frozen");
  clock.skip(95_000);
  await until(() => shows("while-frozen"));
  await until(() => source()?.stale === undefined && others());
});
