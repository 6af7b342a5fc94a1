import { ActionKind, ActionOutcome, ActRequestSchema, ActResponseSchema, type ActResponse } from "@binnacle/proto/dashboard";
import { ManualClock } from "@binnacle/testing";
import { create } from "@bufbuild/protobuf";
import { beforeEach, expect, test } from "vitest";

import { ActionResults } from "./action-results.ts";

let clock: ManualClock;
let results: ActionResults;
let performed: number;
beforeEach(() => {
  clock = new ManualClock();
  results = new ActionResults(clock);
  performed = 0;
});

const resultOf = (outcome: ActionOutcome, after = ""): ActResponse => create(ActResponseSchema, { outcome, field: { path: "x", after } });

/** What is sent; each result names how often something was performed. */
const act = (
  more: { readonly viewer?: string; readonly replicas?: number; readonly requestId?: string } = {},
  outcome: ActionOutcome = ActionOutcome.DONE,
): Promise<ActResponse> => {
  const { viewer = "ann", replicas = 3, requestId = "request-1" } = more;
  const request = create(ActRequestSchema, { requestId, kind: ActionKind.SCALE, parameters: { replicas } });
  return results.once({ viewer, request }, async () => {
    performed += 1;
    return resultOf(outcome, String(performed));
  });
};

test.each([ActionOutcome.DONE, ActionOutcome.CONFLICT])(
  "the result with outcome %i is returned again for five minutes",
  async (outcome) => {
    const first = await act({}, outcome);
    clock.advance(300_000);
    expect(await act({}, ActionOutcome.UNKNOWN)).toEqual(first);
    expect(performed).toBe(1);
    clock.advance(1);
    expect((await act()).field?.after).toBe("2");
  },
);

test.each([ActionOutcome.UNKNOWN, ActionOutcome.REFUSED])("after outcome %i the same request is performed again", async (outcome) => {
  await act({}, outcome);
  expect(await act()).toEqual(resultOf(ActionOutcome.DONE, "2"));
});

test("a request that is repeated while it is running is performed once", async () => {
  const [one, two] = await Promise.all([act(), act()]);
  expect(two).toEqual(one);
  expect(performed).toBe(1);
});

test("a request that is rejected while it is repeated is performed once", async () => {
  const all = await Promise.all([act({}, ActionOutcome.REFUSED), act()]);
  expect(all.map(({ outcome }) => outcome)).toEqual([ActionOutcome.REFUSED, ActionOutcome.REFUSED]);
  expect(performed).toBe(1);
});

test("one that waits for an unknown outcome is performed by itself, one after the other", async () => {
  const all = await Promise.all([act({}, ActionOutcome.UNKNOWN), act(), act()]);
  expect(all.map(({ outcome, field }) => [outcome, field?.after])).toEqual([
    [ActionOutcome.UNKNOWN, "1"],
    [ActionOutcome.DONE, "2"],
    [ActionOutcome.DONE, "2"],
  ]);
});

test("one that waits for a request that fails is performed by itself", async () => {
  const request = create(ActRequestSchema, { requestId: "request-1", kind: ActionKind.SCALE, parameters: { replicas: 3 } });
  const failing = results.once({ viewer: "ann", request }, () => Promise.reject(new Error("the viewer has left")));
  const second = act();
  await expect(failing).rejects.toThrow("the viewer has left");
  expect((await second).outcome).toBe(ActionOutcome.DONE);
});

test.each([ActionOutcome.DONE, ActionOutcome.UNKNOWN])(
  "T53: another request with the id of one with outcome %i is rejected",
  async (outcome) => {
    const running = act({}, outcome);
    await expect(act({ replicas: 4 })).rejects.toMatchObject({ reason: "invalid_request" });
    await running;
    await expect(act({ replicas: 4 })).rejects.toMatchObject({ reason: "invalid_request" });
    expect(performed).toBe(1);
  },
);

test("another viewer with the same id, and another id of the same viewer, are others", async () => {
  await act();
  await act({ viewer: "ben", replicas: 4 });
  await act({ requestId: "request-2", replicas: 4 });
  expect(performed).toBe(3);
});

test("10,000 requests are remembered, the last ones", async () => {
  for (let index = 0; index <= 10_000; index += 1) await act({ requestId: `request-${index}` });
  await act({ requestId: "request-10000" });
  await act({ requestId: "request-1" });
  expect(performed).toBe(10_001);
  await act({ requestId: "request-0" });
  expect(performed).toBe(10_002);
});

test("large results do not fill the process: of 16 MiB the last ones are kept", async () => {
  const large = (requestId: string): Promise<ActResponse> => {
    const request = create(ActRequestSchema, { requestId });
    return results.once({ viewer: "ann", request }, async () => {
      performed += 1;
      return create(ActResponseSchema, { outcome: ActionOutcome.DONE, undoParameters: { base: "x".repeat(2_000_000) } });
    });
  };
  const ids = Array.from({ length: 10 }, (_, index) => `request-${index}`);
  for (const id of ids) await large(id);
  await large("request-9");
  expect(performed).toBe(10);
  await large("request-0");
  expect(performed).toBe(11);
});
