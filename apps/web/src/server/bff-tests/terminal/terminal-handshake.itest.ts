import { TerminalEnd, type OpenTerminalResponse } from "@binnacle/proto/dashboard";
import { systemClock, type Clock } from "@binnacle/rpc";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { featuresSchema } from "../../config/features.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";
import { TerminalBench, ticketRequest } from "../../testing/terminal-bench.ts";
import type { TerminalPage, TerminalPageOptions } from "../../testing/terminal-page.ts";
import { keyLine, WebProcesses, type WebProcess } from "../../testing/web-processes.ts";

const PATIENCE = { timeout: 15_000, interval: 20 };

let bench: TerminalBench;

beforeAll(async () => {
  bench = await TerminalBench.start();
});
afterAll(() => bench.stop());
beforeEach(() => bench.open());
afterEach(() => bench.close());

describe("the handshake of a terminal's socket", () => {
  const opens = async (opened: OpenTerminalResponse, options?: TerminalPageOptions): Promise<number> => bench.page(opened, options).end();

  test.each<readonly [string, TerminalPageOptions]>([
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["the Origin of another port", { origin: "http://app.localhost:3001" }],
    ["no Origin", { origin: undefined }],
    ["the Origin of a sandboxed frame", { origin: "null" }],
  ])("T8: %s opens none", async (_, options) => {
    await bench.begin();
    const opened = await bench.ticketFor();
    expect(await opens(opened, options)).toBe(403);
    // It was not used up.
    const terminal = bench.page(opened);
    await terminal.until(() => terminal.shells.length > 0);
  });

  test("T9: a ticket is valid for its session only", async () => {
    await bench.begin();
    const opened = await bench.ticketFor();
    expect(await opens(opened, { cookie: "_gitlab_session=session-ann" })).toBe(403);
    expect(await opens(opened, { cookie: await bench.world.tokenCookie("maintainer") })).toBe(403);
    expect(await opens(opened, { cookie: "" })).toBe(401);
  });

  test("T9: a ticket is valid once", async () => {
    await bench.begin();
    const opened = await bench.ticketFor();
    const first = bench.page(opened);
    await first.until(() => first.shells.length > 0);
    expect(await opens(opened)).toBe(403);
  });

  test("T9: a ticket is valid for 30 s", async () => {
    let aheadMs = 0;
    const clock: Clock = { now: () => systemClock.now() + aheadMs, after: (delayMs, action) => systemClock.after(delayMs, action) };
    await bench.begin({}, clock);
    const opened = await bench.ticketFor();
    aheadMs = 30_000;
    expect(await opens(opened)).toBe(403);
  });

  test("T9: neither a text that was changed, nor one that is sealed for something else, nor none is a ticket", async () => {
    await bench.begin();
    const opened = await bench.ticketFor();
    const sealed = (await bench.world.tokenCookie("maintainer")).split("=")[1] ?? "";
    for (const ticket of [`${opened.ticket.slice(0, -2)}AA`, sealed, "x", ""]) expect(await opens({ ...opened, ticket })).toBe(403);
    expect(await opens(opened, { protocols: ["binnacle.v1"] })).toBe(403);
    expect(await opens(opened, { protocols: [`ticket.${opened.ticket}`] })).toBe(403);
  });

  test("T9: a ticket in the URL opens none, and none is ever sent back", async () => {
    await bench.begin();
    const opened = await bench.ticketFor();
    expect(await opens(opened, { path: `/api/socket?ticket=${opened.ticket}`, protocols: ["binnacle.v1"] })).toBe(501);
    expect(await opens(opened, { path: "/api/socket/other" })).toBe(501);
    const terminal = bench.page(opened);
    expect(await terminal.protocol).toBe("binnacle.v1");
  });

  test("T9: a ticket is for its pod, not for another one of the same name", async () => {
    await bench.begin();
    await bench.runPod("twin", "example/web:1");
    const opened = await bench.ticketFor({ pod: "twin" });
    await bench.deletePod("twin");
    await vi.waitFor(() => bench.runPod("twin", "example/web:1"), PATIENCE);
    const terminal = bench.page(opened);
    expect(await terminal.end()).toBe(4403);
    expect(terminal.ended?.end).toBe(TerminalEnd.REFUSED);
  });

  test("T8: a call for a ticket with a session cookie needs our Origin", async () => {
    await bench.begin();
    const program = bench.world.clientWith("_gitlab_session=session-maintainer", {});
    await expect(program.openTerminal(ticketRequest())).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  test("sockets count among the streams of their session", async () => {
    await bench.begin();
    const cookie = "_gitlab_session=session-maintainer";
    const statuses: number[] = [];
    for (let at = 0; at < 41; at++) {
      const terminal = bench.page(await bench.ticketFor({}, cookie));
      await Promise.race([terminal.end(), terminal.protocol]);
      if (terminal.rejectedStatus !== undefined) statuses.push(terminal.rejectedStatus);
    }
    expect(statuses).toEqual([429]);
  });
});

describe("T9: two web processes with the same keys", () => {
  let processes: WebProcesses;
  let peer: WebProcess;
  let first: WebProcess;
  let cookie: string;

  async function start({ notifies }: { readonly notifies: boolean }): Promise<void> {
    processes = await WebProcesses.open();
    onTestFinished(() => processes.close());
    processes.kas.cluster = bench.cluster.forward;
    processes.kas.upgrade = bench.cluster.upgrade;
    const keys = keyLine();
    const features = featuresSchema.parse({ terminal: true });
    peer = await processes.start(keys, { features });
    first = await processes.start(keys, { features, peers: notifies ? [`http://${peer.address}`] : [] });
    cookie = await processes.signIn(first.address);
  }

  const ticket = (): Promise<OpenTerminalResponse> => processes.client(first.address, cookie).openTerminal(ticketRequest());
  const pageAt = ({ address }: WebProcess, opened: OpenTerminalResponse): TerminalPage => bench.page(opened, { cookie }, address);

  test("T9: a ticket that one has accepted is rejected by the other after the notice of session.peers", async () => {
    await start({ notifies: true });
    const opened = await ticket();
    const page = pageAt(first, opened);
    await page.until(() => page.shells.length > 0);
    // The notice is the only request for sessions that the peer gets.
    await vi.waitFor(() => expect(peer.outcomes).toEqual(["session 2xx"]), PATIENCE);
    expect(await pageAt(peer, opened).end()).toBe(403);
    const another = pageAt(peer, await ticket());
    await another.until(() => another.shells.length > 0);
  });

  test.each<readonly [string, () => Promise<unknown>]>([
    [
      "the main application has ended",
      () => {
        processes.main.sessions.delete("session-ann");
        return processes
          .client(first.address, cookie)
          .listProjects({})
          .catch(() => undefined);
      },
    ],
    ["its browser signs out of", () => processes.signOut(first.address, cookie)],
  ])("T54: terminals of a session that %s close with 4401 at both as soon as one knows", async (_, signOut) => {
    await start({ notifies: true });
    processes.main.sessions.set("session-ann", "ann");
    cookie = "_gitlab_session=session-ann";
    const pages = [pageAt(first, await ticket()), pageAt(peer, await ticket())];
    await Promise.all(pages.map((page) => page.until(() => page.shells.length > 0)));
    const stream = processes.logs(first.address, cookie).readLogs({ ...NAMES, follow: true });
    const logs = stream[Symbol.asyncIterator]();
    await logs.next();
    const logsEnd = endOf(logs);
    await signOut();
    expect(await Promise.all(pages.map((page) => page.end()))).toEqual([4401, 4401]);
    expect(pages.map(({ ended }) => ended?.end)).toEqual([TerminalEnd.SIGNED_OUT, TerminalEnd.SIGNED_OUT]);
    expect(await logsEnd).toBe(Code.Unauthenticated);
    // A made-up cookie has no effect at the other one.
    const heard = peer.outcomes.length;
    await processes.signOut(first.address, "_gitlab_session=made-up");
    expect(peer.outcomes).toHaveLength(heard);
  });

  test("T9: without peers nothing but its 30 s ends a ticket for the other one", async () => {
    await start({ notifies: false });
    const opened = await ticket();
    for (const each of [first, peer]) {
      const page = pageAt(each, opened);
      await page.until(() => page.shells.length > 0);
      expect(page.rejectedStatus).toBeUndefined();
    }
  });
});

/** The code that a stream ends with; undefined: with its last message. */
async function endOf(stream: AsyncIterator<unknown>): Promise<Code | undefined> {
  try {
    while ((await stream.next()).done !== true);
    return undefined;
  } catch (error) {
    return ConnectError.from(error).code;
  }
}
