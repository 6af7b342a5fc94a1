import { Logs, LogSourceState, type LogPosition, type ReadLogsResponseSchema } from "@binnacle/proto/dashboard-logs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, type ServiceImpl } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createConnectHandler } from "../../../server/wire/connect-handler.ts";
import { LogStore, type LogLimits, type Reading } from "../store/log-store.ts";
import { LogReader } from "./log-reader.ts";

// A browser has them; what waits for the network to come back listens.
beforeEach(() => {
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
});
afterEach(() => vi.unstubAllGlobals());

type Response = MessageInitShape<typeof ReadLogsResponseSchema>;

const S = 1_000_000_000n;
const place = { namespace: "shop", pod: "web-1", container: "app", containerId: "run" };

/** Sources of a stream in which ours has this number. */
const named = (id: number): Response => ({
  message: { case: "sources", value: { sources: [{ ...place, id, state: LogSourceState.READING }] } },
});

/** A line for each second from one to another, with the position after it. */
const line = (id: number, second: number): Response => ({
  message: {
    case: "lines",
    value: {
      lines: [{ source: id, timeNanos: BigInt(second) * S, text: `line ${second}` }],
      positions: [{ ...place, time: { seconds: BigInt(second) }, linesAtTime: 1 }],
    },
  },
});

/** Made-up sources behind a real Connect server, read into a store as a page does. */
async function pageOver(
  readLogs: ServiceImpl<typeof Logs>["readLogs"],
  limits?: LogLimits,
): Promise<{ store: LogStore; reader: LogReader }> {
  const rpc = createConnectHandler({ prefix: "/rpc", authority: "127.0.0.1", routes: (router) => router.service(Logs, { readLogs }) });
  const server = createServer((request, response) => void rpc(request, response)); // it rejects only when there is a bug
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const client = createClient(Logs, createConnectTransport({ baseUrl: `http://127.0.0.1:${port}/rpc`, useBinaryFormat: true }));
  const store: LogStore = new LogStore(() => queueMicrotask(() => store.flush()), { limits });
  const reader = new LogReader(
    store,
    (positions, signal) => client.readLogs({ follow: true, positions: [...positions] }, { signal }),
    () => 42,
  );
  onTestFinished(() => {
    reader.stop();
    server.closeAllConnections();
    server.close();
  });
  return { store, reader };
}

const texts = (store: LogStore): string[] => store.snapshot().rows.map((row) => (row.type === "line" ? row.text : "gap"));
const secondOf = (position: LogPosition | undefined): number => Number(position?.time?.seconds ?? 0n);

test("a stream that breaks again and again is continued where it was: no line is lost, none comes twice", async () => {
  const requests: number[] = [];
  const { store, reader } = await pageOver(async function* ({ positions }) {
    const from = secondOf(positions[0]);
    requests.push(from);
    // Every stream numbers its sources again.
    const id = requests.length * 10;
    yield named(id);
    for (let second = from + 1; second <= from + 3 && second <= 10; second += 1) yield line(id, second);
    if (from + 3 < 10) throw new ConnectError("web restarts", Code.Unavailable);
  });
  reader.start();
  await expect.poll(() => store.snapshot().reading.kind).toBe("ended");
  expect(requests).toEqual([0, 3, 6, 9]);
  expect(texts(store)).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 1}`));
  expect(store.snapshot().sources).toHaveLength(1);
});

test("a break is shown with its reason and its time until the stream is there again", async () => {
  let streams = 0;
  const seen: Reading[] = [];
  const { store, reader } = await pageOver(async function* (_, { signal }) {
    streams += 1;
    if (streams < 3) throw new ConnectError("kas does not answer", Code.Unavailable);
    yield named(1);
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve());
    });
  });
  store.subscribe(() => seen.push(store.snapshot().reading));
  reader.start();
  await expect.poll(() => store.snapshot().reading.kind).toBe("reading");
  expect(seen.filter(({ kind }) => kind === "lost")).toContainEqual({ kind: "lost", reason: "kas does not answer", sinceMs: 42 });
});

test.each<[Code, Reading]>([
  [Code.PermissionDenied, { kind: "rejected", reason: "no", isDenied: true }],
  [Code.NotFound, { kind: "rejected", reason: "no", isDenied: false }],
  [Code.InvalidArgument, { kind: "rejected", reason: "no", isDenied: false }],
  [Code.Unimplemented, { kind: "rejected", reason: "no", isDenied: false }],
  [Code.Unauthenticated, { kind: "session-ended" }],
])("an answer %s is final", async (code, reading) => {
  let requests = 0;
  const { store, reader } = await pageOver(async function* () {
    requests += 1;
    yield* [];
    throw new ConnectError("no", code);
  });
  reader.start();
  await expect.poll(() => store.snapshot().reading).toEqual(reading);
  expect(requests).toBe(1);
});

test("a paused page that can keep no more ends the stream, and reads on from there when it goes on", async () => {
  const ended: number[] = [];
  const { store, reader } = await pageOver(
    async function* ({ positions }, { signal }) {
      const from = secondOf(positions[0]);
      signal.addEventListener("abort", () => ended.push(from));
      yield named(1);
      for (let second = from + 1; second <= 40; second += 1) yield line(1, second);
    },
    { lines: 10, bytes: 1_000_000 },
  );
  store.pause();
  reader.start();
  await expect.poll(() => store.snapshot().reading.kind).toBe("full");
  await expect.poll(() => ended).toEqual([0]);
  expect(store.snapshot()).toMatchObject({ waiting: 10, rows: [] });
  expect(secondOf(store.positions()[0])).toBe(10);
  reader.resume();
  await expect.poll(() => store.snapshot().reading.kind).toBe("ended");
  expect(texts(store)).toEqual(Array.from({ length: 10 }, (_, index) => `line ${index + 31}`));
  expect(store.snapshot().dropped.lines).toBe(30);
});

test("a page that is left ends its stream", async () => {
  let ended = false;
  const { store, reader } = await pageOver(async function* (_, { signal }) {
    yield named(1);
    await new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => {
        ended = true;
        resolve();
      });
    });
  });
  reader.start();
  await expect.poll(() => store.snapshot().reading.kind).toBe("reading");
  reader.stop();
  await expect.poll(() => ended).toBe(true);
  expect(store.snapshot().reading.kind).toBe("reading");
});
