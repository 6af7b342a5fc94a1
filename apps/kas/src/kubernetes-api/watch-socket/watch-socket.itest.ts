import { once } from "node:events";
import { createServer, type Server } from "node:http";

import { createStatus } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";

import { FakeUpstream } from "./fake-upstream.ts";
import { WatchSocket, type WatchSocketOptions } from "./watch-socket.ts";

const ORIGIN = "https://gitlab.example.com";
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Bench {
  readonly url: string;
  readonly watchSocket: WatchSocket<string>;
  readonly upstream: FakeUpstream;
}

async function bench(options: Partial<WatchSocketOptions<string>> = {}): Promise<Bench> {
  const upstream = new FakeUpstream();
  const watchSocket = new WatchSocket<string>({
    clock: systemClock,
    log: createLogger("test", "silent"),
    allowedOrigin: ORIGIN,
    upstream: (caller) => upstream.as(caller),
    ...options,
  });
  const server: Server = createServer();
  server.on("upgrade", (request, socket, head) => watchSocket.handleUpgrade(request, socket, head));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  stops.push(() => {
    watchSocket.close();
    server.close();
    server.closeAllConnections();
  });
  return { url: `ws://127.0.0.1:${port}/-/k8s-proxy/watch`, watchSocket, upstream };
}

interface Client {
  readonly socket: WebSocket;
  /** Messages that came and were not taken yet. */
  readonly messages: Record<string, unknown>[];
  send(message: unknown): void;
  next(): Promise<Record<string, unknown>>;
}

/** Settles with the status of the handshake: 101, or the refusal's. */
async function handshake(
  url: string,
  options: { readonly token?: string; readonly origin?: string; readonly protocol?: string },
): Promise<number> {
  const { token, origin = ORIGIN, protocol = "gitlab-agent-watch-api" } = options;
  const protocols = [protocol, ...(token === undefined ? [] : [`websocket-token.kas.gitlab.com.${token}`])];
  const socket = new WebSocket(url, protocols, { origin });
  stops.push(() => socket.terminate());
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.once("error", reject);
  });
}

async function connect({ url, watchSocket }: Bench, caller = "ada"): Promise<Client> {
  const token = watchSocket.issueToken(caller);
  const socket = new WebSocket(url, ["gitlab-agent-watch-api", `websocket-token.kas.gitlab.com.${token}`], { origin: ORIGIN });
  stops.push(() => socket.terminate());
  const messages: Record<string, unknown>[] = [];
  socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString())));
  await once(socket, "open");
  return {
    socket,
    messages,
    send: (message) => socket.send(JSON.stringify(message)),
    async next() {
      await until(() => messages.length > 0);
      return messages.shift() ?? {};
    },
  };
}

const PODS = { version: "v1", resource: "pods", namespace: "shop" };
const pod = (name: string) => ({ apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "shop", uid: name } });
const closed = (client: Client): Promise<[number, Buffer]> => once(client.socket, "close") as Promise<[number, Buffer]>;

test("the sub-protocol of GitLab's client is chosen, never the token", async () => {
  const client = await connect(await bench());
  expect(client.socket.protocol).toBe("gitlab-agent-watch-api");
});

test("T9: a token opens one socket", async () => {
  const { url, watchSocket } = await bench();
  const token = watchSocket.issueToken("ada");
  expect(await handshake(url, { token })).toBe(101);
  expect(await handshake(url, { token })).toBe(401);
});

test("a token is too old after a minute", async () => {
  const clock = new ManualClock();
  const { url, watchSocket } = await bench({ clock });
  const [young, old] = [watchSocket.issueToken("ada"), watchSocket.issueToken("ada")];
  clock.advance(59_999);
  expect(await handshake(url, { token: young })).toBe(101);
  clock.advance(1);
  expect(await handshake(url, { token: old })).toBe(401);
});

test("T9: a handshake without a token, with an unknown one, from elsewhere or of another protocol is refused", async () => {
  const { url, watchSocket } = await bench();
  expect(await handshake(url, {})).toBe(401);
  expect(await handshake(url, { token: "x".repeat(43) })).toBe(401);
  expect(await handshake(url, { token: watchSocket.issueToken("ada"), origin: "https://evil.example.com" })).toBe(403);
  expect(await handshake(url, { token: watchSocket.issueToken("ada"), protocol: "chat" })).toBe(400);
});

