import { Fault } from "@binnacle/rpc";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import {
  decodeGrpcMessage,
  encodeGrpcMessage,
  readStatus,
  statusOfHttp,
  statusOfReset,
  statusOfThrown,
  statusTrailers,
  trailersOnlyHeaders,
} from "./grpc-status.ts";

describe("grpc-message", () => {
  test("any text survives, as printable ASCII", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const encoded = encodeGrpcMessage(text);
        expect(encoded).toMatch(/^[\x20-\x7e]*$/);
        expect(decodeGrpcMessage(encoded)).toBe(text);
      }),
    );
  });

  test("a broken escape stays as it is", () => {
    expect(decodeGrpcMessage("100 %, %zz %e2%82%ac")).toBe("100 %, %zz €");
  });
});

describe("status", () => {
  test("is read from what was written", () => {
    const status = { code: 5, message: "no such 100 % thing ✗" };
    // Outgoing and incoming headers have the same shape once they are lower-case strings.
    expect(readStatus(statusTrailers(status) as Record<string, string>)).toEqual(status);
    expect(trailersOnlyHeaders(status)).toMatchObject({ ":status": 200, "grpc-status": "5" });
  });

  test("KS9: details travel as they are, whatever bytes they have", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (details) => {
        const trailers = statusTrailers({ code: 9, message: "", details });
        expect(readStatus({ ...trailers } as Record<string, string>)).toEqual({ code: 9, message: "", details });
      }),
    );
  });

  test("metadata rides with it but cannot replace it", () => {
    expect(
      statusTrailers(
        { code: 0, message: "" },
        new Map([
          ["x-a", ["1", "2"]],
          ["grpc-status", ["13"]],
        ]),
      ),
    ).toEqual({ "x-a": ["1", "2"], "grpc-status": "0" });
  });

  test("a status that is no number is unknown", () => {
    expect(readStatus({ "grpc-status": "fine" })).toEqual({ code: 2, message: "" });
    expect(readStatus({})).toBeUndefined();
  });

  test.each([
    [401, 16],
    [403, 7],
    [404, 12],
    [429, 14],
    [503, 14],
    [500, 2],
  ])("HTTP %i without gRPC is code %i", (http, code) => {
    expect(statusOfHttp(http).code).toBe(code);
  });

  test.each([
    [8, 1],
    [7, 14],
    [0, 14],
    [11, 8],
    [12, 7],
    [2, 13],
  ])("a reset with %i is code %i", (reset, code) => {
    expect(statusOfReset(reset).code).toBe(code);
  });

  test("a fault keeps its sentence, a bug does not show its text", () => {
    expect(statusOfThrown(new Fault("token_unknown", "no such token"))).toEqual({ code: 16, message: "no such token" });
    expect(statusOfThrown(new TypeError("secret internals"))).toEqual({ code: 13, message: "internal error" });
  });
});
