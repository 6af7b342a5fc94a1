import { once } from "node:events";
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGzip } from "node:zlib";

import { frameHeader } from "@binnacle/grpc-wire";
import { AgentConfiguration } from "@binnacle/proto/agent-configuration";
import { AgentRegistrar } from "@binnacle/proto/agent-registrar";
import { AgentTracker } from "@binnacle/proto/agent-tracker-rpc";
import { ConfigurationProject } from "@binnacle/proto/configuration-project";
import { KasApi, KasInternal } from "@binnacle/proto/kas";
import { Notifications } from "@binnacle/proto/notifications";
import { ServerInfo } from "@binnacle/proto/server-info-rpc";
import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { HopTokens } from "../kas-routing/hop-token.ts";
import { CONNECT_PATH } from "../reverse-tunnel/reverse-tunnel-handler.ts";
import { INTERNAL_SECRET, startTestKas } from "../kas-routing/testing/kas-bench.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";

const MIB = 1024 * 1024;
const BOMB_BYTES = 256 * MIB;
const MAX_GROWTH_BYTES = 32 * MIB;
const UNAUTHENTICATED = "16";
const RESOURCE_EXHAUSTED = "8";

let kas: WholeKas;
/** A quarter of a gigabyte of zeros. */
let bomb: Buffer;
let collectGarbage: () => void;
beforeAll(async () => {
  setFlagsFromString("--expose-gc");
  // With the flag a new context has the function of that name.
  collectGarbage = runInNewContext("gc") as () => void;
  bomb = await bombOf(BOMB_BYTES);
  kas = await startWholeKas();
});
afterAll(() => kas.stop());

/** In pieces: the bomb itself must not be what is measured. */
async function bombOf(bytes: number): Promise<Buffer> {
  const gzip = createGzip();
  const parts: Buffer[] = [];
  gzip.on("data", (part: Buffer) => parts.push(part));
  const zeros = Buffer.alloc(MIB);
  for (let written = 0; written < bytes; written += MIB) if (!gzip.write(zeros)) await once(gzip, "drain");
  gzip.end();
  await once(gzip, "end");
  return Buffer.concat(parts);
}

interface Attack {
  readonly address: string;
  readonly path: string;
  readonly authorization?: string | undefined;
  readonly body: readonly Uint8Array[];
}

/** Sends the body even while it is not read. @returns headers and trailers of the response, and by how much memory grew meanwhile */
async function send(
  session: ClientHttp2Session,
  attack: Attack,
): Promise<{ readonly answer: IncomingHttpHeaders; readonly grown: number }> {
  collectGarbage();
  const base = memoryBytes();
  let peak = 0;
  let answered = false;
  const watching = until(() => {
    peak = Math.max(peak, memoryBytes());
    return answered;
  });
  const stream = session.request({
    ":method": "POST",
    ":path": attack.path,
    "content-type": "application/grpc",
    "grpc-encoding": "gzip",
    te: "trailers",
    ...(attack.authorization !== undefined && { authorization: attack.authorization }),
  });
  let answer: IncomingHttpHeaders = {};
  const note = (headers: IncomingHttpHeaders): void => void (answer = { ...answer, ...headers });
  stream
    .on("response", note)
    .on("trailers", note)
    .on("error", () => undefined)
    .resume();
  const closed = new Promise((resolve) => stream.once("close", resolve));
  for (const part of attack.body) stream.write(part);
  stream.end();
  await closed;
  answered = true;
  await watching;
  collectGarbage();
  return { answer, grown: Math.max(peak, memoryBytes()) - base };
}

const memoryBytes = (): number => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

async function withSession<T>(address: string, use: (session: ClientHttp2Session) => Promise<T>): Promise<T> {
  // What the client itself may hold: the bomb waits in it.
  const session = connect(`http://${address}`, { maxSessionMemory: 64 });
  session.on("error", () => undefined);
  try {
    return await use(session);
  } finally {
    session.destroy();
  }
}

/** Counted when a stream has closed, which the client may see first. */
async function untilRefused(listener: string, reason: string, count: number): Promise<void> {
  while ((await kas.refused(listener, reason)) < count) await new Promise((resolve) => setImmediate(resolve));
}