test("T9: a token of another caller is rejected", async () => {
  const { url, watchSocket } = await bench({ isSameCaller: (caller, { headers }) => headers.cookie === caller });
  expect(await handshake(url, { token: watchSocket.issueToken("ada") })).toBe(401);
});

test("events come with the id of their watch, requested as the caller of the token", async () => {
  const set = await bench();
  const client = await connect(set, "grace");
  client.send({
    type: "watch",
    watch_id: "w1",
    watch_params: { group: "apps", ...PODS, resource: "deployments", label_selector: "a=b", resource_version: "7" },
  });
  const watch = await set.upstream.next();
  expect(watch.caller).toBe("grace");
  expect(`${watch.request.path}?${watch.request.query}`).toBe(
    "/apis/apps/v1/namespaces/shop/deployments?watch=true&labelSelector=a%3Db&resourceVersion=7",
  );
  watch.send({ type: "ADDED", object: pod("a") });
  expect(await client.next()).toEqual({ watchId: "w1", type: "data", watchEvent: { type: "ADDED", object: pod("a") } });
});

test("initial events are requested as the API server requires", async () => {
  const set = await bench();
  const client = await connect(set);
  client.send({
    type: "watch",
    watch_id: "w1",
    watch_params: { ...PODS, send_initial_events: true },
  });
  const { request } = await set.upstream.next();
  expect(Object.fromEntries(request.query)).toEqual({
    watch: "true",
    sendInitialEvents: "true",
    resourceVersionMatch: "NotOlderThan",
    allowWatchBookmarks: "true",
  });
});

test.each([{ resource: "../secrets" }, { namespace: "a/b" }, { version: "v1/x?" }, { group: "a%2Fb" }])(
  "XM2, T25: a watch of a name that leads elsewhere is rejected without a request: %j",
  async (part) => {
    const set = await bench();
    const client = await connect(set);
    client.send({ type: "watch", watch_id: "w1", watch_params: { ...PODS, ...part } });
    client.send({ type: "watch", watch_id: "w2", watch_params: PODS });
    expect(await client.next()).toMatchObject({ watchId: "w1", error: { type: "WATCH_NOT_ESTABLISHED", object: { code: 400 } } });
    expect((await set.upstream.next()).request.path).toBe("/api/v1/namespaces/shop/pods");
  },
);

test("bookmarks are never passed on", async () => {
  const set = await bench();
  const client = await connect(set);
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  const watch = await set.upstream.next();
  watch.send({ type: "BOOKMARK", object: { apiVersion: "v1", kind: "Pod", metadata: { resourceVersion: "9" } } });
  watch.send({ type: "DELETED", object: pod("a") });
  expect(await client.next()).toMatchObject({ watchEvent: { type: "DELETED" } });
});

test("an ERROR event and the end of a watch are errors of that watch alone", async () => {
  const set = await bench();
  const client = await connect(set);
  for (const watch_id of ["w1", "w2"]) client.send({ type: "watch", watch_id, watch_params: PODS });
  const [first, second] = [await set.upstream.next(), await set.upstream.next()];
  first.send({ type: "ERROR", object: createStatus(410, "too old resource version") });
  expect(await client.next()).toMatchObject({
    watchId: "w1",
    type: "error",
    error: { type: "WATCH_FAILED", object: { code: 410, message: "too old resource version" } },
  });
  second.send({ type: "ADDED", object: pod("b") });
  expect(await client.next()).toMatchObject({ watchId: "w2", type: "data" });
  second.end();
  expect(await client.next()).toMatchObject({ watchId: "w2", type: "error", error: { type: "WATCH_FAILED" } });
});

test("a watch that the cluster refuses was not established, for the reason the cluster gives", async () => {
  const set = await bench();
  const client = await connect(set);
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  const refusal = Object.assign(new Error("refused"), { status: createStatus(403, "pods is forbidden") });
  (await set.upstream.next()).fail(refusal);
  expect(await client.next()).toMatchObject({
    error: { type: "WATCH_NOT_ESTABLISHED", message: "pods is forbidden", object: { code: 403 } },
  });
});

