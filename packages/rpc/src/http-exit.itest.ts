import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

import { afterEach, beforeEach, expect, test } from "vitest";

import { systemClock } from "./clock.ts";
import { HttpExit } from "./http-exit.ts";

let server: Server;
let exit: HttpExit;
let port = 0;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const sockets: Socket[] = [];
const kept = new Agent({ keepAlive: true, maxSockets: 1 });

beforeEach(async () => {
  answer = (_request, response) => response.end("done");
  server = createServer();
  exit = new HttpExit(server, systemClock);
  server.on("request", (request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an AddressInfo.
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  kept.destroy();
  await exit.close();
});

function ask(path = "/"): Promise<{ readonly connection: string | undefined; readonly text: string }> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent: kept }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve({ connection: response.headers.connection, text }));
      response.on("error", reject);
    }).on("error", reject);
  });
}

const never = new AbortController().signal;

test("KS3: a kept connection gets one more answer while the server leaves, which says that it was the last", async () => {
  expect(await ask()).toEqual({ connection: "keep-alive", text: "done" });
  const drained = exit.drain(never);
  expect(await ask()).toEqual({ connection: "close", text: "done" });
  await drained;
  await expect(ask()).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("a running answer is waited for, and nothing new is accepted meanwhile", async () => {
  let running: ServerResponse | undefined;
  answer = (_request, response) => (running = response);
  const asked = ask();
  await expect.poll(() => running).toBeDefined();
  let drained = false;
  const draining = exit.drain(never).then(() => (drained = true));
  const late = connect(port, "127.0.0.1");
  sockets.push(late);
  await expect(new Promise((resolve, reject) => late.on("connect", resolve).on("error", reject))).rejects.toMatchObject({
    code: "ECONNREFUSED",
  });
  expect(drained).toBe(false);
  running?.end("late");
  expect(await asked).toEqual({ connection: "close", text: "late" });
  await draining;
  expect(exit.running).toBe(0);
});

test("KS2: a connection that says nothing holds nobody up", async () => {
  const silent = connect(port, "127.0.0.1");
  sockets.push(silent);
  await new Promise((resolve) => silent.once("connect", resolve));
  const cut = new Promise((resolve) => silent.once("close", resolve));
  await exit.drain(never);
  await exit.close();
  await expect(cut).resolves.toBeDefined();
});

test("the deadline ends the wait for an answer that never ends", async () => {
  answer = (_request, response) => void response.write("and so on");
  const asked = ask();
  await expect.poll(() => exit.running).toBe(1);
  const deadline = new AbortController();
  const draining = exit.drain(deadline.signal);
  deadline.abort();
  await draining;
  await exit.close();
  await expect(asked).rejects.toMatchObject({ code: "ECONNRESET" });
});
