import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect as connectHttp2, createServer as createHttp2Server, type ClientHttp2Session } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import type { Readable } from "node:stream";
import { constants, createGunzip, deflateRaw, gunzipSync } from "node:zlib";

import type { ViewSnapshot } from "@binnacle/environment-view";
import {
  Dashboard,
  EnvironmentHealthSchema,
  NodeSchema,
  Presence,
  SnapshotSchema,
  WatchEnvironmentResponseSchema,
  type Node,
  type Snapshot,
} from "@binnacle/proto/dashboard";
import { until } from "@binnacle/testing";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createClient, type ConnectRouter } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { createConnectHandler } from "./connect-handler.ts";
import { NOTE_BLOCK } from "./outgoing-blocks.ts";
import { putContent } from "./shared-block.ts";

vi.mock(import("node:zlib"), async (original) => {
  const zlib = await original();
  // Its overloads are those of the real one.
  return { ...zlib, deflateRaw: vi.fn<typeof zlib.deflateRaw>(zlib.deflateRaw) as unknown as typeof zlib.deflateRaw };
});

const NODES = 3_000;
const PATH = "/api/rpc/dashboard.v1.Dashboard/WatchEnvironment";
const HEADERS = { "content-type": "application/connect+proto", "connect-protocol-version": "1", "accept-encoding": "gzip" };
/** An empty request in an envelope of Connect. */
const EMPTY = Buffer.alloc(5);

let server: Server;
let plain: ReturnType<typeof createServer>;
let port: number;
let snapshot: ViewSnapshot;
let open: number;
let failures: unknown[];
/** What comes behind the snapshot; none: the stream ends. */
let more: number;
let sessions: ClientHttp2Session[];

function node(index: number): Node {
  const name = `pod-${(index * 7_919).toString(36)}`;
  const ref = { version: "v1", kind: "Pod", resource: "pods", namespace: "app", name };
  return create(NodeSchema, { id: index + 1, ref, presence: Presence.PRESENT, revision: index, ready: -1, wanted: -1 });
}

function newSnapshot(): ViewSnapshot {
  const health = create(EnvironmentHealthSchema);
  const connection = { state: "connected", sinceMs: 1 } as const;
  const nodes = Array.from({ length: NODES }, (_, index) => node(index));
  const content = { bytes: toBinary(SnapshotSchema, create(SnapshotSchema, { nodes })) };
  return { kind: "snapshot", version: 1, nodes, edges: [], content, health, sources: [], connection, complete: true, isEmpty: false };
}

/** Begins as a stream of the product does, sends the snapshot, and then small messages. */
const routes = (router: ConnectRouter): void =>
  void router.service(Dashboard, {
    async *watchEnvironment(_request, call) {
      open += 1;
      try {
        yield create(WatchEnvironmentResponseSchema, { message: { case: "heartbeat", value: {} } });
        const value = putContent(create(SnapshotSchema, { complete: true }), snapshot, call.values.get(NOTE_BLOCK));
        yield create(WatchEnvironmentResponseSchema, { message: { case: "snapshot", value } });
        for (let index = 0; index < more; index += 1)
          yield create(WatchEnvironmentResponseSchema, {
            message: { case: "delta", value: { removedSources: [String(index).repeat(5_000)] } },
          });
      } finally {
        open -= 1;
      }
    },
  });

beforeEach(async () => {
  [snapshot, open, failures, more, sessions] = [newSnapshot(), 0, [], 3, []];
  vi.mocked(deflateRaw).mockClear();
  const handle = createConnectHandler({ routes, prefix: "/api/rpc", authority: "app.localhost:3000" });
  const answer = (request: IncomingMessage, response: ServerResponse): void =>
    void handle(request, response).catch((error: unknown) => {
      failures.push(error);
      response.end();
    });
  plain = createServer(answer);
  // The product's server for HTTP/2 makes its requests and responses look like those of HTTP/1.1; a handler needs no more of them.
  server = createHttp2Server((request, response) => answer(request as unknown as IncomingMessage, response as unknown as ServerResponse));
  for (const each of [plain, server]) await new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve));
  port = portOf(plain);
});

afterEach(async () => {
  for (const session of sessions) session.destroy();
  plain.closeAllConnections();
  for (const each of [plain, server]) await new Promise((resolve) => each.close(resolve));
});

/** A TCP server that listens has an AddressInfo. */
function portOf(listening: Server): number {
  return (listening.address() as AddressInfo).port;
}

/** The bytes of an answer, as they come. */
type Call = (encoding?: string) => Promise<Readable>;

