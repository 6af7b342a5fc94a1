import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";
import { ConnectResponseSchema } from "@binnacle/proto/reverse-tunnel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  encodeHttpRequestHead,
  encodeHttpResponseHead,
  readHttpRequestHead,
  readHttpResponseHead,
  readRequestInfo,
  requestInfoFrameOf,
} from "./hot-headers.ts";

/** Names and values of any text, now and then so long that lengths take two or three bytes. */
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(127, 128, 16_383, 16_384, 70_000).map((length) => "ä".repeat(length)),
);
const values = fc.record({ value: fc.array(text, { maxLength: 3 }) });
const valuesMap = fc.dictionary(text, values, { maxKeys: 6, noNullPrototype: true });
const ascii = fc.string({ unit: "grapheme-ascii", maxLength: 30 });

describe("what is written by hand is read by protobuf-es", () => {
  test("the first message of a call, behind gRPC's prefix", () => {
    const metadata = fc.dictionary(text, fc.array(text, { maxLength: 3 }), { maxKeys: 4 });
    fc.assert(
      fc.property(text, metadata, (method, meta) => {
        const frame = requestInfoFrameOf(method, new Map(Object.entries(meta)));
        expect(frame[0]).toBe(0);
        expect(Buffer.from(frame).readUInt32BE(1)).toBe(frame.byteLength - 5);
        const { msg } = fromBinary(ConnectResponseSchema, frame.subarray(5));
        if (msg.case !== "requestInfo") throw new Error(`it is ${msg.case}`);
        expect(msg.value.methodName).toBe(method);
        const read = Object.entries(msg.value.meta).map(([name, { value }]) => [name, value] as const);
        expect(new Map(read)).toEqual(new Map(Object.entries(meta)));
      }),
    );
  });

  test("the head of a request, with and without a length and an identity", () => {
    const extra = fc.option(fc.record({ typeUrl: text, value: fc.uint8Array({ maxLength: 200 }) }), { nil: undefined });
    const contentLength = fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({ method: text, path: text, query: valuesMap, header: valuesMap, contentLength, extra, rawTarget: text }),
        (head) => {
          const { message } = fromBinary(HttpRequestSchema, encodeHttpRequestHead(head));
          if (message.case !== "header") throw new Error(`it is ${message.case}`);
          const { request } = message.value;
          expect({ method: request?.method, path: request?.urlPath }).toEqual({ method: head.method, path: head.path });
          const plain = (map: Record<string, { value: string[] }> = {}) =>
            Object.fromEntries(Object.entries(map).map(([name, { value }]) => [name, { value }]));
          expect(plain(request?.query)).toEqual(head.query);
          expect(plain(request?.header)).toEqual(head.header);
          expect(message.value.contentLength).toBe(head.contentLength);
          expect(message.value.rawTarget).toBe(head.rawTarget);
          expect(message.value.extra?.typeUrl).toBe(head.extra?.typeUrl);
          expect(Buffer.from(message.value.extra?.value ?? []).equals(head.extra?.value ?? Buffer.alloc(0))).toBe(true);
        },
      ),
    );
  });
});

