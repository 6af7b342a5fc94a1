import { createStatus } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { expect, test } from "vitest";

import { ByteBudget } from "../limits/byte-budget.ts";
import { kindOf } from "../testing/fake-cluster.ts";
import { HttpKubeClient } from "./http-kube-client.ts";
import { readText } from "./read-body.ts";
import { ScriptedTransport } from "./scripted-transport.ts";

const NEVER = new AbortController().signal;
const PODS = kindOf("/v1/pods/Pod");
const MIB = 1024 * 1024;
const PIECE = " ".repeat(64 * 1024);

function* endless(first: string): Generator<string> {
  yield first;
  for (;;) yield PIECE;
}

const REQUESTS = {
  "a page of a list": {
    mib: 64,
    ask: (client: HttpKubeClient) => client.list({ kind: PODS, namespace: "a", limit: 500, metadataOnly: false }, NEVER),
  },
  "an object": { mib: 16, ask: (client: HttpKubeClient) => client.get({ kind: PODS, namespace: "a", name: "b" }, NEVER) },
  discovery: { mib: 16, ask: (client: HttpKubeClient) => client.discover(undefined, NEVER) },
  "an answer of one's own": { mib: 16, ask: (client: HttpKubeClient) => client.json({ path: "/x" }, NEVER) },
} as const;

test.each(Object.entries(REQUESTS))(
  "XS4, T14, T15: %s without end is cut at its limit, and nothing is read after that",
  async (_, { mib, ask }) => {
    const transport = new ScriptedTransport(() => ({ pieces: endless("{") }));
    await expect(ask(new HttpKubeClient(transport))).rejects.toMatchObject({
      failure: "too_large",
      message: `the answer is longer than ${mib} MiB`,
    });
    const bodies = transport.requests.length;
    expect(transport.closed).toBe(bodies);
    expect(transport.sent).toBeLessThanOrEqual(bodies * (mib * MIB + 2 * PIECE.length));
  },
);

test("XS4: an answer that announces too much is not begun", async () => {
  const transport = new ScriptedTransport(() => ({ headers: { "content-length": String(65 * MIB) }, pieces: endless("{") }));
  await expect(REQUESTS["a page of a list"].ask(new HttpKubeClient(transport))).rejects.toMatchObject({ failure: "too_large" });
  expect([transport.sent, transport.closed]).toEqual([0, 1]);
});

test("XS4, T15: a refusal without end is a refusal all the same, read up to 1 MiB", async () => {
  const transport = new ScriptedTransport(() => ({ status: 403, pieces: endless('{"kind":"Status","message":"') }));
  await expect(REQUESTS["an object"].ask(new HttpKubeClient(transport))).rejects.toMatchObject({ failure: "api", status: { code: 403 } });
  expect(transport.closed).toBe(1);
  expect(transport.sent).toBeLessThanOrEqual(MIB + 2 * PIECE.length);
});

test("XS4: of what a refusal says no more is kept than people read", async () => {
  const transport = new ScriptedTransport(() => ({ status: 403, body: createStatus(403, "x".repeat(100_000)) }));
  const refused = REQUESTS["an object"].ask(new HttpKubeClient(transport));
  await expect(refused).rejects.toMatchObject({ status: { message: "x".repeat(500) } });
});

test("XS4, T14: a line of a watch that does not end is cut at 16 MiB", async () => {
  const transport = new ScriptedTransport(() => ({ pieces: endless('{"type":"ADDED","object":{"') }));
  const watch = new HttpKubeClient(transport).watch({ kind: PODS, namespace: "a", resourceVersion: "1", metadataOnly: false }, NEVER);
  await expect(watch[Symbol.asyncIterator]().next()).rejects.toMatchObject({ failure: "too_large" });
  expect(transport.closed).toBe(1);
  expect(transport.sent).toBeLessThanOrEqual(16 * MIB + 2 * PIECE.length);
});

test("XS4, T14: many answers without end at a time take no more than all may, and an ordinary one is still read", async () => {
  const reading = new ByteBudget(32 * MIB);
  let most = 0;
  const transport = new ScriptedTransport(({ path }) => {
    if (path.endsWith("/small")) return { body: { kind: "Pod", apiVersion: "v1", metadata: { name: "small" } } };
    return {
      pieces: (function* () {
        for (const piece of endless("{")) {
          most = Math.max(most, reading.usedBytes);
          yield piece;
        }
      })(),
    };
  });
  const clients = Array.from({ length: 3 }, () => new HttpKubeClient(transport, { reading }));
  const hostile = clients.flatMap((client) => [REQUESTS["a page of a list"].ask(client), REQUESTS["an object"].ask(client)]);
  const honest = new HttpKubeClient(transport, { reading }).get({ kind: PODS, namespace: "a", name: "small" }, NEVER);
  const outcomes = await Promise.allSettled(hostile);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(hostile.map(() => "rejected"));
  expect((await honest).metadata.name).toBe("small");
  expect(most).toBeLessThanOrEqual(32 * MIB);
  expect(reading.usedBytes).toBe(0);
});

test("XS4, T14: a body that drips for two minutes is given up, and gives its share back", async () => {
  const clock = new ManualClock();
  const budget = new ByteBudget(MIB);
  const stalled = Promise.withResolvers<Uint8Array>();
  let closed = 0;
  async function* dripping(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("{");
    yield await stalled.promise;
  }
  const close = (): void => {
    closed += 1;
    stalled.reject(new Error("destroyed"));
  };
  const read = readText({ status: 200, header: () => undefined, body: dripping(), close }, { mostBytes: MIB, budget, clock });
  const outcome = read.catch((error: unknown) => error);
  await clock.elapse(120_000);
  expect(await outcome).toMatchObject({ failure: "timeout" });
  expect([closed, budget.usedBytes]).toEqual([1, 0]);
  clock.assertIdle();
});
