import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { NAMES } from "../../../server/testing/dashboard-tab.ts";
import { LogsPage } from "../../../server/testing/logs-page.ts";
import { NumberedLog } from "../../../server/testing/numbered-log.ts";
import { keyLine, WebProcesses, type WebProcess } from "../../../server/testing/web-processes.ts";
import { LogStore } from "../store/log-store.ts";
import { LogReader } from "./log-reader.ts";
import { LogsCarrier } from "./logs-carrier.ts";

const WORDS = { broken: () => "the connection broke", onlyOne: () => "another log is open" };
const LINES = 4_000;

let processes: WebProcesses;
let keys: string;
let web: WebProcess;
let cookie: string;
let log: NumberedLog;

// A browser has them; what waits for the network to come back listens.
beforeEach(async () => {
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("removeEventListener", () => undefined);
  processes = await WebProcesses.open();
  keys = keyLine();
  web = await processes.start(keys);
  processes.backends = [web.address];
  cookie = await processes.signIn(web.address);
  log = new NumberedLog(LINES, 300);
  processes.kas.logs = log.answer;
});
afterEach(async () => {
  await processes.close();
  vi.unstubAllGlobals();
});

/** A page of a browser, whose sockets go to this address: that of the dashboard, or of a proxy that lets none through. */
class BrowserPage {
  readonly sockets: LogsPage[] = [];
  readonly carrier: LogsCarrier;

  constructor({ address = processes.balancer, locks }: { readonly address?: string; readonly locks?: Pick<LockManager, "request"> } = {}) {
    this.carrier = new LogsCarrier({
      client: () => processes.logs(processes.balancer, cookie),
      connect: (ticket) => {
        const socket = new LogsPage(address, ticket, { cookie });
        this.sockets.push(socket);
        return socket;
      },
      words: WORDS,
      locks,
    });
  }

  /** Follows the log until the test is over. */
  follow(): { readonly store: LogStore; readonly reader: LogReader } {
    const store: LogStore = new LogStore(() => queueMicrotask(() => store.flush()));
    const read = (positions: Parameters<ConstructorParameters<typeof LogReader>[1]>[0], signal: AbortSignal) =>
      this.carrier.read({ ...NAMES, follow: true, positions: [...positions] }, signal);
    const reader = new LogReader(store, read, () => 42);
    onTestFinished(() => reader.stop());
    reader.start();
    return { store, reader };
  }
}

const numbersOf = (store: LogStore): (number | "gap")[] =>
  store.snapshot().rows.map((row) => (row.type === "line" ? Number(row.text.split(" ")[1]) : "gap"));
const ALL = Array.from({ length: LINES }, (_, index) => index + 1);
const untilAll = (store: LogStore): Promise<void> =>
  vi.waitFor(() => expect(numbersOf(store).length).toBeGreaterThanOrEqual(LINES), 20_000);
const reach = (store: LogStore, count: number): Promise<void> =>
  vi.waitFor(() => expect(numbersOf(store).length).toBeGreaterThan(count), { timeout: 10_000, interval: 1 });

