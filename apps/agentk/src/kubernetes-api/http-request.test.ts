import { create, toBinary } from "@bufbuild/protobuf";
import { anyPack, AnySchema } from "@bufbuild/protobuf/wkt";
import { HttpRequestSchema, HttpRequest_HeaderSchema } from "@binnacle/proto/grpctool";
import { HeaderExtraSchema, ImpersonationConfigSchema } from "@binnacle/proto/kubernetes-api";
import { ServiceHeaderExtraSchema } from "@binnacle/proto/service-proxy";
import { expect, test } from "vitest";

import { decodeHttpRequest, extraOf, startOf } from "./http-request.ts";

const refused = expect.objectContaining({ reason: "invalid_request" });
const TYPE = `type.googleapis.com/${HeaderExtraSchema.typeName}`;

test("an identity that goes with a request is read, and none where none does", () => {
  const extra = create(HeaderExtraSchema, { impConfig: create(ImpersonationConfigSchema, { username: "ann" }) });
  expect(extraOf(create(HttpRequest_HeaderSchema, { extra: anyPack(HeaderExtraSchema, extra) }), HeaderExtraSchema)).toEqual(extra);
  expect(extraOf(create(HttpRequest_HeaderSchema), HeaderExtraSchema)).toBeUndefined();
  expect(extraOf(create(HttpRequest_HeaderSchema, { extra: create(AnySchema) }), HeaderExtraSchema)).toBeUndefined();
});

test.each([
  ["of another kind", anyPack(ServiceHeaderExtraSchema, create(ServiceHeaderExtraSchema))],
  ["of a kind of tomorrow", create(AnySchema, { typeUrl: "type.googleapis.com/kas.v9.Extra" })],
  ["that cannot be read", create(AnySchema, { typeUrl: TYPE, value: Uint8Array.of(0xff, 0xff) })],
])("an extra %s is refused: without it the request would be the agent's own", (_, extra) => {
  expect(() => extraOf(create(HttpRequest_HeaderSchema, { extra }), HeaderExtraSchema)).toThrow(refused);
});

test.each([undefined, "", "get", "GET /", "X".repeat(21)])("the method %j is refused", (method) => {
  const header = create(HttpRequest_HeaderSchema, method === undefined ? {} : { request: { method } });
  expect(() => startOf(header)).toThrow(refused);
});

test("bytes that are no message are refused", () => {
  const message = create(HttpRequestSchema, { message: { case: "trailer", value: {} } });
  expect(decodeHttpRequest(toBinary(HttpRequestSchema, message)).message.case).toBe("trailer");
  expect(() => decodeHttpRequest(Uint8Array.of(0xff, 0xff))).toThrow(refused);
});
