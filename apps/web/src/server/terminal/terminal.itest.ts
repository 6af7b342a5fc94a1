import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { TerminalEnd, type OpenTerminalRequest, type OpenTerminalResponse } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { HttpExit, systemClock, type Clock } from "@binnacle/rpc";
import { createLogger } from "@binnacle/telemetry";
import { HurriedClock } from "@binnacle/testing";
import { renderEnglish } from "@binnacle/words/render-english";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import { featuresSchema } from "../config/features.ts";
import { createWebServer, listen } from "../http/web-server.ts";
import { ClusterBehindKas } from "../testing/cluster-behind-kas.ts";
import { NAMES, ORIGIN } from "../testing/dashboard-tab.ts";
import { DashboardWorld } from "../testing/dashboard-world.ts";
import { TerminalPage, type TerminalPageOptions } from "../testing/terminal-page.ts";

const NAMESPACE = "prod";
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

const eventually = (look: () => unknown): Promise<unknown> => vi.waitFor(look, { timeout: 15_000, interval: 20 });

const dir = mkdtempSync(join(tmpdir(), "terminal-"));
let cluster: ClusterBehindKas;
let world: DashboardWorld;
let exit: HttpExit;
let address: string;
let pages: TerminalPage[];
let lines: Record<string, unknown>[];

