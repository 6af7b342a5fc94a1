import fc from "fast-check";
import { expect, test } from "vitest";

import { callClassOf, decodeCallContext, encodeCallContext, type CallContext } from "./call-context.ts";

const contexts: fc.Arbitrary<CallContext> = fc
  .record({
    kind: fc.constantFrom("user" as const, "job" as const, "main_application" as const),
    id: fc.string({ maxLength: 60 }),
    projectId: fc.option(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })),
    traceId: fc.string({ maxLength: 60 }),
    class: fc.constantFrom("safe" as const, "mutation" as const, "watch" as const, "upgrade" as const),
    deadlineMs: fc.option(fc.integer({ min: 1, max: 2 ** 50 })),
    answerWithinMs: fc.option(fc.integer({ min: 1_000, max: 60_000 })),
  })
  .map(({ kind, id, projectId, deadlineMs, answerWithinMs, ...rest }) => ({
    caller: { kind, id, ...(projectId === null ? {} : { projectId }) },
    waitMs: 2_000,
    ...(deadlineMs === null ? {} : { deadlineMs }),
    ...(answerWithinMs === null ? {} : { answerWithinMs }),
    ...rest,
  }));

test("a context arrives at the other kas as it was", () => {
  fc.assert(
    fc.property(contexts, (context) => {
      expect(decodeCallContext(encodeCallContext(context), 2_000)).toEqual(context);
    }),
  );
});

test("a context that is missing, of another version or nonsense is the most careful one", () => {
  const careful = { caller: { kind: "unknown", id: "" }, traceId: "", class: "mutation", waitMs: 5 };
  expect(decodeCallContext(undefined, 5)).toEqual(careful);
  expect(decodeCallContext("kind=emperor&class=quick&deadline=-1&within=0&new=field", 5)).toEqual(careful);
  fc.assert(fc.property(fc.string(), (text) => void decodeCallContext(text, 5)));
});

test.each([
  ["GET", "", "safe"],
  ["HEAD", "watch=false", "safe"],
  ["GET", "watch=1", "watch"],
  ["GET", "watch=true&limit=1", "watch"],
  ["GET", "watch", "watch"],
  ["GET", "follow=true", "watch"],
  ["POST", "watch=true", "mutation"],
  ["DELETE", "", "mutation"],
])("%s with the query %j is %s", (method, query, expected) => {
  expect(callClassOf(method, new URLSearchParams(query))).toBe(expected);
});
