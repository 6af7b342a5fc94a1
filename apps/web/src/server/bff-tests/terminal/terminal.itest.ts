import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";

import { TerminalEnd, type OpenTerminalResponse } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { HurriedClock } from "@binnacle/testing";
import { renderEnglish } from "@binnacle/words/render-english";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import type { ClusterBehindKas } from "../../testing/cluster-behind-kas.ts";
import { ORIGIN } from "../../config/testing/stand-in-config.ts";
import { TerminalBench } from "../../testing/terminal-bench.ts";
import type { TerminalPage } from "../../testing/terminal-page.ts";

/** What web holds at most for one terminal (docs/design/terminal.md "Bytes"). */
const MAX_HELD_BYTES = 256 * 1024;

const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 15_000, interval: 20 });

let bench: TerminalBench;
let cluster: ClusterBehindKas;

beforeAll(async () => {
  bench = await TerminalBench.start();
  ({ cluster } = bench);
});
afterAll(() => bench.stop());
beforeEach(() => bench.open());
afterEach(() => bench.close());

/** Answers reviews of access; `undefined`: with 500. */
function answerReviews(isAllowed: ((verb: string) => boolean) | undefined): void {
  cluster.intercept = (request, response) => {
    if (!request.url?.endsWith("/selfsubjectaccessreviews")) return undefined;
    if (isAllowed === undefined) {
      response.writeHead(500, { "content-type": "application/json" }).end("{}");
      return "handled";
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      // It is a SelfSubjectAccessReview of ours.
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { spec: { resourceAttributes: { verb: string } } };
      const status = { allowed: isAllowed(review.spec.resourceAttributes.verb) };
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ ...review, status }));
    });
    return "handled";
  };
}

/** Measures what the dashboard has read from the sockets of the one terminal that is open, and has not handed to the system to be sent. */
function measureHeldBytes(): () => number {
  const dialled = new Set<Socket>();
  const onDial = (message: unknown): void => {
    if (message instanceof Object && "socket" in message && message.socket instanceof Socket) dialled.add(message.socket);
  };
  subscribe("net.client.socket", onDial);
  onTestFinished(() => void unsubscribe("net.client.socket", onDial));
  return () => {
    const ports = [...cluster.upgraded].map((socket) => (socket instanceof Socket ? socket.remotePort : undefined));
    const upstream = [...dialled].filter(({ localPort }) => localPort !== undefined && ports.includes(localPort));
    const sockets = [...upstream, ...bench.connections];
    expect(sockets).toHaveLength(2);
    return sockets.reduce((sum, { bytesRead, bytesWritten, writableLength }) => sum + bytesRead - (bytesWritten - writableLength), 0);
  };
}

const sentence = ({ words }: Pick<OpenTerminalResponse, "words">): string => (words ? renderEnglish(fromWordsMessage(words)) : "");

