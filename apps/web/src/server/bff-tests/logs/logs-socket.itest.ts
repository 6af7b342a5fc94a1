import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";

import { LogsInputSchema, type LogsOutput } from "@binnacle/proto/dashboard-logs";
import { HurriedClock } from "@binnacle/testing";
import { create, toBinary } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { NAMES } from "../../testing/dashboard-tab.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { LogsPage, type InputMessage, type LogsPageOptions } from "../../testing/logs-page.ts";
import { NumberedLog } from "../../testing/numbered-log.ts";
import { keyLine, WebProcesses, type WebProcess } from "../../testing/web-processes.ts";

/** What web holds at most for one log, and what a page can grant (docs/design/logs.md "Carrier"). */
const MAX_HELD_BYTES = 256 * 1024;
const MAX_CREDIT_BYTES = 64 * 1024;
/** More than a message of the agents of these tests has. */
const MAX_MESSAGE_BYTES = 40 * 1024;
const LINE_BYTES = 1_000;

const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 10_000, interval: 20 });
const REQUEST = { case: "request", value: { ...NAMES, follow: true } } as const;
const credit = (value: number) => ({ case: "credit", value }) as const;

let processes: WebProcesses;
let web: WebProcess;
let clock: HurriedClock;
let cookie: string;
let log: NumberedLog;

beforeEach(async () => {
  processes = await WebProcesses.open();
  clock = new HurriedClock();
  log = new NumberedLog(1_000_000, LINE_BYTES);
  processes.kas.logs = log.answer;
  web = await processes.start(keyLine(), { clock });
  cookie = await processes.signIn(web.address);
});
afterEach(() => processes.close());

async function ticketFor(of: WebProcess = web, environment = NAMES): Promise<string> {
  const { ticket } = await processes.logs(of.address, cookie).openLogs(environment);
  return ticket;
}

function pageWith(ticket: string, options: Partial<LogsPageOptions> = {}, of: WebProcess = web): LogsPage {
  const page = new LogsPage(of.address, ticket, { cookie, ...options });
  onTestFinished(() => page.cut());
  return page;
}

/** A page whose log has begun, with so much credit. */
async function openPage(bytes: number, of: WebProcess = web): Promise<LogsPage> {
  const page = pageWith(await ticketFor(of), {}, of);
  await page.put(REQUEST, credit(bytes));
  return page;
}

const linesOf = ({ received }: LogsPage): string[] =>
  received.flatMap(({ message }: LogsOutput) =>
    message.case === "response" && message.value.message.case === "lines" ? message.value.message.value.lines.map(({ text }) => text) : [],
  );

/** Settles when nothing more has come for a while. */
async function untilQuiet(...counts: readonly (() => number)[]): Promise<void> {
  let before = "";
  await vi.waitFor(
    () => {
      const now = JSON.stringify(counts.map((count) => count()));
      const isSame = now === before;
      before = now;
      expect(isSame).toBe(true);
    },
    { timeout: 10_000, interval: 200 },
  );
}

