import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import { systemClock, type Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { Registry } from "prom-client";
import { afterEach, beforeEach, expect, test } from "vitest";

import { notificationOf, type Notification } from "./notification.ts";
import { createOutletMetrics } from "./outlet-metrics.ts";
import { Outlet } from "./outlet.ts";
import { openWebhook, type Webhook } from "./webhook.ts";

const SECRET = Buffer.alloc(32, 7);
const OLD_SECRET = Buffer.alloc(32, 8);
const never = new AbortController().signal;
/** A minute is a tenth of a second. */
const quick: Clock = { now: () => Date.now(), after: (ms, action) => systemClock.after(ms / 600, action) };

interface Post {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let server: Server;
let posts: Post[];
let answer: (response: ServerResponse, post: Post) => void;
let url: URL;
let hook: Webhook;
let stop: AbortController;
let running: Promise<void>;
let registry: Registry;

beforeEach(async () => {
  posts = [];
  answer = (response) => response.writeHead(204).end();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const post = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      posts.push(post);
      answer(response, post);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  url = new URL(`http://localhost:${(server.address() as AddressInfo).port}/hook`);
  hook = open();
  [stop, registry] = [new AbortController(), new Registry()];
  running = Promise.resolve();
});
afterEach(async () => {
  stop.abort();
  await running;
  await hook.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function open(changes: Partial<Parameters<typeof openWebhook>[0]> = {}): Webhook {
  return openWebhook({ url, secrets: [SECRET, OLD_SECRET], allowPrivate: true, clock: systemClock, ...changes });
}

function outlet(of: Webhook, maxAttempts = 20): Outlet {
  const made = new Outlet({
    name: "ops",
    deliver: (notification, signal) => of.deliver(notification, signal),
    maxQueued: 3,
    maxAttempts,
    backoff: { initialMs: 1_000, maxMs: 5_000 },
    clock: quick,
    log: createLogger("test", "silent"),
    metrics: createOutletMetrics(registry),
  });
  running = made.run(stop.signal);
  return made;
}

const notification = (id: number): Notification =>
  notificationOf({ type: "agent_connected", agent_id: id, project_id: 3 }, 0, [String(id)]);
const ids = (): unknown[] => posts.map(({ body }) => (JSON.parse(body) as Notification).agent_id);
const counted = async (outcome: string): Promise<number | undefined> =>
  (await registry.getSingleMetric("kas_notifications_total")?.get())?.values.find(({ labels }) => labels["outcome"] === outcome)?.value;

test("a receiver is posted what happened, with a signature for each secret that only kas can have made", async () => {
  expect(await hook.deliver(notification(7), never)).toEqual({ kind: "delivered" });
  const [post] = posts as [Post];
  expect(JSON.parse(post.body)).toEqual(notification(7));
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature, "content-type": type } = post.headers;
  expect([id, type]).toEqual([notification(7).id, "application/json"]);
  const by = (secret: Buffer): string =>
    createHmac("sha256", secret)
      .update(`${String(id)}.${String(timestamp)}.${post.body}`)
      .digest("base64");
  expect(signature).toBe(`v1,${by(SECRET)} v1,${by(OLD_SECRET)}`);
});

test("a notification to a receiver that fails in the middle is sent again with the same id", async () => {
  answer = (response) => (posts.length < 3 ? response.destroy() : response.writeHead(200).end());
  outlet(hook).tell(notification(7));
  await until(() => posts.length === 3);
  expect(new Set(posts.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([notification(7).id]));
  answer = (response) => response.writeHead(200).end();
});

test("a receiver that fails keeps what waits, of more than it may the newest, and each is given up some day", async () => {
  answer = (response) => response.writeHead(500).end();
  const out = outlet(hook, 2);
  for (let id = 1; id <= 5; id += 1) out.tell(notification(id));
  await until(() => ids().filter((id) => id === 5).length === 2);
  expect(ids()).not.toContain(2);
  await until(() => posts.length >= 6);
  expect(await counted("dropped")).toBeGreaterThanOrEqual(2);
});

test("a notification that is sent twice is posted once", async () => {
  const out = outlet(hook);
  for (const id of [1, 1, 2]) out.tell(notification(id));
  await until(() => posts.length === 2);
  expect(ids()).toEqual([1, 2]);
});

test("a receiver that answers 410 gets nothing more", async () => {
  answer = (response) => response.writeHead(410).end();
  const out = outlet(hook);
  out.tell(notification(1));
  await until(() => posts.length === 1);
  out.tell(notification(2));
  answer = (response) => response.writeHead(204).end();
  expect(await hook.deliver(notification(3), never)).toEqual({ kind: "delivered" });
  expect(ids()).toEqual([1, 3]);
});

test("a receiver's Retry-After is used, and its body is not read", async () => {
  answer = (response) => response.writeHead(429, { "retry-after": "7" }).end(Buffer.alloc(1024 * 1024));
  expect(await hook.deliver(notification(1), never)).toEqual({ kind: "failed", why: "the receiver answered 429", retryAfterMs: 7_000 });
});

test("T38: a redirect is not followed, wherever it leads", async () => {
  answer = (response) => response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
  expect(await hook.deliver(notification(1), never)).toMatchObject({ kind: "refused", why: expect.stringContaining("redirects") });
  expect(posts).toHaveLength(1);
});

test("T38: without leave for private networks no name that leads to one, and no address of one, is connected to", async () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]", "169.254.169.254", "10.0.0.1", "[::ffff:127.0.0.1]"]) {
    const strict = open({ url: new URL(`http://${host}:${url.port}/hook`), allowPrivate: false });
    expect(await strict.deliver(notification(1), never)).toMatchObject({
      kind: expect.stringMatching(/refused|failed/),
      why: expect.stringContaining("address"),
    });
    await strict.close();
  }
  // Metadata addresses are rejected, even where private networks are allowed.
  const cloud = open({ url: new URL("http://169.254.169.254/hook") });
  expect(await cloud.deliver(notification(1), never)).toMatchObject({ kind: "refused" });
  await cloud.close();
  expect(posts).toEqual([]);
});

test("shutdown does not wait for a receiver that stalls", async () => {
  answer = () => undefined;
  const out = outlet(hook);
  out.tell(notification(1));
  await until(() => posts.length === 1);
  await out.drain(never);
  stop.abort();
  await running;
  expect(await counted("delivered")).toBeUndefined();
});

test("a receiver gets only the types that it is configured for", () => {
  const some = open({ events: ["sync_finished"] });
  expect([some.wants(notification(1)), hook.wants(notification(1))]).toEqual([false, true]);
});
