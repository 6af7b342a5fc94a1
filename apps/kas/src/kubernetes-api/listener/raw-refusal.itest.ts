import { once } from "node:events";
import { text } from "node:stream/consumers";

import type { Logger } from "@binnacle/telemetry";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

import { Refusals } from "../../http2-listener/refusals.ts";
import { PAT, PREFIX, ProxyUnderTest } from "./testing/proxy-under-test.ts";

let kas: ProxyUnderTest;
beforeEach(async () => {
  kas = await ProxyUnderTest.start();
});
afterEach(() => kas.stop());

/** Sends bytes on a bare connection. @returns everything that comes back, once kas has closed it */
function say(bytes: string): Promise<string> {
  const socket = kas.dial();
  socket.on("error", () => undefined);
  socket.write(bytes);
  return text(socket);
}

const HEAD = "GET /-/k8s/api HTTP/1.1\r\nhost: kas\r\n";

const REFUSED = [
  { title: "rubbish", bytes: "\u0000\u0001\u0002\r\n\r\n", code: 400, reason: "malformed" },
  { title: "a header without a name", bytes: `${HEAD}: x\r\n\r\n`, code: 400, reason: "malformed" },
  { title: "two lengths", bytes: `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\n`, code: 400, reason: "malformed" },
  {
    title: "a length and chunks",
    bytes: `${HEAD}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
    code: 400,
    reason: "malformed",
  },
  { title: "headers of 40 KiB", bytes: `${HEAD}x: ${"x".repeat(40 * 1024)}\r\n\r\n`, code: 431, reason: "headers_too_large" },
  { title: "CONNECT", bytes: "CONNECT kas:443 HTTP/1.1\r\nhost: kas\r\n\r\n", code: 405, reason: "unknown_method" },
] as const;

test.each(REFUSED)("XM13: $title is refused with a Status, and counted with its reason", async ({ bytes, code, reason }) => {
  const [head = "", body = ""] = (await say(bytes)).split("\r\n\r\n");
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${code} `));
  expect(JSON.parse(body)).toMatchObject({ kind: "Status", code });
  expect(kas.refused).toEqual([reason]);
  expect(kas.router.calls).toHaveLength(0);
});

test.each(REFUSED)("XM12: $title keeps no socket, though its client never closes its half", async ({ bytes }) => {
  const socket = kas.dial({ allowHalfOpen: true });
  socket.on("error", () => undefined).resume();
  socket.write(bytes);
  await once(socket, "end");
  // Answered by a reset once the other side is gone as a whole; one that only ended its half would take it for ever.
  while (!socket.destroyed) await new Promise((resolve) => socket.write("x", resolve));
  expect(socket.destroyed).toBe(true);
});

test("XM13: a client that leaves in the middle of its headers is no refusal, and one that asks well is none either", async () => {
  const leaving = kas.dial();
  await new Promise((resolve) => leaving.write(HEAD, resolve));
  leaving.resetAndDestroy();
  kas.router.onRequest = (call) => (call.respond(200), call.finish());
  expect((await kas.send(`${PREFIX}api`, { headers: PAT })).statusCode).toBe(200);
  expect(kas.refused).toEqual([]);
});

test("XM13, I8: a flood of rubbish is counted one by one, and is one line", async () => {
  const lines: object[] = [];
  const counted: string[] = [];
  // Nothing but `warn` is used.
  const log = { warn: (fields: object) => void lines.push(fields) } as unknown as Logger;
  const metrics = { refused: (listener: string, reason: string) => void counted.push(`${listener} ${reason}`) };
  const refusals = new Refusals({ listener: "k8s_proxy", clock: kas.clock, log, metrics });
  await kas.stop();
  kas = await ProxyUnderTest.start({}, refusals);
  await Promise.all(Array.from({ length: 100 }, () => say("rubbish\r\n\r\n")));
  expect(counted).toEqual(Array.from({ length: 100 }, () => "k8s_proxy malformed"));
  expect(lines).toEqual([{ listener: "k8s_proxy", peer: "127.0.0.1", reason: "malformed", message: expect.any(String), unlogged: 0 }]);
});

test("T12: a request that breaks in its body puts no second answer into one that has begun", async () => {
  const socket = kas.dial();
  socket.on("error", () => undefined);
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
  const lines = Object.entries(PAT).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${PREFIX}api HTTP/1.1\r\nhost: kas\r\n${lines.join("")}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n`);
  await until(() => kas.router.calls.length === 1);
  kas.call().respond(200, { "Content-Type": ["text/plain"] });
  kas.call().data("begun");
  await until(() => heard.includes("begun"));
  socket.write("this is no chunk\r\n\r\n");
  await new Promise((resolve) => socket.once("close", resolve));
  expect(heard.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(kas.refused).toEqual(["malformed"]);
});