const compressed = (message: Buffer): readonly Buffer[] => {
  const header = frameHeader(message.byteLength);
  header[0] = 1;
  return [header, message];
};
const plain = (bytes: number): readonly Buffer[] => [frameHeader(bytes), Buffer.alloc(bytes)];

const pathsOf = (services: readonly { readonly typeName: string; readonly methods: readonly { readonly name: string }[] }[]): string[] =>
  services.flatMap(({ typeName, methods }) => methods.map(({ name }) => `/${typeName}/${name}`));
const AGENT_PATHS = pathsOf([AgentConfiguration, AgentRegistrar, ServerInfo]);
const API_PATHS = pathsOf([KasApi, AgentTracker, ConfigurationProject, Notifications, ServerInfo]);
const INTERNAL_PATHS = pathsOf([KasInternal]);

const LISTENERS = [
  {
    listener: "agent",
    address: () => kas.bound.agent,
    paths: [...AGENT_PATHS, CONNECT_PATH],
    tooLarge: 65 * 1024,
    reason: "token_missing",
  },
  { listener: "api", address: () => kas.bound.api ?? "", paths: API_PATHS, tooLarge: 10 * MIB + 1, reason: "token_missing" },
  { listener: "internal", address: () => kas.bound.privateApi ?? "", paths: INTERNAL_PATHS, tooLarge: 65 * 1024, reason: "token_missing" },
] as const;

for (const { listener, address, paths, tooLarge, reason } of LISTENERS) {
  test.each(paths)(`KB2, XB1, I3, T14, T15: without a credential no byte is read on the ${listener} listener: %s`, async (path) => {
    const before = await kas.refused(listener, reason);
    await withSession(address(), async (session) => {
      for (const body of [plain(tooLarge), compressed(bomb)]) {
        const { answer, grown } = await send(session, { address: address(), path, body });
        expect(answer).toMatchObject({ ":status": 200, "grpc-status": UNAUTHENTICATED });
        expect(grown).toBeLessThan(MAX_GROWTH_BYTES);
      }
    });
    expect(await kas.refused(listener, reason)).toBe(before + 2);
  });
}

const WITH_CREDENTIAL = [
  { listener: "agent", paths: AGENT_PATHS, tooLarge: 65 * 1024, credential: () => Promise.resolve("Bearer agent-1") },
  { listener: "api", paths: API_PATHS, tooLarge: 10 * MIB + 1, credential: () => kas.jwt() },
] as const;

for (const { listener, paths, tooLarge, credential } of WITH_CREDENTIAL) {
  test.each(paths)(`KB2, XB1, T15: with a credential messages are bounded on the ${listener} listener: %s`, async (path) => {
    const address = (listener === "agent" ? kas.bound.agent : kas.bound.api) ?? "";
    const authorization = await credential();
    const before = await kas.refused(listener, "message_too_large");
    await withSession(address, async (session) => {
      for (const body of [plain(tooLarge), compressed(bomb)]) {
        const { answer, grown } = await send(session, { address, path, authorization, body });
        expect(answer).toMatchObject({ ":status": 200, "grpc-status": RESOURCE_EXHAUSTED });
        expect(grown).toBeLessThan(MAX_GROWTH_BYTES);
      }
    });
    await untilRefused(listener, "message_too_large", before + 2);
    expect(await kas.refused(listener, "message_too_large")).toBe(before + 2);
  });
}

test.each(INTERNAL_PATHS)("KB2, T15: a kas with a good token may send 64 KiB to another: %s", async (path) => {
  const target = await startTestKas({
    connectHandler: createTypedHandler({ readMaxBytes: 64 * 1024, routes: (router) => void router.service(KasInternal, {}) }),
  });
  const tokens = new HopTokens({ secrets: [INTERNAL_SECRET], kasId: "caller", clock: systemClock });
  const address = target.internalUrl.replace("grpc://", "");
  await withSession(address, async (session) => {
    for (const body of [plain(65 * 1024), compressed(bomb)]) {
      const { answer, grown } = await send(session, { address, path, authorization: tokens.sign(target.kasId, 1n), body });
      expect(answer["grpc-status"]).toMatch(/^(?:8|12)$/);
      expect(grown).toBeLessThan(MAX_GROWTH_BYTES);
    }
  });
  await target.stop();
});
