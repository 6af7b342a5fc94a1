import { expect, test } from "vitest";

import { causeOf, createStatus, parseStatus } from "./kubernetes-status.ts";

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

test("the first cause names the machine's word; odd details name none", () => {
  expect(causeOf(createStatus(503, "no agent", { details: { causes: [{ reason: "agent_not_connected" }, { reason: "x" }] } }))).toBe(
    "agent_not_connected",
  );
  for (const details of [undefined, {}, { causes: "x" }, { causes: [] }, { causes: [null] }, { causes: [{ reason: 5 }] }]) {
    expect(causeOf(details === undefined ? {} : { details })).toBeUndefined();
  }
});
