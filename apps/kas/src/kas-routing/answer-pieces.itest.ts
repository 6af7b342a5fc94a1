import { createHash, randomBytes } from "node:crypto";

import {
  HTTP_REQUEST_UPGRADE_DATA,
  HTTP_RESPONSE_DATA,
  HTTP_RESPONSE_UPGRADE_DATA,
  TUNNELLED_RESPONSE_DATA,
  TUNNELLED_RESPONSE_UPGRADE_DATA,
  unwrapBytes,
  wrapBytes,
  wrapFrame,
} from "@binnacle/grpc-wire";
import { HttpResponseSchema } from "@binnacle/proto/grpctool";
import { systemClock } from "@binnacle/rpc";
import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import type { AgentCall } from "../agent-call/agent-call.ts";
import { MAKE_REQUEST } from "../agent-call/routed-methods.ts";
import type { HttpExchange } from "../http-exchange/http-exchange.ts";
import { openHttpExchange } from "../http-exchange/open-http-exchange.ts";
import { contextOf } from "../agent-call/testing/call-context.ts";
import { requestOf, twoKas } from "./testing/echo-calls.ts";
import { ECHO, type FakeAgentCall } from "../testing/fake-agent.ts";
import type { TestKas } from "./testing/kas-bench.ts";
import { RecordingListener } from "../agent-call/testing/recording-listener.ts";

const MIB = 1024 * 1024;
const HEAD = toBinary(
  HttpResponseSchema,
  create(HttpResponseSchema, { message: { case: "header", value: { response: { statusCode: 200, status: "200 OK", header: {} } } } }),
);
const TRAILER = toBinary(HttpResponseSchema, create(HttpResponseSchema, { message: { case: "trailer", value: {} } }));

/** What a GET of agent 1 was answered. */
interface Answered {
  readonly end: string;
  readonly bytes: number;
  readonly sha256: string;
  /** The largest piece that came at once. */
  readonly largest: number;
}

/** How a GET is made. */
interface GetOptions {
  /** Stops after each MiB until the next turn, as a slow reader does. */
  readonly stalls?: boolean;
  /** The protocol that the client requests. */
  readonly upgrade?: string;
  readonly onSwitched?: (call: AgentCall) => void;
}

async function get(kas: TestKas, { stalls = false, upgrade, onSwitched }: GetOptions = {}): Promise<Answered> {
  const hash = createHash("sha256");
  let bytes = 0;
  let largest = 0;
  let exchange: HttpExchange | undefined;
  const end = await new Promise<string>((resolve, reject) => {
    const sink = {
      header: () => undefined,
      data(body: Uint8Array) {
        const before = Math.floor(bytes / MIB);
        bytes += body.byteLength;
        largest = Math.max(largest, body.byteLength);
        hash.update(body);
        if (!stalls || Math.floor(bytes / MIB) === before) return true;
        setImmediate(() => exchange?.resume());
        return false;
      },
      switched: (_header: unknown, call: AgentCall) => {
        onSwitched?.(call);
        return { data: (body: Uint8Array) => sink.data(body), end: (fault?: Error) => resolve(fault?.message ?? "end") };
      },
      end: () => resolve("end"),
      fail: ({ fault }: { readonly fault: Error }) => resolve(fault.message),
    };
    const request = {
      agentId: 1n,
      context: contextOf(),
      signal: new AbortController().signal,
      method: "GET",
      path: "/",
      query: new URLSearchParams(),
      header: {},
      ...(upgrade !== undefined && { upgrade }),
    };
    Promise.resolve(openHttpExchange({ router: kas.router, clock: systemClock }, request, sink)).then(
      (opened) => (exchange = opened),
      reject,
    );
  });
  return { end, bytes, sha256: hash.digest("hex"), largest };
}

/** Answers with a body in messages of these sizes. */
function answerWith(body: Buffer, sizes: readonly number[]): (call: FakeAgentCall) => void {
  return (call) => {
    call.header();
    call.message(HEAD);
    let at = 0;
    for (const size of sizes) {
      call.message(Buffer.concat(wrapBytes(HTTP_RESPONSE_DATA, [body.subarray(at, at + size)])));
      at += size;
    }
    call.message(TRAILER);
    call.finish();
  };
}

test.each([{ hops: 0 }, { hops: 1 }])(
  "a body in messages of any size arrives whole, in pieces as the wire brings them ($hops hops)",
  async ({ hops }) => {
    const sizes = [1, 16_000, 16_384, 65_536, 3, 100_000, 5 * MIB, 70_000];
    const body = randomBytes(sizes.reduce((sum, size) => sum + size, 0));
    const { first, second } = await twoKas({ methods: [MAKE_REQUEST], onCall: answerWith(body, sizes) });
    const kas = hops === 0 ? second : first;
    for (const stalls of [false, true]) {
      const answered = await get(kas, { stalls });
      expect(answered).toMatchObject({ end: "end", bytes: body.length, sha256: createHash("sha256").update(body).digest("hex") });
      // One frame of HTTP/2: a message of 5 MiB was never held as one.
      expect(answered.largest).toBeLessThanOrEqual(64 * 1024);
    }
  },
);