test("a failure without a status says nothing of its cause", async () => {
  const set = await bench();
  const client = await connect(set);
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  (await set.upstream.next()).fail(new Error("token=hunter2"));
  expect(JSON.stringify(await client.next())).not.toContain("hunter2");
});

test("an event beyond 4 MiB ends its watch", async () => {
  const set = await bench();
  const client = await connect(set);
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  const watch = await set.upstream.next();
  watch.send({ type: "ADDED", object: { ...pod("a"), data: "x".repeat(4 * 1024 * 1024) } });
  expect(await client.next()).toMatchObject({ watchId: "w1", type: "error", error: { type: "WATCH_FAILED" } });
  expect(watch.signal.aborted).toBe(true);
});

test("unwatch ends the watch without a word, and its id is free again", async () => {
  const set = await bench();
  const client = await connect(set);
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  const first = await set.upstream.next();
  client.send({ type: "unwatch", watch_id: "w1" });
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  const second = await set.upstream.next();
  expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
  first.send({ type: "ADDED", object: pod("late") });
  second.send({ type: "ADDED", object: pod("b") });
  expect(await client.next()).toMatchObject({ watchEvent: { object: { metadata: { name: "b" } } } });
});

test("a watch id is used once at a time, and a socket has at most 100 watches", async () => {
  const set = await bench();
  const client = await connect(set);
  for (let index = 0; index < 100; index += 1) client.send({ type: "watch", watch_id: `w${index}`, watch_params: PODS });
  client.send({ type: "watch", watch_id: "w0", watch_params: PODS });
  expect(await client.next()).toMatchObject({ watchId: "w0", error: { type: "WATCH_NOT_ESTABLISHED", object: { code: 409 } } });
  client.send({ type: "watch", watch_id: "w100", watch_params: PODS });
  expect(await client.next()).toMatchObject({ watchId: "w100", error: { type: "WATCH_NOT_ESTABLISHED", object: { code: 429 } } });
});

test("parameters that describe no watch are refused with their names", async () => {
  const client = await connect(await bench());
  client.send({ type: "watch", watch_id: "w1", watch_params: { resource: "pods", namespace: 5 } });
  const answer = await client.next();
  expect(answer).toMatchObject({ watchId: "w1", error: { type: "WATCH_NOT_ESTABLISHED", object: { code: 400 } } });
  expect(JSON.stringify(answer)).toMatch(/version.*namespace/);
});

test.each(["hello", '{"type":"dance","watch_id":"a"}', '{"type":"watch"}', "null"])("the message %s closes the socket", async (text) => {
  const client = await connect(await bench());
  client.socket.send(text);
  expect((await closed(client))[0]).toBe(1008);
});

test("a message that is too large closes the socket", async () => {
  const client = await connect(await bench());
  client.socket.send("x".repeat(64 * 1024 + 1));
  expect((await closed(client))[0]).toBe(1009);
});

test("watches end with their socket", async () => {
  const set = await bench();
  const client = await connect(set);
  client.send({ type: "watch", watch_id: "w1", watch_params: PODS });
  const { signal } = await set.upstream.next();
  expect(signal.aborted).toBe(false);
  client.socket.terminate();
  await until(() => signal.aborted);
});

test("a socket whose caller has lost its rights is closed, and the checks stop with it", async () => {
  let end = (): void => undefined;
  let stopped = false;
  const set = await bench({
    recheckAccess: (_, onEnd) => {
      end = onEnd;
      return () => (stopped = true);
    },
  });
  const client = await connect(set);
  end();
  expect((await closed(client))[0]).toBe(1008);
  await until(() => stopped);
});

test("a client that answers no ping is cut", async () => {
  const clock = new ManualClock();
  const client = await connect(await bench({ clock }));
  client.socket.pause();
  clock.advance(60_000);
  client.socket.resume();
  expect((await closed(client))[0]).toBe(1006);
  expect(clock.pending).toBe(0);
});

test("clients are notified to reconnect when kas shuts down", async () => {
  const set = await bench();
  const client = await connect(set);
  set.watchSocket.close();
  expect((await closed(client))[0]).toBe(1012);
});
