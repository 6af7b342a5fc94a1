import { once } from "node:events";
import { connect } from "node:http2";

import { AgentConfiguration } from "@binnacle/proto/agent-configuration";
import { KasApi, KasInternal } from "@binnacle/proto/kas";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";
import { ProcessErrors } from "../testing/process-errors.ts";
import { dialTcp, RawHttp2 } from "../testing/raw-http2.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";

/** `npm run fuzz` draws others, and five times as many. */
const SEED = Number(process.env["PROPERTY_SEED"] ?? 1);
const CASES = Number(process.env["FUZZ_CASES"] ?? 2_000);
const PER_CONNECTION = 20;

let kas: WholeKas;
let errors: ProcessErrors;
let jwt: string;
beforeAll(async () => {
  errors = new ProcessErrors();
  kas = await startWholeKas();
  jwt = await kas.jwt();
});
afterAll(async () => {
  await kas.stop();
  errors.stop();
});

/** What `new URL` refuses and nghttp2 takes, what both refuse, and what neither minds. */
const AUTHORITIES = [
  "x:99999",
  "[",
  "]",
  "ws:%2F%2F127.0.0.1",
  "ws:%2F%2F127.0.0.1:18250%2Fsome%2Fpath",
  "ws://127.0.0.1:18200/some/path",
  "user@host",
  "%",
  "a b",
  "",
  "127.0.0.1:1",
  "xn--",
  "\u00ff",
];
const PATHS = [AgentConfiguration, KasApi, KasInternal].flatMap(({ typeName, methods }) =>
  methods.map(({ name }) => `/${typeName}/${name}`),
);
const anything = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)), maxLength: 300 });
const fields = fc
  .record({
    authority: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...AUTHORITIES) }, fc.stringMatching(/^[!-~]{0,30}$/), anything),
    path: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...PATHS, CONNECT_PATH) },
      fc.constantFrom("*", "//[", "", "http://["),
      anything,
    ),
    method: fc.oneof({ weight: 8, arbitrary: fc.constant("POST") }, fc.constantFrom("GET", "CONNECT", "OPTIONS", "PRI", ""), anything),
    scheme: fc.oneof({ weight: 4, arbitrary: fc.constantFrom("http", "https") }, fc.constantFrom("", "ws", ":"), anything),
    type: fc.oneof(
      { weight: 4, arbitrary: fc.constant("application/grpc") },
      fc.constantFrom("application/json", "application/grpc-web"),
      anything,
    ),
    token: fc.constantFrom("good", "bad", "none"),
    extra: fc.array(fc.tuple(fc.constantFrom(":authority", ":path", ":status", "host", "te", "content-length", "connection"), anything), {
      maxLength: 2,
    }),
    left: fc.subarray(["authority", "path", "method", "scheme"], { minLength: 2 }),
  })
  .map(({ authority, path, method, scheme, type, token, extra, left }) => ({
    token,
    fields: [
      ...Object.entries({ authority, path, method, scheme })
        .filter(([name]) => left.length === 2 || left.includes(name))
        .map(([name, value]) => [`:${name}`, value] as const),
      ["content-type", type] as const,
      ...extra,
    ],
  }));

/** Asks all of it, a few requests a connection. */
async function ask(open: () => RawHttp2 | Promise<RawHttp2>, credential: string): Promise<number> {
  const samples = fc.sample(fields, { numRuns: CASES, seed: SEED });
  let sent = 0;
  while (sent < samples.length) {
    const client = await open();
    for (const sample of samples.slice(sent, sent + PER_CONNECTION)) {
      const authorization = { good: credential, bad: "Bearer unknown", none: undefined }[sample.token];
      client.request([...sample.fields, ...(authorization === undefined ? [] : [["authorization", authorization] as const])]);
    }
    await client.settled();
    client.end();
    sent += PER_CONNECTION;
  }
  return sent;
}

/** Whether a listener still answers an ordinary request. */
async function answers(address: string): Promise<boolean> {
  const session = connect(`http://${address}`);
  session.on("error", () => undefined);
  const stream = session.request({ ":method": "POST", ":path": "/a/B", "content-type": "application/grpc" });
  const [headers] = await once(stream, "response");
  session.destroy();
  return headers["grpc-status"] === "16";
}

const WAYS = [
  {
    way: "the agent listener",
    address: () => kas.bound.agent,
    open: (address: string) => RawHttp2.overTcp(address),
    credential: () => "Bearer agent-1",
  },
  {
    way: "a WebSocket of the agent listener",
    address: () => kas.bound.agent,
    open: (address: string) => RawHttp2.overWebSocket(address),
    credential: () => "Bearer agent-1",
  },
  {
    way: "the API listener",
    address: () => kas.bound.api ?? "",
    open: (address: string) => RawHttp2.overTcp(address),
    credential: () => jwt,
  },
  {
    way: "the internal listener",
    address: () => kas.bound.privateApi ?? "",
    open: (address: string) => RawHttp2.overTcp(address),
    credential: () => jwt,
  },
];

test.each(WAYS)("I1, T12: no set of pseudo headers on $way ends kas", async ({ address, open, credential }) => {
  expect(await ask(() => open(address()), credential())).toBeGreaterThanOrEqual(CASES);
  expect(await answers(address())).toBe(true);
  expect(errors.seen).toEqual([]);
});

test.each(AUTHORITIES.slice(0, 5))("I1: an agent with a good token is served under the authority %j", async (authority) => {
  const session = connect(`http://${kas.bound.agent}`);
  session.on("error", () => undefined);
  const path = "/gitlab.agent.agent_registrar.rpc.AgentRegistrar/Register";
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    ":authority": authority,
    "content-type": "application/grpc",
    authorization: "Bearer agent-1",
  });
  stream.end(Buffer.alloc(5));
  stream.resume();
  const [trailers] = await once(stream, "trailers");
  expect(trailers).toMatchObject({ "grpc-status": "0" });
  session.destroy();
});

const targets = fc.record({
  method: fc.constantFrom("GET", "POST", "CONNECT", "OPTIONS", "X"),
  target: fc.oneof(
    fc.constantFrom("*", "/", "//[", "http://[/", "http://x:99999/", "/%", "/api/v1/../..", "\\"),
    fc.stringMatching(/^[!-~]{1,60}$/),
  ),
  host: fc.oneof(fc.constantFrom(...AUTHORITIES.slice(0, -1)), fc.stringMatching(/^[!-~]{0,30}$/)),
});

test("I1, T12: no request target and no Host ends the k8s-proxy", async () => {
  const address = kas.bound.k8sProxy ?? "";
  const samples = fc.sample(targets, { numRuns: CASES, seed: SEED });
  for (const { method, target, host } of samples) {
    const socket = dialTcp(address);
    socket.on("error", () => undefined).resume();
    socket.end(`${method} ${target} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    await new Promise((resolve) => socket.once("close", resolve));
  }
  const alive = await fetch(`http://${address}/api`);
  expect(alive.status).toBe(401);
  expect(errors.seen).toEqual([]);
});