describe("a socket of logs", () => {
  test("has at once an empty message, then sources and lines, and ends with code 0 when all was read", async () => {
    processes.kas.logs = new NumberedLog(100).answer;
    const page = pageWith(await ticketFor());
    await page.put({ case: "request", value: NAMES }, credit(MAX_CREDIT_BYTES));
    expect(await page.end()).toBe(1000);
    const cases = page.received.map(({ message }) =>
      message.case === "response" ? (message.value.message.case ?? "empty") : message.case,
    );
    expect(cases).toEqual(["empty", "sources", "lines", "lines", "lines", "lines", "lines", "ended"]);
    expect(linesOf(page).map((text) => Number(text.split(" ")[1]))).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(page.ended).toMatchObject({ code: 0, message: "" });
  });

  test("T66: stands still while its page grants nothing: less than 256 KiB are held, and the source waits", async () => {
    const dialled = new Set<Socket>();
    const onDial = (message: unknown): void => {
      if (message instanceof Object && "socket" in message && message.socket instanceof Socket) dialled.add(message.socket);
    };
    subscribe("net.client.socket", onDial);
    onTestFinished(() => void unsubscribe("net.client.socket", onDial));
    const page = await openPage(100);
    const readBytes = (): number => [...dialled].find(({ localPort }) => localPort === log.readerPort)?.bytesRead ?? Number.NaN;
    await page.until(() => page.received.length > 1);
    await untilQuiet(
      () => page.receivedBytes,
      () => log.writtenBytes,
    );
    expect(readBytes() - page.receivedBytes).toBeLessThan(MAX_HELD_BYTES);
    const written = log.writtenBytes;
    await page.put(credit(MAX_CREDIT_BYTES));
    await page.until(() => page.receivedBytes > MAX_CREDIT_BYTES);
    await untilQuiet(
      () => page.receivedBytes,
      () => log.writtenBytes,
    );
    expect(readBytes() - page.receivedBytes).toBeLessThan(MAX_HELD_BYTES);
    expect(log.writtenBytes - written).toBeLessThan(10 * MAX_CREDIT_BYTES);
  });

  test("T66: whose page grants nothing for a minute ends with 4408, one that grants goes on", async () => {
    const idle = await openPage(100);
    const active = await openPage(MAX_CREDIT_BYTES);
    await Promise.all([idle, active].map((page) => page.until(() => page.received.length > 1)));
    clock.skip(30_000);
    await active.put(credit(10 * MAX_MESSAGE_BYTES));
    const before = active.receivedBytes;
    await active.until(() => active.receivedBytes > before);
    await clock.skipUntil(() => idle.code !== undefined, 5_000);
    expect([idle.code, idle.ended?.code]).toEqual([4408, Code.Unavailable]);
  });

  test("ends with 1012 when its process stops, and nothing is read for it any more", async () => {
    const page = await openPage(MAX_CREDIT_BYTES);
    await page.until(() => linesOf(page).length > 0);
    web.bff.drain();
    expect(await page.end()).toBe(1012);
    expect(page.ended?.code).toBe(Code.Unavailable);
    await eventually(() => expect(log.open).toBe(0));
  });

  test("T66: ends with 4401 at all processes when its session is signed out of", async () => {
    const keys = keyLine();
    const peer = await processes.start(keys);
    const first = await processes.start(keys, { peers: [`http://${peer.address}`] });
    cookie = await processes.signIn(first.address);
    const pages = [await openPage(100, first), await openPage(100, peer)];
    await Promise.all(pages.map((page) => page.until(() => page.received.length > 1)));
    await processes.signOut(first.address, cookie);
    expect(await Promise.all(pages.map((page) => page.end()))).toEqual([4401, 4401]);
    expect(pages.map(({ ended }) => ended?.code)).toEqual([Code.Unauthenticated, Code.Unauthenticated]);
  });

  test("T66: ends with 4403 when the viewer may no longer use the agent", async () => {
    processes.kas.logs = new NumberedLog(10).answer;
    processes.main.sessions.set("session-ann", "ann");
    cookie = "_gitlab_session=session-ann";
    const page = await openPage(MAX_CREDIT_BYTES);
    await page.until(() => linesOf(page).length === 10);
    processes.kas.allowed.delete("ann");
    clock.skip(31_000);
    await page.end();
    expect([page.code, page.ended?.code]).toEqual([4403, Code.PermissionDenied]);
  });

  test("T66: ends with 4403, not 4408, when the viewer may no longer use the agent while the page grants nothing", async () => {
    processes.main.sessions.set("session-ann", "ann");
    cookie = "_gitlab_session=session-ann";
    const page = await openPage(100);
    await page.until(() => page.received.length > 1);
    processes.kas.allowed.delete("ann");
    clock.skip(31_000);
    await page.end();
    expect([page.code, page.ended?.code]).toEqual([4403, Code.PermissionDenied]);
    await eventually(() => expect(log.open).toBe(0));
  });

  test("T66: ends with 4401 when its session is another viewer's by now", async () => {
    processes.main.sessions.set("session-ann", "ann");
    cookie = "_gitlab_session=session-ann";
    const ticket = await ticketFor();
    processes.main.sessions.set("session-ann", "ben");
    processes.kas.allowed.add("ben");
    const page = pageWith(ticket);
    await page.put(REQUEST, credit(MAX_CREDIT_BYTES));
    expect(await page.end()).toBe(4401);
    expect(log.begun).toEqual([]);
  });

  test("whose page disconnects without a close frame leaves no read behind, and its place among the streams", async () => {
    for (let round = 0; round < 3; round += 1) {
      const pages = await Promise.all(Array.from({ length: 15 }, () => openPage(100)));
      await Promise.all(pages.map((page) => page.until(() => page.received.length > 1)));
      for (const page of pages) page.cut();
      await eventually(() => expect(log.open).toBe(0));
    }
  });

  test("counts among the streams of its session", async () => {
    const pages = await Promise.all(Array.from({ length: 40 }, () => openPage(100)));
    await Promise.all(pages.map((page) => page.until(() => page.received.length > 0)));
    expect(await pageWith(await ticketFor()).end()).toBe(429);
  });
});