describe("the head of an answer", () => {
  test("is read by protobuf-es as it was written by hand", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), text, valuesMap, (statusCode, status, header) => {
        const { message } = fromBinary(HttpResponseSchema, encodeHttpResponseHead(statusCode, status, header));
        if (message.case !== "header") throw new Error(`it is ${message.case}`);
        const { response } = message.value;
        expect({ statusCode: response?.statusCode, status: response?.status }).toEqual({ statusCode, status });
        const read = Object.entries(response?.header ?? {}).map(([name, { value }]) => [name, { value }] as const);
        expect(Object.fromEntries(read)).toEqual(header);
      }),
    );
  });

  const bytesOf = (statusCode: number, header: Record<string, { value: string[] }>): Uint8Array =>
    toBinary(
      HttpResponseSchema,
      create(HttpResponseSchema, { message: { case: "header", value: { response: { statusCode, status: `${statusCode} OK`, header } } } }),
    );

  test("is read as protobuf-es reads it, when it is printable ASCII", () => {
    const map = fc.dictionary(ascii, fc.record({ value: fc.array(ascii, { maxLength: 3 }) }), { maxKeys: 8, noNullPrototype: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), map, (statusCode, header) => {
        expect(readHttpResponseHead(bytesOf(statusCode, header))).toEqual({ statusCode, header });
      }),
    );
  });

  test.each([
    ["text beyond ASCII", bytesOf(200, { A: { value: ["ä"] } })],
    ["a control character", bytesOf(200, { A: { value: ["a\r\nb"] } })],
    ["a name that is no ordinary key", bytesOf(200, Object.fromEntries([["__proto__", { value: ["x"] }]]))],
    ["a negative status", bytesOf(-1, {})],
    ["a name twice", Buffer.concat([bytesOf(200, { A: { value: ["1"] } }), bytesOf(200, { A: { value: ["2"] } })])],
    ["an unknown field", Buffer.concat([bytesOf(200, {}), Buffer.from([0x28, 1])])],
  ])("with %s is left to protobuf-es", (_what, bytes) => {
    expect(readHttpResponseHead(bytes)).toBeUndefined();
  });

  test("T15: of any bytes it makes what protobuf-es makes of them, or leaves them to it", () => {
    const honest = bytesOf(200, { "Content-Type": { value: ["application/json"] }, Vary: { value: ["a", "b"] } });
    const broken = fc.tuple(fc.nat(honest.length - 1), fc.nat(255), fc.nat(honest.length)).map(([at, byte, length]) => {
      const bytes = Buffer.from(honest);
      bytes[at] = byte;
      return bytes.subarray(0, length === 0 ? honest.length : length);
    });
    fc.assert(
      fc.property(fc.oneof(broken, fc.uint8Array({ maxLength: 40 })), (bytes) => {
        const read = readHttpResponseHead(bytes);
        if (read === undefined) return;
        const { message } = fromBinary(HttpResponseSchema, bytes);
        if (message.case !== "header") throw new Error(`it is ${message.case}`);
        const { statusCode = 0, header = {} } = message.value.response ?? {};
        expect(read.statusCode).toBe(statusCode);
        expect(Object.entries(read.header)).toEqual(Object.entries(header).map(([name, { value }]) => [name, { value }]));
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("the start of a request", () => {
  const map = fc.dictionary(ascii, fc.record({ value: fc.array(ascii, { maxLength: 3 }) }), { maxKeys: 6, noNullPrototype: true });
  const extra = fc.option(fc.record({ typeUrl: ascii, value: fc.uint8Array({ maxLength: 200 }) }), { nil: undefined });
  const contentLength = fc.option(fc.bigInt({ min: 0n, max: 2n ** 28n - 1n }), { nil: undefined });
  const heads = fc.record({ method: ascii, path: ascii, query: map, header: map, contentLength, extra, rawTarget: ascii });
  const plain = (values: Record<string, { value: string[] }> = {}) => Object.entries(values).map(([name, { value }]) => [name, { value }]);
  const changed = (honest: Uint8Array) =>
    fc.tuple(fc.nat(honest.length - 1), fc.nat(255), fc.nat(honest.length)).map(([at, byte, length]) => {
      const bytes = Buffer.from(honest);
      bytes[at] = byte;
      return bytes.subarray(0, length === 0 ? honest.length : length);
    });

  test("as kas writes it is read by hand", () => {
    fc.assert(
      fc.property(heads, ({ path, ...head }) => {
        const read = readHttpRequestHead(encodeHttpRequestHead({ path, ...head }));
        const { method, header, query } = head;
        expect(read?.request).toEqual({ method, urlPath: path, header, query });
        expect(read?.contentLength).toBe(head.contentLength);
        expect(read?.rawTarget).toBe(head.rawTarget);
        expect(read?.extra && { typeUrl: read.extra.typeUrl, value: [...read.extra.value] }).toEqual(
          head.extra && { typeUrl: head.extra.typeUrl, value: [...head.extra.value] },
        );
      }),
    );
  });

  test("T15: of any bytes it makes what protobuf-es makes of them, or leaves them to it", () => {
    const honest = encodeHttpRequestHead({
      method: "GET",
      path: "/api/v1/pods",
      query: { limit: { value: ["5"] } },
      header: { accept: { value: ["a", "b"] }, "x-request-id": { value: ["1"] } },
      contentLength: 300n,
      extra: { typeUrl: "type.googleapis.com/x", value: Uint8Array.of(1, 2) },
      rawTarget: "/api/v1/pods?limit=5",
    });
    fc.assert(
      fc.property(fc.oneof(changed(honest), fc.uint8Array({ maxLength: 40 })), (bytes) => {
        const read = readHttpRequestHead(bytes);
        if (read === undefined) return;
        const { message } = fromBinary(HttpRequestSchema, bytes);
        if (message.case !== "header") throw new Error(`it is ${message.case}`);
        const { request } = message.value;
        expect([read.request.method, read.request.urlPath]).toEqual([request?.method ?? "", request?.urlPath ?? ""]);
        expect(plain(read.request.header)).toEqual(plain(request?.header));
        expect(plain(read.request.query)).toEqual(plain(request?.query));
        expect(read.contentLength).toBe(message.value.contentLength);
        expect(read.rawTarget).toBe(message.value.rawTarget);
        expect(read.extra?.typeUrl).toBe(message.value.extra?.typeUrl);
        expect(read.extra && [...read.extra.value]).toEqual(message.value.extra && [...message.value.extra.value]);
      }),
      { numRuns: 5_000 },
    );
  });

  test("T15: so it is with the first message of a call", () => {
    const honest = requestInfoFrameOf(
      "/s.S/M",
      new Map([
        ["x-request-id", ["1", "2"]],
        ["traceparent", ["00"]],
      ]),
    ).subarray(5);
    const read = readRequestInfo(honest);
    expect(read?.method).toBe("/s.S/M");
    expect(new Map(read?.metadata)).toEqual(
      new Map([
        ["x-request-id", ["1", "2"]],
        ["traceparent", ["00"]],
      ]),
    );
    fc.assert(
      fc.property(fc.oneof(changed(honest), fc.uint8Array({ maxLength: 40 })), (bytes) => {
        const info = readRequestInfo(bytes);
        if (info === undefined) return;
        const { msg } = fromBinary(ConnectResponseSchema, bytes);
        if (msg.case !== "requestInfo") throw new Error(`it is ${msg.case}`);
        expect(info.method).toBe(msg.value.methodName);
        expect([...info.metadata].map(([name, value]) => [name, { value }])).toEqual(plain(msg.value.meta));
      }),
      { numRuns: 5_000 },
    );
  });
});