beforeAll(async () => {
  cluster = await ClusterBehindKas.embedded(join(dir, "cluster"));
  await cluster.send("POST", "/api/v1/namespaces", { body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
  for (const [name, image] of [
    ["full", "example/web:1"],
    ["busy", "busybox:1"],
    ["bare", "example/distroless:1"],
  ] as const)
    await runPod(name, image);
});
afterAll(async () => {
  await cluster.stop();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(async () => {
  pages = [];
  world = await DashboardWorld.open(["maintainer", "ann"]);
  world.kas.cluster = cluster.forward;
  world.kas.upgrade = cluster.upgrade;
  cluster.intercept = undefined;
});
afterEach(async () => {
  for (const page of pages) page.cut();
  await exit.close();
  await world.close();
});

async function runPod(name: string, image: string): Promise<void> {
  const spec = {
    containers: [
      { name: "web", image },
      { name: "side", image },
    ],
  };
  await cluster.send("POST", PODS, { body: { apiVersion: "v1", kind: "Pod", metadata: { name }, spec } });
  await eventually(async () => {
    const { status } = await cluster.send("GET", `${PODS}/${name}`);
    expect(status).toMatchObject({ containerStatuses: [{ state: { running: {} } }, { state: { running: {} } }] });
  });
}

/** The dashboard begins, with terminals. */
async function start(features: object = {}, clock: Clock = systemClock): Promise<void> {
  lines = [];
  const log = createLogger("web", "silent");
  const info = (fields: object, message: string): void => void lines.push({ ...fields, message });
  Object.assign(log, { info });
  world.start(clock, { features: featuresSchema.parse({ terminal: true, ...features }) }, log);
  const server = createWebServer({
    config: world.config,
    bff: world.bff,
    upgrade: world.bff.upgrade,
    handle: async (_request, response) => void response.end("page"),
    failed: () => undefined,
    refused: () => undefined,
    clock,
    build: "this-build",
    ready: () => true,
  });
  exit = new HttpExit(server, systemClock);
  address = await listen(server, "127.0.0.1:0");
}

type Asked = Partial<Pick<OpenTerminalRequest, "pod" | "container" | "shell" | "namespace">>;

function ticketFor(asked: Asked = {}, cookie?: string): Promise<OpenTerminalResponse> {
  const size = { columns: 80, rows: 24 };
  return world.clientWith(cookie).openTerminal({ ...NAMES, namespace: NAMESPACE, pod: "full", size, ...asked });
}

function page(opened: OpenTerminalResponse, options?: TerminalPageOptions): TerminalPage {
  const opening = new TerminalPage(address, opened, options);
  pages.push(opening);
  return opening;
}

async function openPage(asked: Asked = {}, options?: TerminalPageOptions): Promise<TerminalPage> {
  const opened = page(await ticketFor(asked, options?.cookie), options);
  await opened.until(() => opened.shells.length > 0);
  return opened;
}

const sentence = ({ words }: Pick<OpenTerminalResponse, "words">): string => (words ? renderEnglish(fromWordsMessage(words)) : "");
const records = (message: string) => lines.filter((line) => line["message"] === message);

describe("a terminal", () => {
  test("shows what the shell writes, takes what is typed and the size, ends with the exit code, and leaves two lines in the log", async () => {
    await start();
    const opened = await ticketFor();
    expect(opened).toMatchObject({ container: "web", production: true, recorded: false, roleYaml: "" });
    expect(opened.containers.map(({ name }) => name)).toEqual(["web", "side"]);
    const terminal = page(opened);
    await terminal.type("echo hel''lo\r", "hello");
    terminal.send({ case: "resize", value: { columns: 132, rows: 50 } });
    await terminal.type("stty size\r", "50 132");
    await terminal.until(() => terminal.inputCredit >= 7);
    terminal.send({ case: "stdin", value: Buffer.from("exit 7\r") });
    expect(await terminal.end()).toBe(1000);
    expect(terminal.ended).toMatchObject({ end: TerminalEnd.EXITED, exitCode: 7 });
    expect(terminal.shells).toEqual(["bash"]);
    await eventually(() => expect(records("terminal ended")).toHaveLength(1));
    const fields = { viewer: "maintainer", namespace: NAMESPACE, name: "full", container: "web", subresource: "exec" };
    expect(records("terminal begun")).toMatchObject([{ ...fields, purpose: { action: "terminal", environment: "production" } }]);
    expect(records("terminal ended")).toMatchObject([{ ...fields, outcome: "exited", exit_code: 7, program: "bash", bytes_in: 30 }]);
    expect(JSON.stringify(lines)).not.toMatch(/hello|stty/);
  });

  test.each([
    ["busy", ["ash"]],
    ["full", ["bash"]],
  ])("begins the first shell that the image of %s has", async (pod, shells) => {
    await start();
    const terminal = await openPage({ pod });
    expect(terminal.shells).toEqual(shells);
    expect(terminal.text).not.toMatch(/not found|failed/);
  });

  test("an image without a shell ends with NO_SHELL", async () => {
    await start();
    const terminal = page(await ticketFor({ pod: "bare" }));
    expect(await terminal.end()).toBe(1000);
    expect(terminal).toMatchObject({ text: "", ended: { end: TerminalEnd.NO_SHELL } });
  });

  test("is for the container and the shell that were chosen", async () => {
    await start();
    const terminal = await openPage({ container: "side", shell: "sh" });
    expect(terminal.shells).toEqual(["sh"]);
    const none = await ticketFor({ container: "none" });
    expect([none.ticket, sentence(none)]).toEqual(["", "container none does not run now"]);
    await expect(ticketFor({ shell: "/bin/evil" })).rejects.toMatchObject({ code: Code.InvalidArgument });
  });

  test("holds the source while its page takes nothing: little more is read of it, and all of it comes in the end", async () => {
    await start();
    const terminal = await openPage({}, { credit: 20_000, takesMore: false });
    await terminal.until(() => terminal.inputCredit > 100);
    terminal.send({ case: "stdin", value: Buffer.from("yes\r") });
    await terminal.until(() => terminal.outputBytes === 20_000);
    const passed = (): number =>
      [...cluster.upgraded].reduce((sum, socket) => sum + ("bytesWritten" in socket ? Number(socket.bytesWritten) : 0), 0);
    let before = -1;
    await eventually(() => {
      const now = passed();
      const isStill = now === before;
      before = now;
      expect(isStill).toBe(true);
    });
    expect(terminal.outputBytes).toBe(20_000);
    terminal.send({ case: "credit", value: 50_000 });
    await terminal.until(() => terminal.outputBytes === 70_000);
    terminal.send({ case: "credit", value: 1_000_000 });
    await terminal.until(() => terminal.outputBytes === 70_000 + 64 * 1024);
  });

  test("is refused where it is switched off, also for a tier", async () => {
    for (const features of [{ terminal: false }, { tiers: { production: { terminal: false } } }]) {
      await start(features);
      await expect(ticketFor()).rejects.toMatchObject({ code: Code.PermissionDenied });
      if (features.terminal !== false) break;
      await exit.close();
      await world.bff.close();
    }
  });

  test.each(["create", "get"])("is refused to whom the right to %s pods/exec is missing, with the Role", async (missing) => {
    await start();
    cluster.intercept = (request, response) => {
      if (!request.url?.endsWith("/selfsubjectaccessreviews")) return undefined;
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        // It is a SelfSubjectAccessReview of ours.
        const review = JSON.parse(Buffer.concat(chunks).toString()) as { spec: { resourceAttributes: { verb: string } } };
        const allowed = review.spec.resourceAttributes.verb !== missing;
        response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ ...review, status: { allowed } }));
      });
      return "handled";
    };
    const opened = await ticketFor();
    expect(opened.ticket).toBe("");
    expect(sentence(opened)).toBe("you may not create, get pods/exec in namespace prod");
    expect(opened.roleYaml).toContain("- pods/exec");
  });
});

