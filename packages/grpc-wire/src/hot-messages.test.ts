import { create, fromBinary, toBinary, type DescMessage } from "@bufbuild/protobuf";
import { GatewayKasResponseSchema } from "@binnacle/proto/gateway";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";
import { ConnectRequestSchema, ConnectResponseSchema } from "@binnacle/proto/reverse-tunnel";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  CONNECT_REQUEST_MESSAGE,
  CONNECT_RESPONSE_MESSAGE,
  GATEWAY_MESSAGE,
  HTTP_REQUEST_DATA,
  HTTP_REQUEST_UPGRADE_DATA,
  HTTP_RESPONSE_DATA,
  HTTP_RESPONSE_UPGRADE_DATA,
  peekField,
  TUNNELLED_RESPONSE_DATA,
  unwrapBytes,
  wrapBytes,
  wrapFrame,
  type BytesPath,
} from "./hot-messages.ts";

interface Row {
  readonly name: string;
  readonly path: BytesPath;
  readonly schema: DescMessage;
  readonly byProtobuf: (data: Uint8Array) => Uint8Array;
}

const ROWS: readonly Row[] = [
  {
    name: "ConnectRequest.message",
    path: CONNECT_REQUEST_MESSAGE,
    schema: ConnectRequestSchema,
    byProtobuf: (data) => toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg: { case: "message", value: { data } } })),
  },
  {
    name: "ConnectResponse.message",
    path: CONNECT_RESPONSE_MESSAGE,
    schema: ConnectResponseSchema,
    byProtobuf: (data) => toBinary(ConnectResponseSchema, create(ConnectResponseSchema, { msg: { case: "message", value: { data } } })),
  },
  {
    name: "GatewayKasResponse.message",
    path: GATEWAY_MESSAGE,
    schema: GatewayKasResponseSchema,
    byProtobuf: (data) =>
      toBinary(GatewayKasResponseSchema, create(GatewayKasResponseSchema, { msg: { case: "message", value: { data } } })),
  },
  {
    name: "HttpRequest.data",
    path: HTTP_REQUEST_DATA,
    schema: HttpRequestSchema,
    byProtobuf: (data) => toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "data", value: { data } } })),
  },
  {
    name: "HttpResponse.data",
    path: HTTP_RESPONSE_DATA,
    schema: HttpResponseSchema,
    byProtobuf: (data) => toBinary(HttpResponseSchema, create(HttpResponseSchema, { message: { case: "data", value: { data } } })),
  },
  {
    name: "HttpRequest.upgradeData",
    path: HTTP_REQUEST_UPGRADE_DATA,
    schema: HttpRequestSchema,
    byProtobuf: (data) => toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "upgradeData", value: { data } } })),
  },
  {
    name: "HttpResponse.upgradeData",
    path: HTTP_RESPONSE_UPGRADE_DATA,
    schema: HttpResponseSchema,
    byProtobuf: (data) => toBinary(HttpResponseSchema, create(HttpResponseSchema, { message: { case: "upgradeData", value: { data } } })),
  },
];

const dataArbitrary = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  fc
    .constantFrom(0, 1, 123, 124, 125, 126, 127, 128, 129, 16_379, 16_381, 16_384, 70_000, 2_097_152)
    .map((length) => new Uint8Array(length).fill(7)),
);

describe.each(ROWS)("$name", ({ path, schema, byProtobuf }) => {
  test("is written exactly as protobuf-es writes it", () => {
    fc.assert(
      fc.property(dataArbitrary, fc.nat(400), (data, cut) => {
        const ours = Buffer.concat(wrapBytes(path, [data.subarray(0, cut), data.subarray(cut)]));
        expect(ours.equals(byProtobuf(data))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("is read back as a view, and its field is seen without decoding", () => {
    fc.assert(
      fc.property(dataArbitrary, (data) => {
        const message = byProtobuf(data);
        expect(peekField(message)).toBe(path[0]);
        const read = unwrapBytes(path, message);
        expect(Buffer.from(data).equals(read ?? Buffer.from("not read"))).toBe(true);
        expect(read?.buffer).toBe(message.buffer);
      }),
      { numRuns: 60 },
    );
  });

  test("anything else is either left to protobuf-es or read as protobuf-es reads it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const read = unwrapBytes(path, bytes);
        const same =
          read === undefined || bytes.length === 0 || Buffer.from(toBinary(schema, fromBinary(schema, bytes))).equals(byProtobuf(read));
        expect(same).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("nesting", () => {
  test("a response body in a tunnel is one small header and the same slice", () => {
    const body = Buffer.from("body");
    const pieces = wrapFrame(TUNNELLED_RESPONSE_DATA, [body]);
    expect(pieces).toHaveLength(2);
    expect(pieces[1]).toBe(body);
    const frame = Buffer.concat(pieces);
    expect(frame.readUInt32BE(1)).toBe(frame.length - 5);
    const outer = fromBinary(ConnectRequestSchema, frame.subarray(5));
    const inner = fromBinary(HttpResponseSchema, outer.msg.case === "message" ? outer.msg.value.data : new Uint8Array());
    expect(inner.message.case === "data" ? Buffer.from(inner.message.value.data).toString() : inner.message.case).toBe("body");
  });

  test("a message with two fields is left to protobuf-es", () => {
    const two = Buffer.concat([...wrapBytes([2, 1], [Buffer.from("a")]), ...wrapBytes([2, 1], [Buffer.from("b")])]);
    expect(peekField(two)).toBe(0);
    expect(unwrapBytes([2, 1], two)).toBeUndefined();
  });
});
