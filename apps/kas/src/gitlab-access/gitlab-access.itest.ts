import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { ByteLedger } from "@binnacle/grpc-wire";
import { GitlabAccess, HeaderExtraSchema } from "@binnacle/proto/gitlab-access";
import { HttpRequestSchema } from "@binnacle/proto/grpctool";
import { createLogger } from "@binnacle/telemetry";
import { ManualClock, until } from "@binnacle/testing";
import { createClient, type ConnectError } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterEach, beforeEach, expect, test } from "vitest";

import { agentContextOf } from "../agent-identity/agent-context.ts";
import { linesOf, type AuditRecord } from "@binnacle/telemetry/audit";
import { createTypedHandler } from "../http2-listener/typed-handler.ts";
import { LocalMinuteCounter } from "../limits/minute-counter.ts";
import { startMainApplication, type FakeMainApplication } from "../main-application/testing/fake-main-application.ts";
import { startTestKas, type TestKas } from "../kas-routing/testing/kas-bench.ts";
import { gitlabAccess } from "./gitlab-access.ts";

const MIB = 1024 * 1024;

let main: FakeMainApplication;
let kas: TestKas;
let ledger: ByteLedger;
let records: AuditRecord[];
beforeEach(async () => {
  main = await startMainApplication();
  main.answer = () => ({ status: 200, body: { ok: true }, headers: { "set-cookie": "canary", "x-request-id": "r" } });
  const clock = new ManualClock();
  records = [];
  ledger = new ByteLedger({ processBytes: 64 * MIB, agentBytes: 64 * MIB, userBytes: 16 * MIB });
  kas = await startTestKas({
    connectHandler: createTypedHandler({
      routes: gitlabAccess({
        mainApplication: main.client(),
        ledger,
        counter: new LocalMinuteCounter(clock),
        audit: { add: (record) => void records.push(record) },
        clock,
        log: createLogger("test", "silent"),
      }),
      readMaxBytes: 64 * 1024,
      contextValues: agentContextOf,
    }),
  });
});
afterEach(async () => {
  await kas.stop();
  await main.close();
});

type Message = NonNullable<MessageInitShape<typeof HttpRequestSchema>["message"]>;

const header = (over: { readonly module?: string; readonly method?: string; readonly urlPath?: string } = {}): Message => ({
  case: "header",
  value: {
    request: {
      method: over.method ?? "PUT",
      urlPath: over.urlPath ?? "/scan_result",
      query: { page: { value: ["1", "2"] } },
      header: Object.fromEntries(
        ["Content-Type", "Authorization", "Gitlab-Kas-Api-Request", "Cookie", "Private-Token", "User-Agent", "X-Forwarded-For"].map(
          (name) => [name, { value: [name === "Content-Type" ? "application/json" : "canary"] }],
        ),
      ),
    },
    extra: anyPack(HeaderExtraSchema, create(HeaderExtraSchema, { moduleName: over.module ?? "starboard_vulnerability" })),
  },
});
const data = (bytes: number): Message => ({ case: "data", value: { data: Buffer.alloc(bytes, "x") } });
const TRAILER: Message = { case: "trailer", value: {} };

async function ask(messages: readonly Message[], token = "agent-1", signal?: AbortSignal) {
  const client = createClient(GitlabAccess, createGrpcTransport({ baseUrl: kas.agentUrl.replace("grpc:", "http:") }));
  async function* requests() {
    for (const message of messages) yield create(HttpRequestSchema, { message });
  }
  const body: Uint8Array[] = [];
  let [status, whole, names, largest] = [0, false, [] as string[], 0];
  const headers = { authorization: `Bearer ${token}` };
  for await (const { message } of client.makeRequest(requests(), { headers, ...(signal && { signal }) })) {
    if (message.case === "header") {
      status = message.value.response?.statusCode ?? 0;
      names = Object.keys(message.value.response?.header ?? {});
    }
    if (message.case === "data") {
      largest = Math.max(largest, message.value.data.byteLength);
      body.push(message.value.data);
    }
    whole = message.case === "trailer";
  }
  return { status, whole, names, largest, body: Buffer.concat(body).toString() };
}

const failure = (messages: readonly Message[], token?: string) =>
  ask(messages, token).then(
    () => undefined,
    (error: ConnectError) => error.metadata.get("binnacle-reason") ?? error.rawMessage,
  );

