import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";

import { TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "@binnacle/grpc-wire";
import { until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { stringify } from "yaml";

import { ApiStandIn } from "./testing/api-stand-in.ts";
import { FakeKas } from "./testing/fake-kas.ts";
import { endBody, exchange, nextResponse, readResponse, startRequest } from "./testing/tunnelled-request.ts";
import { tlsFixture, tlsFixturePath } from "./testing/tls-fixtures.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

let directory: string;
let kas: FakeKas;
let api: ApiStandIn;
const children: ChildProcess[] = [];
const closers: (() => void)[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentk-main-"));
  kas = await FakeKas.listen();
  api = await ApiStandIn.listen();
  writeFileSync(join(directory, "token"), "glagent-test");
  const cluster = { server: api.url.origin };
  writeFileSync(
    join(directory, "kubeconfig"),
    stringify({
      "current-context": "a",
      contexts: [{ name: "a", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user: { token: "sa" } }],
    }),
  );
});

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  for (const close of closers.splice(0)) close();
  await kas.close();
  await api.close();
  rmSync(directory, { recursive: true });
});

function start(kasAddress: string, ...flags: string[]): { child: ChildProcess; stderr: () => string; exited: Promise<number | null> } {
  const args = [
    MAIN,
    "--kas-address",
    kasAddress,
    "--token-file",
    join(directory, "token"),
    "--kubeconfig",
    join(directory, "kubeconfig"),
    "--observability-listen-address",
    "127.0.0.1:0",
    "--ready-file",
    join(directory, "ready.json"),
    ...flags,
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"], env: { PATH: process.env["PATH"] } });
  children.push(child);
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const exited = once(child, "close").then(([code]: (number | null)[]) => code ?? null);
  return { child, stderr: () => text, exited };
}

/** Puts a front before the fake: TLS, WebSocket, or both. @returns the address to dial */
async function front(scheme: "grpcs" | "ws" | "wss"): Promise<string> {
  const tls = { cert: tlsFixture("server.pem"), key: tlsFixture("server.key") };
  let server: NetServer;
  if (scheme === "grpcs") {
    server = createTlsServer({ ...tls, ALPNProtocols: ["h2"] }, (socket) => void kas.server.emit("connection", socket));
    // A client that does not trust us ends the handshake; that is what the test wants.
    server.on("tlsClientError", () => {});
  } else {
    const http: Server = scheme === "wss" ? createHttpsServer(tls) : createHttpServer();
    const sockets = new WebSocketServer({
      server: http,
      handleProtocols: (offered) => (offered.has(TUNNEL_SUBPROTOCOL) ? TUNNEL_SUBPROTOCOL : false),
    });
    sockets.on("connection", (socket) => void kas.server.emit("connection", new WebSocketDuplex(socket)));
    closers.push(() => {
      for (const client of sockets.clients) client.terminate();
    });
    server = http;
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => void server.close());
  // The address of a listening TCP server is an AddressInfo.
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/-/agent/`;
}

describe("agentk", () => {
  test("serves requests, and after SIGTERM finishes the running one and exits with 0", async () => {
    const { child, exited } = start(`grpc://127.0.0.1:${kas.port}`);
    let finish = (): void => {};
    const tunnel = await kas.tunnel();
    const ready: unknown = JSON.parse(readFileSync(join(directory, "ready.json"), "utf8"));
    expect(ready).toEqual({ pid: child.pid, observability: expect.stringMatching(/^127\.0\.0\.1:\d+$/) });
    await kas.configuration();
    api.answer = (_request, response) => {
      response.flushHeaders();
      finish = () => response.end("done");
    };
    startRequest(tunnel, { path: "/slow" });
    endBody(tunnel);
    await nextResponse(tunnel);
    const idle = await kas.tunnel();
    child.kill("SIGTERM");
    expect(await idle.halfClosed).toBe(true);
    finish();
    expect(await readResponse(tunnel)).toMatchObject({ body: "done", end: { code: 0 } });
    expect(await exited).toBe(0);
  });

  test("stops within its grace even when a watch does not end", async () => {
    const { child, exited } = start(`grpc://127.0.0.1:${kas.port}`, "--shutdown-grace", "0.1");
    api.answer = (_request, response) => response.flushHeaders();
    const tunnel = await kas.tunnel();
    startRequest(tunnel, { path: "/watch" });
    endBody(tunnel);
    await nextResponse(tunnel);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  test.each(["grpcs", "ws", "wss"] as const)("serves requests over %s", async (scheme) => {
    start(await front(scheme), "--ca-cert-file", tlsFixturePath("ca.pem"));
    expect((await exchange(await kas.tunnel(), { path: "/x" })).body).toBe("{}");
  });

  test.each(["grpcs", "wss"] as const)(
    "does not connect over %s to a server whose certificate it does not trust, and logs why",
    async (scheme) => {
      const { stderr } = start(await front(scheme), "--ca-cert-file", tlsFixturePath("other-ca.pem"));
      await until(() => stderr().includes("cannot connect to kas"), stderr);
      expect(stderr()).toContain("unable to verify the first certificate");
      expect(kas.sessions).toHaveLength(0);
    },
  );

  test("says why kas refuses its token, tries again, and prints the token nowhere", async () => {
    kas.refuse = { code: 16, message: "unknown agent token" };
    const { stderr } = start(`grpc://127.0.0.1:${kas.port}`);
    await kas.refusals(12);
    // What it prints comes by another way than what it asks, and may come later.
    await until(() => stderr().includes("unknown agent token"), stderr);
    expect(stderr()).not.toContain("glagent-test");
    kas.refuse = undefined;
    expect((await exchange(await kas.tunnel(), { path: "/x" })).statusCode).toBe(200);
  });

  test.each([
    [["--nonsense"], "--nonsense"],
    [["--context", "none"], 'contexts has no entry named "none"'],
    [["--ca-cert-file", "/nowhere"], "--ca-cert-file: ENOENT"],
  ])("exits with 2 and a sentence when misconfigured: %j", async (flags, sentence) => {
    const { exited, stderr } = start("grpc://127.0.0.1:1", ...flags);
    expect(await exited).toBe(2);
    expect(stderr()).toContain(sentence);
    expect(existsSync(join(directory, "ready.json"))).toBe(false);
  });

  test("names the listener and the flag when its port is taken", async () => {
    const { exited, stderr } = start("grpc://127.0.0.1:1", "--observability-listen-address", api.url.host);
    expect(await exited).toBe(1);
    expect(stderr()).toMatch(/observability listener cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE.*--observability-listen-address/);
  });
});
