import { StatusSchema } from "@binnacle/proto/rpc-status";
import { create, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";

import { grpcStatusOf, statusMessageOf } from "./status-details.ts";

test("details of a status come through a frame and back as they were", () => {
  const details = [{ typeUrl: "type.googleapis.com/google.rpc.ErrorInfo", value: new Uint8Array([1, 2, 3]) }];
  const message = create(StatusSchema, { code: 9, message: "no", details });
  const status = grpcStatusOf(message);
  expect(status).toEqual({ code: 9, message: "no", details: toBinary(StatusSchema, message) });
  expect(statusMessageOf(status)).toEqual(message);
});

test("without details there are none, and too many are left out", () => {
  expect(grpcStatusOf(create(StatusSchema, { code: 5, message: "gone" }))).toEqual({ code: 5, message: "gone" });
  const details = [{ typeUrl: "x", value: new Uint8Array(9_000) }];
  expect(grpcStatusOf(create(StatusSchema, { code: 5, details }))).toEqual({ code: 5, message: "" });
});

test("bytes that are no status change neither code nor text", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (details) => {
      expect(statusMessageOf({ code: 3, message: "bad", details })).toMatchObject({ code: 3, message: "bad" });
    }),
  );
});