describe.each([{ hops: 0 }, { hops: 1 }])("an upgraded connection ($hops hops)", ({ hops }) => {
  const SWITCH = toBinary(
    HttpResponseSchema,
    create(HttpResponseSchema, {
      message: { case: "header", value: { response: { statusCode: 101, header: { Upgrade: { value: ["websocket"] } } } } },
    }),
  );
  const upgraded = async (onSwitched: (call: FakeAgentCall) => void, stalls = false): Promise<Answered> => {
    const onCall = (call: FakeAgentCall): void => {
      call.header();
      call.message(SWITCH);
      call.message(TRAILER);
      onSwitched(call);
    };
    const { first, second } = await twoKas({ methods: [MAKE_REQUEST], metadata: { "agentk-caps": "upgrade" }, onCall });
    return get(hops === 0 ? second : first, { stalls, upgrade: "websocket" });
  };

  test.each([false, true])("bytes in messages of any size arrive whole, in pieces as the wire brings them (stalls: %s)", async (stalls) => {
    const sizes = [1, 16_000, 65_536, 3, 5 * MIB, 70_000];
    const bytes = randomBytes(sizes.reduce((sum, size) => sum + size, 0));
    const answered = await upgraded((call) => {
      let at = 0;
      for (const size of sizes) {
        call.message(Buffer.concat(wrapBytes(HTTP_RESPONSE_UPGRADE_DATA, [bytes.subarray(at, at + size)])));
        at += size;
      }
      call.finish();
    }, stalls);
    expect(answered).toMatchObject({ end: "end", bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
    expect(answered.largest).toBeLessThanOrEqual(64 * 1024);
  });

  test("bytes of the client in a message of any size arrive whole, and no kas between holds them", async () => {
    const sent = randomBytes(5 * MIB);
    const received: Uint8Array[] = [];
    const onCall = (call: FakeAgentCall): void => {
      call.header();
      call.message(SWITCH);
      call.message(TRAILER);
      call.onMessage = (data) => {
        const bytes = unwrapBytes(HTTP_REQUEST_UPGRADE_DATA, data);
        if (bytes !== undefined) received.push(Uint8Array.from(bytes));
      };
      call.onCloseSend = () => call.finish();
    };
    const { first, second } = await twoKas({ methods: [MAKE_REQUEST], metadata: { "agentk-caps": "upgrade" }, onCall });
    const onSwitched = (call: AgentCall): void => {
      call.write(wrapBytes(HTTP_REQUEST_UPGRADE_DATA, [sent]));
      call.closeSend();
    };
    await get(hops === 0 ? second : first, { upgrade: "websocket", onSwitched });
    expect(Buffer.concat(received).equals(sent)).toBe(true);
    expect(Math.max(...received.map(({ byteLength }) => byteLength))).toBeLessThanOrEqual(hops === 0 ? sent.length : 64 * 1024);
  });

  test("T15: pieces of a body behind the 101 are a violation like a body in one message", async () => {
    const { end, bytes } = await upgraded((call) => {
      call.stream.writeFrame(wrapFrame(TUNNELLED_RESPONSE_DATA, [Buffer.alloc(100_000)]));
    });
    expect([end, bytes]).toEqual([expect.stringContaining("field 2 is not allowed after field 3"), 0]);
  });

  test("T15: pieces of an upgraded connection before a 101 are a violation", async () => {
    const onCall = (call: FakeAgentCall): void => {
      call.header();
      call.message(HEAD);
      call.stream.writeFrame(wrapFrame(TUNNELLED_RESPONSE_UPGRADE_DATA, [Buffer.alloc(100_000)]));
    };
    const { first, second } = await twoKas({ methods: [MAKE_REQUEST], onCall });
    const { end, bytes } = await get(hops === 0 ? second : first);
    expect([end, bytes]).toEqual(["the agent sent a frame that was not requested", 0]);
  });
});

test.each([{ hops: 0 }, { hops: 1 }])(
  "KB3: an agent that ends in the middle of a message it has announced has not answered ($hops hops)",
  async ({ hops }) => {
    const onCall = (call: FakeAgentCall): void => {
      call.header();
      call.message(HEAD);
      // Half of it, and then the end of the stream.
      call.stream.writeFrame([Buffer.concat(wrapFrame(TUNNELLED_RESPONSE_DATA, [Buffer.alloc(100_000)])).subarray(0, 50_000)]);
      call.stream.closeSend();
    };
    const { first, second } = await twoKas({ methods: [MAKE_REQUEST], onCall });
    const { end, bytes } = await get(hops === 0 ? second : first);
    expect(end).not.toBe("end");
    expect(bytes).toBeLessThan(100_000);
  },
);

test.each([{ hops: 0 }, { hops: 1 }])(
  "messages of other methods stay whole, even when they look like a body ($hops hops)",
  async ({ hops }) => {
    const look = Buffer.concat(wrapBytes(HTTP_RESPONSE_DATA, [Buffer.alloc(200_000, 7)]));
    let agentCall: FakeAgentCall | undefined;
    const { first, second } = await twoKas({ methods: [ECHO], onCall: (call) => (agentCall = call) });
    const listener = new RecordingListener();
    await (hops === 0 ? second : first).router.open(requestOf(), listener);
    await expect.poll(() => agentCall).toBeDefined();
    agentCall?.header();
    agentCall?.message(look);
    agentCall?.finish();
    expect(await listener.ended).toMatchObject({ code: 0 });
    expect(listener.bytes).toBe(look.length);
  },
);