const overHttp1: Call = async (encoding = "gzip") => {
  const headers = { ...HEADERS, "accept-encoding": encoding };
  const request = httpRequest({ port, host: "127.0.0.1", path: PATH, method: "POST", headers, agent: false });
  request.on("error", () => undefined).end(EMPTY);
  // Node gives the answer as the event's only argument.
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer.on("error", () => undefined);
};

const overHttp2: Call = async (encoding = "gzip") => {
  const session = connectHttp2(`http://127.0.0.1:${portOf(server)}`).on("error", () => undefined);
  sessions.push(session);
  const stream = session.request({ ":method": "POST", ":path": PATH, ...HEADERS, "accept-encoding": encoding });
  stream.on("error", () => undefined).end(EMPTY);
  await once(stream, "response");
  return stream;
};

async function bytesOf(answer: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // A stream without an encoding gives buffers.
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The snapshot among the messages of a whole stream. */
function snapshotIn(stream: Buffer): Snapshot | undefined {
  let rest = stream;
  for (; rest.length > 0; rest = rest.subarray(5 + rest.readUInt32BE(1))) {
    if (rest[0] !== 0) return undefined;
    const { message } = fromBinary(WatchEnvironmentResponseSchema, rest.subarray(5, 5 + rest.readUInt32BE(1)));
    if (message.case === "snapshot") return message.value;
  }
  return undefined;
}

const WHOLE = Array.from({ length: NODES }, (_, index) => node(index).ref?.name);
const namesOf = (found: Snapshot | undefined): (string | undefined)[] | undefined => found?.nodes.map(({ ref }) => ref?.name);

describe.each([
  ["HTTP/1.1", overHttp1],
  ["HTTP/2", overHttp2],
])("a snapshot over %s", (_protocol, call) => {
  test("W15: is what another program reads of the gzip, to the last byte", async () => {
    const bytes = await bytesOf(await call());
    const read = execFileSync("gzip", ["-dc"], { input: bytes, maxBuffer: 2 ** 26 });
    expect(namesOf(snapshotIn(read))).toEqual(WHOLE);
    expect(bytes.length).toBeLessThan(read.length / 5);
  });

  test("W15: is the same for whom does not take gzip, and nothing is compressed for him", async () => {
    expect(namesOf(snapshotIn(await bytesOf(await call("identity"))))).toEqual(WHOLE);
    expect(deflateRaw).not.toHaveBeenCalled();
  });

  test("W15: is compressed once for two hundred who come at the same time, and each has all of it", async () => {
    const streams = await Promise.all(Array.from({ length: 200 }, async () => bytesOf(await call())));
    const [first = Buffer.alloc(0), ...others] = streams.map((stream) => gunzipSync(stream));
    expect(namesOf(snapshotIn(first))).toEqual(WHOLE);
    expect(others.every((other) => other.equals(first))).toBe(true);
    expect(deflateRaw).toHaveBeenCalledTimes(1);
  });

  test("W15: goes on for others when a reader leaves in the middle of it and another stalls", async () => {
    more = 1_000_000;
    const [leaving, stalled, reading] = [await call(), await call(), await call()];
    stalled.pause();
    await once(leaving, "data");
    leaving.destroy();
    await until(() => open === 2);
    // It is cut off in the end.
    const plainText = createGunzip().on("error", () => undefined);
    let length = 0;
    await new Promise<void>((resolve) => {
      plainText.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length > 1_000_000) resolve();
      });
      reading.pipe(plainText);
    });
    for (const each of [stalled, reading]) each.destroy();
    await until(() => open === 0);
    expect(failures).toEqual([]);
  });
});

test("W15: a message that was sent is whole for its reader before the next is made, the snapshot too", async () => {
  more = 0;
  const answer = await overHttp1();
  const chunks: Buffer[] = [];
  answer.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(answer, "end");
  // All but the trailer and the last block.
  const cut = Buffer.concat(chunks).subarray(0, -8);
  expect(namesOf(snapshotIn(gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH })))).toEqual(WHOLE);
});

test.each([
  ["binary messages", true],
  ["JSON", false],
])("W15: a browser that asks for %s is sent every node", async (_what, useBinaryFormat) => {
  const transport = createConnectTransport({ baseUrl: `http://127.0.0.1:${port}/api/rpc`, useBinaryFormat });
  const found: Snapshot[] = [];
  for await (const { message } of createClient(Dashboard, transport).watchEnvironment({}))
    if (message.case === "snapshot") found.push(message.value);
  expect(found.map(namesOf)).toEqual([WHOLE]);
  expect(found[0]?.$unknown).toBeUndefined();
  expect(deflateRaw).toHaveBeenCalledTimes(useBinaryFormat ? 1 : 0);
});