describe("a hostile page of a socket of logs", () => {
  test.each<readonly [string, Partial<LogsPageOptions>]>([
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["no Origin", { origin: undefined }],
    ["the Origin of another port", { origin: `${ORIGIN}1` }],
    ["the Origin of a sandboxed frame", { origin: "null" }],
  ])("T8: %s opens none", async (_, options) => {
    const ticket = await ticketFor();
    expect(await pageWith(ticket, options).end()).toBe(403);
    // It was not used up.
    const own = pageWith(ticket);
    await own.until(() => own.isOpen);
  });

  test.each<readonly [string, Partial<LogsPageOptions>, number]>([
    ["without a session", { cookie: "" }, 401],
    ["of another session", { cookie: "_gitlab_session=session-bob" }, 403],
    ["that is none", { protocols: ["binnacle.v1"] }, 403],
    ["without our protocol", { protocols: ["ticket.x"] }, 403],
  ])("T9: a ticket %s opens none", async (_, options, status) => {
    expect(await pageWith(await ticketFor(), options).end()).toBe(status);
  });

  test("T9: a ticket is valid once, and at no peer after it was used", async () => {
    const keys = keyLine();
    const peer = await processes.start(keys);
    const first = await processes.start(keys, { peers: [`http://${peer.address}`] });
    cookie = await processes.signIn(first.address);
    const ticket = await ticketFor(first);
    const page = pageWith(ticket, {}, first);
    await page.until(() => page.isOpen);
    expect(await pageWith(ticket, {}, first).end()).toBe(403);
    await eventually(() => expect(peer.outcomes).toEqual(["session 2xx"]));
    expect(await pageWith(ticket, {}, peer).end()).toBe(403);
  });

  test("T8: a call for a ticket needs our Origin and a session, and an environment that the viewer may see", async () => {
    const call = (headers: Record<string, string>) =>
      fetch(`http://${web.address}/api/rpc/dashboard.v1.Logs/OpenLogs`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(NAMES),
      }).then(({ status }) => status);
    expect(await call({ cookie })).toBe(403);
    expect(await call({ cookie, origin: "https://evil.example" })).toBe(403);
    expect(await call({ origin: ORIGIN })).toBe(401);
    expect(await call({ cookie: "_gitlab_session=made-up", origin: ORIGIN })).toBe(401);
    expect(await call({ cookie, origin: ORIGIN })).toBe(200);
    await expect(ticketFor(web, { ...NAMES, environment: "absent" })).rejects.toMatchObject({ code: Code.NotFound });
  });

  test("T9: a ticket is for its environment", async () => {
    const page = pageWith(await ticketFor());
    await page.put({ case: "request", value: { ...NAMES, environment: "other" } }, credit(1_000));
    expect(await page.end()).toBe(4403);
    expect(page.ended?.code).toBe(Code.PermissionDenied);
    expect(log.begun).toEqual([]);
  });

  const sealed = (message: InputMessage): Uint8Array => toBinary(LogsInputSchema, create(LogsInputSchema, { message }));
  test.each<readonly [string, readonly Uint8Array[], number]>([
    ["credit before the request", [sealed(credit(1_000))], 1002],
    ["a second request", [sealed(REQUEST), sealed(REQUEST)], 1002],
    ["an empty message", [new Uint8Array()], 1002],
    ["bytes that are no message", [Uint8Array.of(0xff, 0xff, 0xff)], 1002],
    ["a request that ends in the middle", [sealed(REQUEST).subarray(0, 10)], 1002],
    ["one megabyte", [new Uint8Array(1_000_000)], 1009],
    ["one megabyte after the request", [sealed(REQUEST), new Uint8Array(1_000_000)], 1009],
  ])("T66: %s ends it", async (_, messages, code) => {
    const page = pageWith(await ticketFor());
    await page.until(() => page.isOpen);
    for (const message of messages) page.send(message);
    expect(await page.end()).toBe(code);
    await eventually(() => expect(log.open).toBe(0));
  });

  test("T66: a page that sends no request for ten seconds is cut off", async () => {
    const page = pageWith(await ticketFor());
    await page.until(() => page.isOpen);
    await clock.skipUntil(() => page.code !== undefined, 2_500);
    expect(page.code).toBe(1002);
  });

  test.each<readonly [string, Uint8Array]>([
    // A negative number is a varint of ten bytes.
    ["a negative number", Uint8Array.of(0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01)],
    ["the largest number", Uint8Array.of(0x10, 0xff, 0xff, 0xff, 0xff, 0x0f)],
    ["the largest number of 64 bits", Uint8Array.of(0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)],
    // The wire type of a float, and one of NaN.
    ["NaN as a float", Uint8Array.of(0x15, 0x00, 0x00, 0xc0, 0x7f)],
    ["NaN as a double", Uint8Array.of(0x11, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f)],
  ])("T66: credit that is %s has no more sent than 64 KiB and a message", async (_, bytes) => {
    const page = await openPage(100);
    await page.until(() => page.received.length > 1);
    const before = page.receivedBytes;
    for (let at = 0; at < 5; at += 1) page.send(bytes);
    await untilQuiet(() => page.receivedBytes);
    expect(page.receivedBytes - before).toBeLessThan(MAX_CREDIT_BYTES + 2 * MAX_MESSAGE_BYTES);
    expect([undefined, 1002]).toContain(page.code);
  });
});
