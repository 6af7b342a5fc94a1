import { text } from "node:stream/consumers";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { PREFIX, ProxyUnderTest } from "./testing/proxy-under-test.ts";

let proxy: ProxyUnderTest;
beforeEach(async () => {
  proxy = await ProxyUnderTest.start();
});
afterEach(() => proxy.stop());

describe("streamed answers", () => {
  test("the header leaves before the first event, and each event before the next is made", async () => {
    proxy.router.onRequest = (call) => call.respond(200, { "Content-Type": ["application/json"] });
    const answer = await proxy.send(`${PREFIX}api/v1/pods?watch=true`);
    expect(answer.statusCode).toBe(200);
    const events = answer.body[Symbol.asyncIterator]();
    for (let n = 0; n < 100; n += 1) {
      proxy.call().data(`${n}\n`);
      const event = await events.next();
      expect(String(event.value)).toBe(`${n}\n`);
    }
    proxy.call().finish();
    expect((await events.next()).done).toBe(true);
  });

  test("a client that leaves cancels the call", async () => {
    proxy.router.onRequest = (call) => call.respond(200);
    const answer = await proxy.send(`${PREFIX}api/v1/pods?watch=true`);
    answer.body.on("error", () => undefined);
    answer.body.destroy();
    await expect.poll(() => proxy.call().cancelled).toBe(true);
  });

  test("a client that does not read stops the agent, and nothing is lost when it reads again", async () => {
    const chunk = Buffer.alloc(64 * 1024, 1);
    const total = 200;
    let sent = 0;
    proxy.router.onRequest = (call) => {
      call.respond(200, { "Content-Type": ["application/json"] });
      const pump = (): void => {
        while (!call.paused && sent < total) {
          sent += 1;
          call.data(chunk);
        }
        if (sent < total) setImmediate(pump);
        else call.finish();
      };
      pump();
    };
    const answer = await proxy.send(`${PREFIX}big`);
    let stalledAt = -1;
    await expect
      .poll(() => {
        const before = stalledAt;
        stalledAt = sent;
        return before === sent && sent > 0;
      })
      .toBe(true);
    expect(sent).toBeLessThan(total);
    let bytes = 0;
    for await (const piece of answer.body) bytes += (piece as Buffer).length;
    expect(bytes).toBe(total * chunk.length);
  });

  test("an answer that ends early is cut, never ended as if it were whole", async () => {
    proxy.router.onRequest = (call) => {
      call.respond(200);
      call.data("half");
    };
    const answer = await proxy.send(`${PREFIX}api`);
    proxy.call().fail(14, "tunnel broken");
    await expect(text(answer.body)).rejects.toThrow(/aborted|terminated|hang up/);
  });
});
