import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";

import { systemClock } from "@binnacle/rpc";
import { until } from "@binnacle/testing";
import { describe, expect, onTestFinished, test } from "vitest";

import { MAX_DROPPED_BYTES } from "../../http-exchange/dropped-rest.ts";
import type { TestKas } from "../../kas-routing/testing/kas-bench.ts";
import { kasOf } from "../../kas-routing/testing/kas-of.ts";
import { PAT, PREFIX, ProxyUnderTest, USER } from "./testing/proxy-under-test.ts";
import { ScriptedGoAgent, type GoRelease, type ScriptedGoAgentOptions } from "../../testing/scripted-go-agent.ts";
import { SharedRoutes } from "../../kas-routing/testing/shared-routes.ts";

const PODS = `${PREFIX}api/v1/namespaces/default/pods`;
const REFUSAL = JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", code: 403, message: "pods is forbidden" });
const EARLY = { status: 403, headers: { "content-type": "application/json", "content-length": String(REFUSAL.length) }, body: REFUSAL };

/** What a client hears; `cut` when its connection broke before the end of the answer. */
interface Heard {
  readonly status: number;
  readonly body: string;
  readonly cut: boolean;
}

/** A change with a body of so many bytes, on a connection of its own. */
function post(proxy: ProxyUnderTest, bytes: number, headers: Readonly<Record<string, string>> = PAT): Promise<Heard> {
  const [host, port] = proxy.address.split(":");
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, path: PODS, method: "POST", agent: false, headers: { ...headers, "content-length": bytes } });
    sent.on("response", (answer) => {
      let body = "";
      answer.on("data", (piece: Buffer) => (body += piece.toString()));
      const end = (cut: boolean) => (): void => {
        sent.destroy();
        resolve({ status: answer.statusCode ?? 0, body, cut });
      };
      answer.on("end", end(false)).on("error", end(true));
    });
    sent.on("error", reject);
    sent.end(Buffer.alloc(bytes, "x"));
  });
}

/** One kas, or two of which the second has the agent. The first serves clients, who act as the agent itself or as users. */
async function world(hops: 0 | 1, agent: Omit<ScriptedGoAgentOptions, "token">): Promise<{ proxy: ProxyUnderTest; kas: TestKas }> {
  const routes = new SharedRoutes();
  const options = { routes: (kasId: string, url: string) => routes.storeOf(kasId, url) };
  const first = await kasOf(options);
  const kas = hops === 0 ? first : await kasOf(options);
  const proxy = await ProxyUnderTest.start({ router: first.router, clock: systemClock });
  onTestFinished(() => proxy.stop());
  if (agent.release === "14.1.1") proxy.application.answer = () => ({ status: 200, body: { ...USER, access_as: { agent: {} } } });
  const go = await ScriptedGoAgent.connect(kas.agentUrl, { ...agent, token: "agent-7" });
  onTestFinished(() => go.stop());
  await until(() => kas.registry.counts().idle > 0);
  return { proxy, kas };
}

const RELEASES: readonly GoRelease[] = ["14.1.1", "16.5.0"];
const HOPS = [0, 1] as const;

describe.each(RELEASES)("an agent like Go's %s that answers before it reads and then fails its call", (release) => {
  describe.each(HOPS)("over %i hops", (hops) => {
    test.each([30, 60_000, 700_000])("gives 30 changes of %i bytes the API server's 403, with all of its body", async (bytes) => {
      let withFailure = false;
      const { proxy, kas } = await world(hops, { release, early: () => ({ ...EARLY, withFailure: (withFailure = !withFailure) }) });
      for (let count = 0; count < 30; count += 1)
        expect(await post(proxy, bytes), `change ${count}`).toEqual({ status: 403, body: REFUSAL, cut: false });
      // No tunnel hangs in a request that is over.
      await until(() => kas.registry.counts().open === kas.registry.counts().idle);
    });

    test("gives an answer of unknown length whole", async () => {
      const { proxy } = await world(hops, { release, early: () => ({ ...EARLY, headers: { "content-type": "application/json" } }) });
      expect(await post(proxy, 700_000)).toEqual({ status: 403, body: REFUSAL, cut: false });
    });

    test("gives header and what came of an answer that is cut, and a broken connection", async () => {
      const { proxy } = await world(hops, { release, early: () => ({ ...EARLY, cutAfter: 10, withFailure: true }) });
      expect(await post(proxy, 60_000)).toEqual({ status: 403, body: REFUSAL.slice(0, 10), cut: true });
    });
  });
});

test.each([301, 401, 409, 413, 429, 500, 503])("an early %i stays what it is", async (status) => {
  const { proxy } = await world(1, { release: "16.5.0", early: () => ({ ...EARLY, status }) });
  expect(await post(proxy, 700_000)).toEqual({ status, body: REFUSAL, cut: false });
});

