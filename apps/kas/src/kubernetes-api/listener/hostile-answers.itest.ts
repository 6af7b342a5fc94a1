import { Agent } from "node:http";
import { text } from "node:stream/consumers";

import { settle, until } from "@binnacle/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { PAT, PREFIX, ProxyUnderTest } from "./testing/proxy-under-test.ts";

const PODS = `${PREFIX}api/v1/pods`;
const FORGED = 'HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n{"kind":"Secret"}';

let kas: ProxyUnderTest;
beforeEach(async () => {
  kas = await ProxyUnderTest.start();
});
afterEach(() => kas.stop());

/** Everything that arrives on a connection until it is closed. */
function listen(socket: ReturnType<ProxyUnderTest["dial"]>): { readonly received: () => string; readonly closed: Promise<void> } {
  let received = "";
  socket.on("data", (piece: Buffer) => (received += piece.toString()));
  socket.on("error", () => undefined);
  return { received: () => received, closed: new Promise((resolve) => socket.once("close", () => resolve())) };
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${PAT.authorization}\r\n\r\n`;

describe("KB3, T12, T15, T16: the answer of one agent never becomes the answer to another request", () => {
  test("KB3, T16: excess cuts the connection, and the next user on it never reads the agent's words", async () => {
    kas.router.onRequest = (call) => {
      call.respond(200, { "Content-Length": ["2"], "Content-Type": ["application/json"] });
      call.data("{}");
    };
    const socket = kas.dial();
    const client = listen(socket);
    socket.write(get(PODS));
    await until(() => client.received().endsWith("{}"));
    // The client takes the response as complete and sends another user's request.
    socket.write(get(`${PREFIX}api/v1/secrets`));
    await settle();
    kas.call(0).data(FORGED);
    await client.closed;
    expect(client.received()).not.toContain("Secret");
    expect(client.received().match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(kas.call(0).cancelled).toBe(true);
    expect(kas.violations).toEqual([[7n, "answer_broken"]]);
  });

  test("KB3: excess in the very turn of the answer is a refusal, and nothing of it is sent", async () => {
    kas.router.onRequest = (call) => {
      call.respond(200, { "Content-Length": ["2"] });
      call.data(`{}${FORGED}`);
    };
    expect(await kas.refusal(PODS)).toMatchObject({ status: 502, kind: "Status", reason: "answer_broken", stage: "answered" });
    expect(kas.violations).toHaveLength(1);
  });

  test("KB3: a shortfall cuts the connection instead of leaving the client waiting", async () => {
    kas.router.onRequest = (call) => {
      call.respond(200, { "Content-Length": ["100"] });
      call.data("{}");
    };
    const answer = await kas.send(PODS);
    kas.call().finish();
    await expect(text(answer.body)).rejects.toThrow(/aborted/);
    expect(kas.violations).toEqual([[7n, "answer_broken"]]);
  });

  test.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("KB3: a body after %s %i is not sent", async (method, status) => {
    kas.router.onRequest = (call) => {
      call.respond(status, { "Content-Length": ["5"] });
    };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const answer = await kas.send(PODS, { method, agent });
    expect(answer.statusCode).toBe(status);
    kas.call().data("12345");
    answer.body.resume();
    await until(() => kas.call().cancelled);
    expect(kas.violations).toEqual([[7n, "answer_broken"]]);
    agent.destroy();
  });

  test("KB3: honest answers of known and unknown length keep the connection", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (const headers of [{ "Content-Length": ["2"] }, {}, { "CONTENT-LENGTH": ["2"] }]) {
      kas.router.onRequest = (call) => {
        call.respond(200, headers);
        call.data("{}");
        call.finish();
      };
      const answer = await kas.send(PODS, { agent });
      expect(await text(answer.body)).toBe("{}");
      await settle();
    }
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(1);
    agent.destroy();
  });

  test("an answer to HEAD keeps the length of what a GET would bring", async () => {
    kas.router.onRequest = (call) => {
      call.respond(200, { "Content-Length": ["1234"] });
      call.finish();
    };
    expect((await kas.send(PODS, { method: "HEAD" })).headers["content-length"]).toBe("1234");
  });
});

test.each(["a\r\nSet-Cookie: x=1", "a\nb"])("T5, T15: the header value %j is refused, and the process lives", async (value) => {
  kas.router.onRequest = (call) => {
    call.respond(200, { Etag: [value] });
    call.finish();
  };
  expect(await kas.refusal(PODS)).toMatchObject({ status: 502, reason: "answer_broken" });
});

test("a hundred agents that break the protocol at once cut a hundred responses and no others", async () => {
  kas.router.onRequest = (call) => {
    call.respond(200, { "Content-Length": ["1"] });
  };
  const liars = await Promise.all(Array.from({ length: 100 }, () => kas.send(PODS)));
  const ended = liars.map((answer) => text(answer.body).catch(() => "cut"));
  for (const call of kas.router.calls) call.data("two");
  expect(new Set(await Promise.all(ended))).toEqual(new Set(["cut"]));
  kas.router.onRequest = (call) => {
    call.respond(200);
    call.data("honest");
    call.finish();
  };
  expect(await text((await kas.send(PODS)).body)).toBe("honest");
});

test("a small answer leaves in one write, a quiet watch at once", async () => {
  kas.router.onRequest = (call) => {
    call.respond(200);
    call.data("small");
    call.finish();
  };
  const socket = kas.dial();
  const pieces: string[] = [];
  socket.on("data", (piece: Buffer) => pieces.push(piece.toString()));
  socket.write(get(PODS));
  await until(() => pieces.join("").includes("small"));
  expect(pieces).toHaveLength(1);
  expect(pieces[0]).toMatch(/^HTTP\/1\.1 200 OK[^]*small/);
  kas.router.onRequest = (call) => call.respond(200);
  socket.write(get(`${PODS}?watch=true`));
  await until(() => pieces.length === 2);
  expect(pieces[1]).toMatch(/^HTTP\/1\.1 200 OK/);
  socket.destroy();
});