test("a module's request goes to the main application as the agent, and its answer back as it is", async () => {
  const answer = await ask([header(), data(3), data(2), TRAILER]);
  expect(answer).toMatchObject({ status: 200, whole: true, body: '{"ok":true}', names: ["content-type", "x-request-id"] });
  expect(main.seen).toHaveLength(1);
  const [seen] = main.seen;
  expect(seen).toMatchObject({
    method: "PUT",
    url: "/api/v4/internal/kubernetes/modules/starboard_vulnerability/scan_result?page=1&page=2",
    body: "xxxxx",
    headers: {
      authorization: "Bearer agent-1",
      "content-type": "application/json",
      "gitlab-kas-api-request": expect.stringMatching(/^ey/),
    },
  });
  expect(JSON.stringify(seen)).not.toContain("canary");
  await until(() => records.length === 1);
  expect(JSON.parse(linesOf(records, { dropped: 0, isMarked: false }))).toMatchObject({
    event: "complete",
    as: "agent",
    agent_id: 1,
    service: "starboard_vulnerability",
    method: "PUT",
    code: 200,
    bytes_in: 5,
    bytes_out: 11,
  });
});

test("an answer that is none of success passes too, in pieces of 32 KiB", async () => {
  main.answer = () => ({ status: 422, body: "y".repeat(100_000) });
  expect(await ask([header(), TRAILER])).toMatchObject({ status: 422, body: "y".repeat(100_000), largest: 32 * 1024 });
});

test.each([
  ["a module that Rails does not route", [header({ module: "users" }), TRAILER], "unknown_method"],
  ["a module that is a path", [header({ module: "../users" }), TRAILER], "unknown_method"],
  ["a path that leads out", [header({ urlPath: "/../../users" }), TRAILER], "invalid_request"],
  ["another method", [header({ method: "CONNECT" }), TRAILER], "invalid_request"],
  ["no header", [data(1)], "frame_order"],
  ["more than 1 MiB", [header(), ...Array.from({ length: 33 }, () => data(32 * 1024)), TRAILER], "invalid_request"],
] as const)("T43: %s is rejected, and the main application gets no request", async (_name, messages, reason) => {
  expect(await failure(messages)).toBe(reason);
  expect(main.seen).toEqual([]);
  expect(ledger.counts().owners).toBe(0);
});

test("T43: what looks like a path or a query within a segment stays in it", async () => {
  await ask([header({ urlPath: "/a?b/%2e%2e/c#d" }), TRAILER]);
  expect(main.seen[0]?.url).toBe("/api/v4/internal/kubernetes/modules/starboard_vulnerability/a%3Fb/%252e%252e/c%23d?page=1&page=2");
});

test("T43: an answer of more than 1 MiB, and a client without a valid token, is rejected", async () => {
  main.answer = () => ({ status: 200, body: "y".repeat(MIB + 1) });
  expect(await failure([header(), TRAILER])).toBe("main_application_unavailable");
  expect(await failure([header(), TRAILER], "unknown")).toBe("token_unknown");
  expect(main.seen).toHaveLength(1);
});

test("T43: one agent makes a hundred requests in a minute, and takes none from another", async () => {
  for (let index = 0; index < 100; index += 10) await Promise.all(Array.from({ length: 10 }, () => ask([header(), TRAILER])));
  expect(await failure([header(), TRAILER])).toBe("rate_limited");
  expect((await ask([header(), TRAILER], "agent-2")).status).toBe(200);
  await until(() => records.length === 102);
  expect(records.map(({ code }) => code).filter((code) => code !== 200)).toEqual([429]);
});

test("T43: one agent makes ten requests at once, and one that leaves makes room", async () => {
  const left = new AbortController();
  const client = createClient(GitlabAccess, createGrpcTransport({ baseUrl: kas.agentUrl.replace("grpc:", "http:") }));
  const never = new Promise<void>((resolve) => left.signal.addEventListener("abort", () => resolve(), { once: true }));
  async function* unfinished() {
    yield create(HttpRequestSchema, { message: header() });
    await never;
  }
  const open = async (): Promise<void> => {
    for await (const _ of client.makeRequest(unfinished(), { headers: { authorization: "Bearer agent-1" }, signal: left.signal })) return;
  };
  const ended = Array.from({ length: 10 }, () => open().catch((error: ConnectError) => error.rawMessage));
  await until(() => ledger.counts().owners === 1 && records.length === 0);
  let refused: string | undefined;
  // Some of the ten may still be on their way.
  while (refused !== "queue_full") refused = await failure([header(), TRAILER]);
  left.abort();
  await Promise.all(ended);
  await until(() => ledger.counts().owners === 0);
  expect((await ask([header(), TRAILER])).status).toBe(200);
});