describe("T45: a client that sends on after its answer", () => {
  test("reads kas' own refusal although its body was not read", async () => {
    const { proxy } = await world(0, { release: "16.5.0", early: () => EARLY });
    expect((await post(proxy, 700_000, { authorization: "nothing" })).status).toBe(401);
  });

  test.each([
    ["the API server", PAT, 403],
    ["kas", { authorization: "nothing" }, 401],
  ])("loses its connection after 1 MiB when %s refused", async (_name, credential, status) => {
    const { proxy } = await world(0, { release: "16.5.0", early: () => EARLY });
    const socket = proxy.dial();
    socket.on("error", () => undefined);
    let received = "";
    socket.on("data", (piece: Buffer) => (received += piece.toString()));
    const lines = [
      "POST",
      PODS,
      "HTTP/1.1\r\nHost: kas\r\nAuthorization:",
      credential.authorization,
      "\r\nTransfer-Encoding: chunked\r\n\r\n",
    ];
    socket.write(`${lines.join(" ")}1\r\nx\r\n`);
    await until(() => received.includes(`HTTP/1.1 ${status} `));
    const piece = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(64 * 1024), Buffer.from("\r\n")]);
    let accepted = 0;
    const more = (): void => {
      if (socket.destroyed) return;
      accepted += 64 * 1024;
      socket.write(piece, (error) => error ?? setImmediate(more));
    };
    more();
    await until(() => socket.destroyed);
    expect(accepted).toBeGreaterThan(MAX_DROPPED_BYTES);
  });

  test("can send its next request on the same connection when the rest was small", async () => {
    const { proxy } = await world(0, { release: "16.5.0", early: () => EARLY });
    const socket = proxy.dial();
    onTestFinished(() => void socket.destroy());
    let received = "";
    socket.on("data", (piece: Buffer) => (received += piece.toString()));
    const head = `POST ${PODS} HTTP/1.1\r\nHost: kas\r\nAuthorization: ${PAT.authorization}\r\nContent-Length: 700000\r\n\r\n`;
    const body = "x".repeat(350_000);
    for (let count = 1; count <= 3; count += 1) {
      socket.write(head + body);
      await until(() => received.split(REFUSAL).length === count + 1);
      socket.write(body);
    }
    expect(received.match(/HTTP\/1\.1 403 /g)).toHaveLength(3);
  });
});

describe("a client that sends `Expect: 100-continue`", () => {
  /** What comes back on a bare connection after the head of a change, whose body follows after 100 Continue. */
  function expecting(proxy: ProxyUnderTest, authorization: string) {
    const socket = proxy.dial();
    onTestFinished(() => void socket.destroy());
    const heard = { text: "", closed: false };
    socket.on("error", () => undefined).on("close", () => (heard.closed = true));
    socket.on("data", (piece: Buffer) => {
      heard.text += piece.toString();
      if (piece.toString().startsWith("HTTP/1.1 100 Continue")) socket.write("body");
    });
    const lines = [`POST ${PODS} HTTP/1.1`, "Host: kas", `Authorization: ${authorization}`, "Content-Length: 4", "Expect: 100-continue"];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    return heard;
  }

  test.each(HOPS)("is rejected by the API server without 100 Continue, over %i hops", async (hops) => {
    const { proxy } = await world(hops, { release: "16.5.0", early: () => EARLY });
    const heard = expecting(proxy, PAT.authorization);
    await until(() => heard.closed);
    expect(heard.text).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[^]*connection: close\r\n/i);
    expect(heard.text).toContain(REFUSAL);
  });

  test("is rejected by kas without 100 Continue", async () => {
    const { proxy } = await world(0, { release: "16.5.0", early: () => EARLY });
    const heard = expecting(proxy, "nothing");
    await until(() => heard.closed);
    expect(heard.text).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  });

  test("receives the 100 Continue of the API server", async () => {
    const proxy = await ProxyUnderTest.start();
    onTestFinished(() => proxy.stop());
    proxy.router.onOpen = (call) => setImmediate(() => call.respond(100));
    const heard = expecting(proxy, PAT.authorization);
    await until(() => heard.text.includes("{}"));
    expect(heard.text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    const [message] = proxy.call().messages.slice(1);
    expect(message?.message).toMatchObject({ case: "data", value: { data: Buffer.from("body") } });
  });
});

test("a success whose server reads on while it answers is not ended early", async () => {
  const proxy = await ProxyUnderTest.start({ clock: systemClock });
  onTestFinished(() => proxy.stop());
  proxy.router.onOpen = (call) => setImmediate(() => call.respond(200));
  proxy.router.onRequest = (call) => {
    call.data(String(call.messages.filter(({ message }) => message.case === "data").length > 0));
    call.finish();
  };
  const [host, port] = proxy.address.split(":");
  const sent = httpRequest({ host, port, path: PODS, method: "POST", agent: false, headers: { ...PAT, "transfer-encoding": "chunked" } });
  const answer = new Promise<string>((resolve, reject) => {
    sent.on("error", reject).on("response", (response) => {
      sent.end("later");
      text(response).then(resolve, reject);
    });
  });
  sent.flushHeaders();
  expect(await answer).toBe("true");
});