describe("a followed log over sockets", () => {
  test("is continued when its connection breaks again and again: no line is lost, none comes twice", async () => {
    const page = new BrowserPage();
    const { store } = page.follow();
    for (let cuts = 1; cuts <= 3; cuts += 1) {
      await reach(store, cuts * 500);
      page.sockets.at(-1)?.cut();
      await vi.waitFor(() => expect(page.sockets).toHaveLength(cuts + 1), { timeout: 5_000 });
    }
    await untilAll(store);
    expect(numbersOf(store)).toEqual(ALL);
    expect(log.begun[0]).toBe(0);
    expect(log.begun.slice(1).every((before) => before > 0)).toBe(true);
  });

  test("is continued at another web process when its own is restarted", async () => {
    const page = new BrowserPage();
    const { store } = page.follow();
    await reach(store, 500);
    const next = await processes.start(keys);
    processes.backends = [next.address];
    web.bff.drain();
    await untilAll(store);
    expect(page.sockets[0]?.code).toBe(1012);
    expect(numbersOf(store)).toEqual(ALL);
    expect(page.sockets).toHaveLength(2);
  });

  test("comes as the page takes it: what is not taken stops the source", async () => {
    log = new NumberedLog(1_000_000, 1_000);
    processes.kas.logs = log.answer;
    const page = new BrowserPage();
    const leave = new AbortController();
    onTestFinished(() => leave.abort());
    const messages = page.carrier.read({ ...NAMES, follow: true }, leave.signal);
    await messages.next();
    await vi.waitFor(
      async () => {
        const before = log.writtenBytes;
        await new Promise((resolve) => setTimeout(resolve, 200));
        expect(log.writtenBytes).toBe(before);
      },
      { timeout: 10_000 },
    );
    expect(page.sockets[0]?.receivedBytes).toBeLessThan(128 * 1024);
    const before = page.sockets[0]?.receivedBytes ?? 0;
    for (let taken = 0; taken < 20; taken += 1) await messages.next();
    expect(page.sockets[0]?.receivedBytes).toBeGreaterThan(before);
  });

  test("that is left gives nothing of what waits here: another stream may have begun behind the positions", async () => {
    const page = new BrowserPage();
    const leave = new AbortController();
    const messages = page.carrier.read({ ...NAMES, follow: true }, leave.signal);
    await messages.next();
    // An empty message, the sources that were taken, and lines.
    await vi.waitFor(() => expect(page.sockets[0]?.received.length).toBeGreaterThan(3));
    leave.abort();
    await expect(messages.next()).rejects.toMatchObject({ code: Code.Canceled });
    await vi.waitFor(() => expect(log.open).toBe(0));
  });

  test("ends with its session", async () => {
    const page = new BrowserPage();
    const { store } = page.follow();
    await reach(store, 500);
    await processes.signOut(web.address, cookie);
    await vi.waitFor(() => expect(store.snapshot().reading.kind).toBe("session-ended"));
    expect(page.sockets).toHaveLength(1);
  });

  test("shows what the server rejects, and is not opened again", async () => {
    const page = new BrowserPage();
    const messages = page.carrier.read({ ...NAMES, tailLines: 1_000_000 }, new AbortController().signal);
    await expect(messages.next()).rejects.toMatchObject({ code: Code.InvalidArgument });
    const absent = page.carrier.read({ ...NAMES, environment: "absent" }, new AbortController().signal);
    await expect(absent.next()).rejects.toMatchObject({ code: Code.NotFound });
    expect(page.sockets).toHaveLength(1);
  });
});

describe("where no socket opens", () => {
  /** Rejects upgrades, or takes them and closes without a message. */
  async function proxy(kind: "rejects" | "closes"): Promise<string> {
    const server = createServer();
    server.on("upgrade", (_request, socket) => {
      if (kind === "rejects") socket.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n");
      else socket.destroy();
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // A TCP server that listens has an AddressInfo.
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test.each(["rejects", "closes"] as const)("a proxy that %s: lines come over a stream, and no other socket is tried", async (kind) => {
    const page = new BrowserPage({ address: await proxy(kind) });
    const { store, reader } = page.follow();
    await untilAll(store);
    expect(numbersOf(store)).toEqual(ALL);
    reader.stop();
    await vi.waitFor(() => expect(log.open).toBe(0));
    const other = page.follow();
    await untilAll(other.store);
    expect(page.sockets).toHaveLength(1);
  });

  test.each([
    ["with Web Locks one browser", navigator.locks],
    ["without them one page", undefined],
  ])("%s has one stream: another log says so, and is read once the first one is closed", async (_, locks) => {
    const address = await proxy("rejects");
    const page = new BrowserPage({ address, ...(locks && { locks }) });
    const first = page.follow();
    await untilAll(first.store);
    const second = (locks ? new BrowserPage({ address, locks }) : page).follow();
    const reason = { kind: "lost", reason: "another log is open" };
    await vi.waitFor(() => expect(second.store.snapshot().reading).toMatchObject(reason), { timeout: 5_000 });
    expect(log.begun).toHaveLength(1);
    first.reader.stop();
    await untilAll(second.store);
    expect(numbersOf(second.store)).toEqual(ALL);
  });

  test("because the server restarts, sockets are tried again", async () => {
    const page = new BrowserPage();
    const { store, reader } = page.follow();
    await reach(store, 500);
    const next = await processes.start(keys);
    processes.backends = [];
    await web.kill();
    await vi.waitFor(() => expect(store.snapshot().reading.kind).toBe("lost"));
    processes.backends = [next.address];
    await untilAll(store);
    expect(page.sockets.at(-1)?.received.length).toBeGreaterThan(0);
    reader.stop();
  });
});
