import { expect, test } from "vitest";

import { decodeInstance, kasAddressOf } from "./redis-agent-tracker.ts";

test.each([
  ["grpc://10.0.0.1:8155", "10.0.0.1", 8155],
  ["grpcs://[fd00::1]:443", "fd00::1", 443],
  ["grpc://kas-0.kas.svc:8155", "kas-0.kas.svc", 8155],
])("I10: the address of %s is %s, port %d", (url, ip, port) => {
  expect(kasAddressOf([url, "grpc://other:1"])).toMatchObject({ ip, port });
});

test.each([[[]], [["unix:/run/kas.sock"]], [["grpc://10.0.0.1"]]])("%j has no address", (urls) => {
  expect(kasAddressOf(urls)).toBeUndefined();
});

test("bytes that are no kas are none", () => {
  expect(decodeInstance(Buffer.from("rubbish"))).toBeUndefined();
});
