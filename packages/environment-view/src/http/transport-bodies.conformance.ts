import type { IncomingMessage } from "node:http";

import { ManualClock, until } from "@binnacle/testing";
import { expect, onTestFinished, test } from "vitest";

import {
  answerOf,
  arrivalOf,
  change,
  CHANGES,
  MIB,
  NEVER,
  outcomeOf,
  PATH,
  Source,
  streamOf,
  text,
  type Arrival,
  type TransportScene,
} from "./transport-scene.ts";

/** What both sides' sockets and the kernel hold comes on top of what a transport holds. */
const MAX_ON_THE_WAY = 48 * MIB;

/** Bodies up and down: as they were sent, no faster than they are read, and broken off when anything about them breaks. */
export function describeBodies({ transportTo }: TransportScene): void {
  test.each(CHANGES)("%s with %s arrives as it was sent, as text and streamed, and its connection serves on", async (method, type) => {
    const arrived: Arrival[] = [];
    const transport = await transportTo((request, response) => {
      void arrivalOf(request).then((arrival) => {
        arrived.push(arrival);
        response.writeHead(201, { "x-answer": "yes" }).end("ä");
      });
    });
    for (const body of ['{"a":"ü"}', "", "x".repeat(MIB)]) {
      for (const given of [body, streamOf([body.slice(0, 3), "", body.slice(3)])]) {
        const response = await transport.request({ ...change(given), method, contentType: type }, NEVER);
        expect([response.status, response.header("X-Answer"), await text(response)]).toEqual([201, "yes", "ä"]);
        expect(arrived.pop()).toMatchObject({ method, url: PATH, type, accept: "application/json", text: body });
      }
    }
  });

  test("GET and HEAD have no body, up; the answer to HEAD has none, down", async () => {
    const arrived: Arrival[] = [];
    const transport = await transportTo((request, response) => {
      void arrivalOf(request).then((arrival) => {
        arrived.push(arrival);
        response.writeHead(200, { "content-length": "5" }).end(request.method === "HEAD" ? "" : "whole");
      });
    });
    for (const method of ["GET", "HEAD", "GET"] as const) {
      const response = await transport.request({ method, path: PATH, accept: "*/*" }, NEVER);
      expect([response.status, response.header("content-length"), await text(response)]).toEqual([
        200,
        "5",
        method === "HEAD" ? "" : "whole",
      ]);
    }
    expect(arrived.map((arrival) => [arrival.method, arrival.text, arrival.type])).toEqual([
      ["GET", "", undefined],
      ["HEAD", "", undefined],
      ["GET", "", undefined],
    ]);
  });

  test("a server that reads slowly is never more than the sockets' room behind its source", async () => {
    let pulled = 0;
    let received = 0;
    let most = 0;
    const whole = 3 * MAX_ON_THE_WAY;
    async function* source(): AsyncGenerator<Uint8Array> {
      while (pulled < whole) {
        pulled += MIB;
        most = Math.max(most, pulled - received);
        yield await Promise.resolve(Buffer.alloc(MIB));
      }
    }
    const transport = await transportTo((request, response) => {
      void slowly(request, (bytes) => (received += bytes)).then(() => response.end("{}"));
    });
    const response = await transport.request(change(source()), NEVER);
    await text(response);
    expect([pulled, received]).toEqual([whole, whole]);
    expect(most).toBeLessThan(MAX_ON_THE_WAY);
  });

  test("an upload that its server does not read is cut after a minute, and its source let go", async () => {
    const clock = new ManualClock();
    const source = new Source(() => Promise.resolve(Buffer.alloc(MIB)));
    const transport = await transportTo((request) => request.pause(), clock);
    const failure = outcomeOf(transport.request(change(source), NEVER));
    await clock.advanceUntil(() => failure.settled);
    expect(failure.error).toMatchObject({ failure: "timeout", message: "the upload stalled", stage: "started" });
    await until(() => source.returned === 1);
    expect(source.pulled).toBeLessThan(MAX_ON_THE_WAY / MIB);
    clock.assertIdle();
  });

  test("an upload whose source gives nothing for a minute is cut, and the server never takes it for a whole one", async () => {
    const clock = new ManualClock();
    const source = new Source((turn) => (turn < 2 ? Promise.resolve(Buffer.from("half")) : new Promise(() => {})));
    const broken = Promise.withResolvers<Arrival>();
    const transport = await transportTo((request) => void arrivalOf(request).then(broken.resolve), clock);
    const failure = outcomeOf(transport.request(change(source), NEVER));
    await until(() => source.pulled === 3);
    await clock.advanceUntil(() => failure.settled, 1_000);
    expect(failure.error).toMatchObject({ failure: "timeout", stage: "started" });
    expect(await broken.promise).toMatchObject({ isWhole: false, text: "halfhalf" });
    await until(() => source.returned === 1);
    clock.assertIdle();
  });

  test("a source that fails breaks the request off, and its error is the cause", async () => {
    const cause = new Error("the file is gone");
    const begun = Promise.withResolvers<void>();
    const fail = (): Promise<never> => begun.promise.then(() => Promise.reject(cause));
    const source = new Source((turn) => (turn < 2 ? Promise.resolve(Buffer.from("half")) : fail()));
    const broken = Promise.withResolvers<Arrival>();
    const transport = await transportTo((request) => {
      request.once("data", () => begun.resolve());
      void arrivalOf(request).then(broken.resolve);
    });
    const failure = transport.request(change(source), NEVER);
    await expect(failure).rejects.toMatchObject({ name: "KubeClientError", message: "the upload broke off", cause, stage: "started" });
    expect(await broken.promise).toMatchObject({ isWhole: false });
  });

  test("a signal ends an upload in the middle, and lets a source go that would not have given anything more", async () => {
    const stop = new AbortController();
    const source = new Source((turn) => (turn < 1 ? Promise.resolve(Buffer.from("half")) : new Promise(() => {})));
    const broken = Promise.withResolvers<Arrival>();
    const transport = await transportTo((request) => {
      request.once("data", () => stop.abort());
      void arrivalOf(request).then(broken.resolve);
    });
    await expect(transport.request(change(source), stop.signal)).rejects.toMatchObject({ failure: "connection", stage: "started" });
    expect(await broken.promise).toMatchObject({ isWhole: false });
    await until(() => source.returned === 1);
  });

  test("a signal while an answer that has arrived is read reports no error on its connection, and the next request is answered", async () => {
    const transport = await transportTo((_request, response) => response.end("whole"));
    const uncaught: unknown[] = [];
    const note = (error: unknown): void => void uncaught.push(error);
    process.on("uncaughtException", note);
    onTestFinished(() => void process.off("uncaughtException", note));
    for (let request = 0; request < 3; request += 1) {
      const stop = new AbortController();
      const { body } = await transport.request({ method: "GET", path: PATH, accept: "*/*" }, stop.signal);
      await body[Symbol.asyncIterator]().next();
      stop.abort();
      expect(await answerOf(transport, { method: "GET", path: PATH, accept: "*/*" })).toEqual({ status: 200, text: "whole" });
    }
    expect(uncaught).toEqual([]);
  });

  test("an answer before the end of an upload is the answer; no more is read from the source, and the next request is well", async () => {
    const requests: string[] = [];
    const transport = await transportTo((request, response) => {
      requests.push(`${request.method}`);
      if (request.method === "GET") response.end("well");
      else request.once("data", () => response.writeHead(413, { connection: "close" }).end("too much"));
    });
    for (const given of [Buffer.alloc(MIB), Buffer.from("x")]) {
      // The second one gives a byte and then waits.
      const source = new Source((turn) => (given.length > 1 || turn === 0 ? Promise.resolve(given) : new Promise(() => {})));
      const answer = await answerOf(transport, change(source));
      expect(answer).toEqual({ status: 413, text: "too much" });
      await until(() => source.returned === 1);
      expect(await answerOf(transport, { method: "GET", path: PATH, accept: "*/*" })).toEqual({ status: 200, text: "well" });
    }
    expect(requests).toEqual(["PATCH", "GET", "PATCH", "GET"]);
  });
}

/** Reads to the end, with turns of the event loop between the chunks. */
async function slowly(request: IncomingMessage, read: (bytes: number) => void): Promise<void> {
  // A server's chunks are Buffers as long as no encoding is set.
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    read(chunk.length);
    for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}