describe("a terminal", () => {
  test("shows what the shell writes, takes what is typed and the size, ends with the exit code, and leaves two lines in the log", async () => {
    await bench.begin();
    const opened = await bench.ticketFor();
    expect(opened).toMatchObject({ container: "web", production: true, recorded: false, roleYaml: "" });
    expect(opened.containers.map(({ name }) => name)).toEqual(["web", "side"]);
    const terminal = bench.page(opened);
    await terminal.type("echo hel''lo\r", "hello");
    terminal.send({ case: "resize", value: { columns: 132, rows: 50 } });
    await terminal.type("stty size\r", "50 132");
    await terminal.until(() => terminal.inputCredit >= 7);
    terminal.send({ case: "stdin", value: Buffer.from("exit 7\r") });
    expect(await terminal.end()).toBe(1000);
    expect(terminal.ended).toMatchObject({ end: TerminalEnd.EXITED, exitCode: 7 });
    expect(terminal.shells).toEqual(["bash"]);
    await eventually(() => expect(bench.records("end")).toHaveLength(1));
    const fields = { user: "maintainer", verb: "connect", namespace: "prod", name: "full", container: "web", subresource: "exec" };
    expect(bench.records("start")).toMatchObject([{ ...fields, purpose: { action: "terminal", environment: "production" } }]);
    expect(bench.records("end")).toMatchObject([{ ...fields, outcome: "exited", exit_code: 7, program: "bash", bytes_in: 30 }]);
    expect(JSON.stringify(bench.records())).not.toMatch(/hello|stty/);
  });

  test.each([
    ["busy", ["ash"]],
    ["full", ["bash"]],
  ])("begins the first shell that the image of %s has", async (pod, shells) => {
    await bench.begin();
    const terminal = await bench.openPage({ pod });
    expect(terminal.shells).toEqual(shells);
    expect(terminal.text).not.toMatch(/not found|failed/);
  });

  test("an image without a shell ends with NO_SHELL", async () => {
    await bench.begin();
    const terminal = bench.page(await bench.ticketFor({ pod: "bare" }));
    expect(await terminal.end()).toBe(1000);
    expect(terminal).toMatchObject({ text: "", ended: { end: TerminalEnd.NO_SHELL } });
  });

  test("is for the container and the shell that were chosen", async () => {
    await bench.begin();
    const terminal = await bench.openPage({ container: "side", shell: "sh" });
    expect(terminal.shells).toEqual(["sh"]);
    const none = await bench.ticketFor({ container: "none" });
    expect([none.ticket, sentence(none)]).toEqual(["", "container none does not run now"]);
    await expect(bench.ticketFor({ shell: "/bin/evil" })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test("pauses the source while its page takes nothing: less than 256 KiB are held, and all of it arrives in the end", async () => {
    const heldBytes = measureHeldBytes();
    await bench.begin();
    const terminal = await bench.openPage({}, { credit: 20_000, takesMore: false });
    await terminal.until(() => terminal.inputCredit > 100);
    terminal.send({ case: "stdin", value: Buffer.from("yes\r") });
    let credited = 0;
    for (const [credit, taken] of [
      [0, 20_000],
      [50_000, 50_000],
      [1_000_000, 64 * 1024],
    ] as const) {
      if (credit > 0) terminal.send({ case: "credit", value: credit });
      credited += taken;
      await terminal.until(() => terminal.outputBytes === credited);
      const held: number[] = [];
      await eventually(() => {
        held.push(heldBytes());
        expect(held.at(-1)).toBe(held.at(-2));
      });
      expect(held.at(-1)).toBeGreaterThan(0);
      expect(Math.max(...held)).toBeLessThan(MAX_HELD_BYTES);
      expect(terminal.outputBytes).toBe(credited);
    }
  });

  test.each([{ terminal: false }, { tiers: { production: { terminal: false } } }])(
    "is denied where it is switched off: %j",
    async (features) => {
      await bench.begin(features);
      await expect(bench.ticketFor()).rejects.toMatchObject({ code: Code.PermissionDenied });
    },
  );

  test.each(["create", "get"])("is denied without the right to %s pods/exec, with the Role that is missing", async (missing) => {
    await bench.begin();
    answerReviews((verb) => verb !== missing);
    const opened = await bench.ticketFor();
    expect(opened.ticket).toBe("");
    expect(sentence(opened)).toBe("you may not create, get pods/exec in namespace prod");
    expect(opened.roleYaml).toContain("- pods/exec");
  });
});

describe("the end of a terminal", () => {
  test("T54: a sign-out ends it at once", async () => {
    await bench.begin();
    const cookie = await bench.world.tokenCookie("ann");
    const terminal = await bench.openPage({}, { cookie });
    const request = new Request(`${ORIGIN}/api/session`, { method: "DELETE", headers: { origin: ORIGIN, cookie } });
    await bench.world.bff.session(request);
    expect(await terminal.end()).toBe(4401);
    expect(terminal.ended?.end).toBe(TerminalEnd.SIGNED_OUT);
    await eventually(() => expect(bench.records("end")).toMatchObject([{ outcome: "signed_out", user: "ann" }]));
    await eventually(() => expect(cluster.upgraded.size).toBe(0));
  });

  test("T54: withdrawn access ends it with the next check", async () => {
    const clock = new HurriedClock();
    await bench.begin({}, clock);
    const terminal = await bench.openPage();
    bench.world.kas.allowed.delete("maintainer");
    await clock.skipUntil(() => terminal.code !== undefined, 10_000);
    expect(terminal).toMatchObject({ code: 4403, ended: { end: TerminalEnd.WITHDRAWN } });
  });

  test("T54: the end of the main application's session ends it with the next check", async () => {
    const clock = new HurriedClock();
    await bench.begin({}, clock);
    const terminal = await bench.openPage();
    bench.world.main.sessions.delete("session-maintainer");
    await clock.skipUntil(() => terminal.code !== undefined, 10_000);
    expect(terminal).toMatchObject({ code: 4401, ended: { end: TerminalEnd.SIGNED_OUT } });
  });

  test("T54: access that cannot be checked for a minute ends it", async () => {
    const clock = new HurriedClock();
    await bench.begin({}, clock);
    const terminal = await bench.openPage();
    answerReviews(undefined);
    await clock.skipUntil(() => terminal.code !== undefined, 10_000);
    expect(terminal).toMatchObject({ code: 4403, ended: { end: TerminalEnd.WITHDRAWN } });
  });

  test.each([
    [{ idle_timeout: "5m" }, TerminalEnd.IDLE],
    [{ idle_timeout: "1h", max_duration: "2m" }, TerminalEnd.TOO_LONG],
  ])("with %j it ends when that is over", async (session, end) => {
    const clock = new HurriedClock();
    await bench.begin({ terminal_session: session }, clock);
    const terminal = await bench.openPage();
    await clock.skipUntil(() => terminal.code !== undefined, 20_000);
    expect(terminal).toMatchObject({ code: 4408, ended: { end } });
  });

  test("a restarting process closes with 1012", async () => {
    await bench.begin();
    const terminal = await bench.openPage();
    bench.world.bff.drain();
    expect(await terminal.end()).toBe(1012);
    expect(terminal.ended?.end).toBe(TerminalEnd.RESTART);
  });

  test("a connection that breaks behind the dashboard closes with 1011", async () => {
    await bench.begin();
    const terminal = await bench.openPage();
    for (const socket of cluster.upgraded) socket.destroy();
    expect(await terminal.end()).toBe(1011);
    expect(terminal.ended?.end).toBe(TerminalEnd.LOST);
  });

  test("a page that leaves ends the program", async () => {
    await bench.begin();
    const terminal = await bench.openPage();
    terminal.cut();
    await eventually(() => expect(cluster.upgraded.size).toBe(0));
    await eventually(() => expect(bench.records("end")).toMatchObject([{ outcome: "client_left" }]));
  });

  test.each<readonly [string, (terminal: TerminalPage) => void]>([
    ["bytes that are no message", (terminal) => terminal.sendBytes(Buffer.from([0xff, 0xff, 0xff]))],
    ["an empty message", (terminal) => terminal.sendBytes(Buffer.alloc(0))],
    [
      "more input than was granted",
      (terminal) => [1, 2, 3].forEach(() => terminal.send({ case: "stdin", value: Buffer.alloc(16_000, 32) })),
    ],
    ["one input that is too long", (terminal) => terminal.send({ case: "stdin", value: Buffer.alloc(17_000, 32) })],
    ["a message that is too long", (terminal) => terminal.sendBytes(Buffer.alloc(100_000))],
  ])("T54: %s ends it", async (_, send) => {
    await bench.begin();
    const terminal = await bench.openPage();
    await terminal.until(() => terminal.inputCredit > 0);
    send(terminal);
    expect([1002, 1006, 1009]).toContain(await terminal.end());
    await eventually(() => expect(cluster.upgraded.size).toBe(0));
  });
});

describe("a recording", () => {
  test("has the output and the sizes with their times, and nothing that was typed without an echo", async () => {
    const directory = bench.directory("recordings");
    await bench.begin({ terminal_recording: { directory } });
    const opened = await bench.ticketFor();
    expect(opened.recorded).toBe(true);
    const terminal = bench.page(opened);
    await terminal.type("echo hel''lo\r", "hello");
    terminal.cut();
    await eventually(() => expect(bench.records("end")).toMatchObject([{ recorded: true }]));
    const [file = ""] = readdirSync(directory);
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    const [header, ...events] = readFileSync(join(directory, file), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(header).toMatchObject({ version: 2, width: 80, height: 24 });
    const output = events.map((event) => (Array.isArray(event) && event[1] === "o" ? String(event[2]) : "")).join("");
    expect(output).toBe(terminal.text);
  });

  test("that cannot be written leaves no terminal", async () => {
    await bench.begin({ terminal_recording: { directory: join(bench.directory("recordings"), "absent") } });
    const terminal = bench.page(await bench.ticketFor());
    expect(await terminal.end()).toBe(1011);
    expect(terminal).toMatchObject({ text: "", ended: { end: TerminalEnd.NOT_RECORDED } });
    expect(bench.world.kas.requests.some((line) => line.includes("UPGRADE"))).toBe(false);
  });
});
