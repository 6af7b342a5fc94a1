import { expect, test } from "vitest";

import { createStatus, parseStatus } from "./kubernetes-status.ts";

test("a created status survives the wire", () => {
  const status = createStatus(503, "no agent", { details: { retryAfterSeconds: 1 } });
  expect(status.reason).toBe("ServiceUnavailable");
  expect(parseStatus(JSON.parse(JSON.stringify(status)))).toEqual(status);
});

test("odd shapes are no status, and a failure without a code is 500", () => {
  expect(parseStatus("Status")).toBeUndefined();
  expect(parseStatus({ kind: "Pod" })).toBeUndefined();
  expect(parseStatus({ kind: "Status", message: 3 })).toMatchObject({ status: "Failure", message: "", code: 500 });
});