describe("the end of a terminal", () => {
  test("T54: a sign-out ends it at once", async () => {
    await start();
    const cookie = await world.tokenCookie("ann");
    const terminal = await openPage({}, { cookie });
    const request = new Request(`${ORIGIN}/api/session`, { method: "DELETE", headers: { origin: ORIGIN, cookie } });
    await world.bff.session(request);
    expect(await terminal.end()).toBe(4401);
    expect(terminal.ended?.end).toBe(TerminalEnd.SIGNED_OUT);
    await eventually(() => expect(records("terminal ended")).toMatchObject([{ outcome: "signed_out", viewer: "ann" }]));
    await eventually(() => expect(cluster.upgraded.size).toBe(0));
  });

  test("T54: withdrawn access ends it with the next check", async () => {
    const clock = new HurriedClock();
    await start({}, clock);
    const terminal = await openPage();
    world.kas.allowed.delete("maintainer");
    await clock.skipUntil(() => terminal.code !== undefined, 10_000);
    expect(terminal).toMatchObject({ code: 4403, ended: { end: TerminalEnd.WITHDRAWN } });
  });

  test("T54: the end of the main application's session ends it with the next check", async () => {
    const clock = new HurriedClock();
    await start({}, clock);
    const terminal = await openPage();
    world.main.sessions.delete("session-maintainer");
    await clock.skipUntil(() => terminal.code !== undefined, 10_000);
    expect(terminal).toMatchObject({ code: 4401, ended: { end: TerminalEnd.SIGNED_OUT } });
  });

  test("T54: access that cannot be checked for a minute ends it", async () => {
    const clock = new HurriedClock();
    await start({}, clock);
    const terminal = await openPage();
    cluster.intercept = (request, response) => {
      if (!request.url?.endsWith("/selfsubjectaccessreviews")) return undefined;
      response.writeHead(500, { "content-type": "application/json" }).end("{}");
      return "handled";
    };
    await clock.skipUntil(() => terminal.code !== undefined, 10_000);
    expect(terminal).toMatchObject({ code: 4403, ended: { end: TerminalEnd.WITHDRAWN } });
  });

  test("an idle one ends, and one that lasts too long", async () => {
    for (const [session, end] of [
      [{ idle_timeout: "5m" }, TerminalEnd.IDLE],
      [{ idle_timeout: "1h", max_duration: "2m" }, TerminalEnd.TOO_LONG],
    ] as const) {
      const clock = new HurriedClock();
      await start({ terminal_session: session }, clock);
      const terminal = await openPage();
      await clock.skipUntil(() => terminal.code !== undefined, 20_000);
      expect(terminal).toMatchObject({ code: 4408, ended: { end } });
      if (end === TerminalEnd.TOO_LONG) break;
      await exit.close();
      await world.bff.close();
    }
  });

  test("a restarting process closes with 1012", async () => {
    await start();
    const terminal = await openPage();
    world.bff.drain();
    expect(await terminal.end()).toBe(1012);
    expect(terminal.ended?.end).toBe(TerminalEnd.RESTART);
  });

  test("a connection that breaks behind the dashboard closes with 1011", async () => {
    await start();
    const terminal = await openPage();
    for (const socket of cluster.upgraded) socket.destroy();
    expect(await terminal.end()).toBe(1011);
    expect(terminal.ended?.end).toBe(TerminalEnd.LOST);
  });

  test("a page that leaves ends the program", async () => {
    await start();
    const terminal = await openPage();
    terminal.cut();
    await eventually(() => expect(cluster.upgraded.size).toBe(0));
    await eventually(() => expect(records("terminal ended")).toMatchObject([{ outcome: "client_left" }]));
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
    await start();
    const terminal = await openPage();
    await terminal.until(() => terminal.inputCredit > 0);
    send(terminal);
    expect([1002, 1006, 1009]).toContain(await terminal.end());
    await eventually(() => expect(cluster.upgraded.size).toBe(0));
  });
});

describe("who may open a terminal's socket", () => {
  const opens = async (opened: OpenTerminalResponse, options?: TerminalPageOptions): Promise<number> => page(opened, options).end();

  test.each<readonly [string, TerminalPageOptions]>([
    ["a foreign Origin", { origin: "https://evil.example" }],
    ["the Origin of another port", { origin: "http://app.localhost:3001" }],
    ["no Origin", { origin: undefined }],
    ["the Origin of a sandboxed frame", { origin: "null" }],
  ])("T8: %s opens none", async (_, options) => {
    await start();
    const opened = await ticketFor();
    expect(await opens(opened, options)).toBe(403);
    // It was not used up.
    const terminal = page(opened);
    await terminal.until(() => terminal.shells.length > 0);
  });

  test("T9: a ticket is for its session alone", async () => {
    await start();
    const opened = await ticketFor();
    expect(await opens(opened, { cookie: "_gitlab_session=session-ann" })).toBe(403);
    expect(await opens(opened, { cookie: await world.tokenCookie("maintainer") })).toBe(403);
    expect(await opens(opened, { cookie: "" })).toBe(401);
  });

  test("T9: a ticket is good once", async () => {
    await start();
    const opened = await ticketFor();
    const first = page(opened);
    await first.until(() => first.shells.length > 0);
    expect(await opens(opened)).toBe(403);
  });

  test("T9: a ticket is good for 30 s", async () => {
    let aheadMs = 0;
    const clock: Clock = { now: () => systemClock.now() + aheadMs, after: (delayMs, action) => systemClock.after(delayMs, action) };
    await start({}, clock);
    const opened = await ticketFor();
    aheadMs = 30_000;
    expect(await opens(opened)).toBe(403);
  });

  test("T9: neither a text that was changed, nor one that is sealed for something else, nor none is a ticket", async () => {
    await start();
    const opened = await ticketFor();
    const sealed = (await world.tokenCookie("maintainer")).split("=")[1] ?? "";
    for (const ticket of [`${opened.ticket.slice(0, -2)}AA`, sealed, "x", ""]) expect(await opens({ ...opened, ticket })).toBe(403);
    expect(await opens(opened, { protocols: ["binnacle.v1"] })).toBe(403);
    expect(await opens(opened, { protocols: [`ticket.${opened.ticket}`] })).toBe(403);
  });

  test("T9: a ticket in the URL opens none, and none is ever sent back", async () => {
    await start();
    const opened = await ticketFor();
    expect(await opens(opened, { path: `/api/socket?ticket=${opened.ticket}`, protocols: ["binnacle.v1"] })).toBe(501);
    expect(await opens(opened, { path: "/api/socket/other" })).toBe(501);
    const terminal = page(opened);
    expect(await terminal.protocol).toBe("binnacle.v1");
  });

  test("T9: a ticket is for its pod, not for another one of the same name", async () => {
    await start();
    await runPod("twin", "example/web:1");
    const opened = await ticketFor({ pod: "twin" });
    await cluster.send("DELETE", `${PODS}/twin`, { body: { gracePeriodSeconds: 0 } });
    await eventually(() => runPod("twin", "example/web:1"));
    const terminal = page(opened);
    expect(await terminal.end()).toBe(4403);
    expect(terminal.ended?.end).toBe(TerminalEnd.REFUSED);
  });

  test("T8: a call for a ticket with a session cookie needs our Origin", async () => {
    await start();
    const program = world.clientWith("_gitlab_session=session-maintainer", {});
    const size = { columns: 80, rows: 24 };
    await expect(program.openTerminal({ ...NAMES, namespace: NAMESPACE, pod: "full", size })).rejects.toMatchObject({
      code: Code.PermissionDenied,
    });
  });

  test("sockets count among the streams of their session", async () => {
    await start();
    const cookie = "_gitlab_session=session-maintainer";
    const statuses: number[] = [];
    for (let at = 0; at < 41; at++) {
      const terminal = page(await ticketFor({}, cookie));
      await Promise.race([terminal.end(), terminal.protocol]);
      if (terminal.refusedStatus !== undefined) statuses.push(terminal.refusedStatus);
    }
    expect(statuses).toEqual([429]);
  });
});

describe("a recording", () => {
  test("has the output and the sizes with their times, and nothing that was typed without an echo", async () => {
    const directory = mkdtempSync(join(dir, "recordings-"));
    await start({ terminal_recording: { directory } });
    const opened = await ticketFor();
    expect(opened.recorded).toBe(true);
    const terminal = page(opened);
    await terminal.type("echo hel''lo\r", "hello");
    terminal.cut();
    await eventually(() => expect(records("terminal ended")).toMatchObject([{ recorded: true }]));
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
    await start({ terminal_recording: { directory: join(dir, "absent") } });
    const terminal = page(await ticketFor());
    expect(await terminal.end()).toBe(1011);
    expect(terminal).toMatchObject({ text: "", ended: { end: TerminalEnd.NOT_RECORDED } });
    expect(world.kas.requests.some((line) => line.includes("UPGRADE"))).toBe(false);
  });
});
