import { ActionKind, ActionOutcome, ActResponseSchema, PreviewActionResponseSchema, type ActResponse } from "@binnacle/proto/dashboard";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";

import {
  afterAnswer,
  afterError,
  begin,
  check,
  confirmedOf,
  isUnderWay,
  mayCheck,
  mayRepeat,
  repeat,
  type Attempt,
  type ConfirmedAction,
} from "./action-attempt.ts";

const MARK = { revision: 1, images: [] };
const TARGET = { projectPath: "group/app", environment: "staging" };
const AT = { why: "because", atMs: 5_000 };

type PreviewInit = Omit<MessageInitShape<typeof PreviewActionResponseSchema>, "$typeName">;

const FIELD = { path: "spec.replicas", before: "1", after: "3" };
const preview = (fields: PreviewInit = {}) =>
  create(PreviewActionResponseSchema, { uid: "u1", requestedAt: timestampFromMs(1_000), field: FIELD, ...fields });

function confirmed(requestId = "first", fields: PreviewInit = {}): ConfirmedAction | undefined {
  return confirmedOf(preview(fields), { intent: { kind: ActionKind.SCALE, replicas: 3 }, mark: MARK, target: TARGET, requestId });
}

function begun(requestId?: string): Attempt {
  const action = confirmed(requestId);
  const attempt = action && begin(undefined, action);
  if (attempt === undefined) throw new Error("it does not begin");
  return attempt;
}

const answer = (init: MessageInitShape<typeof ActResponseSchema>): ActResponse => create(ActResponseSchema, init);

describe("what is confirmed", () => {
  test("carries uid, time and previewed value of the preview, the parameters and the id of its dialog", () => {
    expect(confirmed()?.request).toEqual({
      target: TARGET,
      kind: ActionKind.SCALE,
      parameters: { replicas: 3 },
      uid: "u1",
      expected: "1",
      requestedAt: timestampFromMs(1_000),
      planned: "3",
      typedName: "",
      requestId: "first",
    });
  });

  test("has the reverse that the preview names, and none where it names none", () => {
    const undo = { kind: ActionKind.SCALE, replicas: 1 };
    expect(confirmed("first", { undo: ActionKind.SCALE, undoParameters: { replicas: 1 } })?.undo).toEqual(undo);
    expect(confirmed()).not.toHaveProperty("undo");
  });

  test("has no expected value where the field was not set", () => {
    expect(confirmed("first", { field: { path: "spec.paused", after: "true" } })?.request).not.toHaveProperty("expected");
  });

  test.each<readonly [string, PreviewInit]>([
    ["a preview that is refused", { refused: { id: "action/image-invalid" } }],
    ["a field that has the value already", { field: { ...FIELD, before: "3" } }],
    ["a preview without a field", { field: undefined }],
  ])("is nothing of %s", (_, fields) => {
    expect(confirmed("first", fields)).toBeUndefined();
  });
});

describe("sending", () => {
  test("a second press sends nothing, neither while the answer is waited for nor after it", () => {
    const first = begun();
    expect(begin(first, first.action)).toBeUndefined();
    const done = afterAnswer(first, answer({ outcome: ActionOutcome.DONE }), AT);
    expect(begin(done, first.action)).toBeUndefined();
  });

  test("another action waits for the answer to the first", () => {
    const second = begun("second").action;
    expect(begin(begun("first"), second)).toBeUndefined();
    expect(begin(afterAnswer(begun("first"), answer({ outcome: ActionOutcome.REFUSED }), AT), second)).toMatchObject({
      action: { request: { requestId: "second" } },
      state: { kind: "sending" },
    });
  });

  test("only a request whose outcome is not known is read or sent again, and it is the same one", () => {
    const first = begun();
    const refused = afterAnswer(first, answer({ outcome: ActionOutcome.REFUSED }), AT);
    for (const known of [first, refused]) expect([check(known), repeat(known)]).toEqual([undefined, undefined]);
    const unknown = afterError(first, { why: "no answer", isRefusal: false });
    for (const [again, kind] of [
      [check(unknown), "checking"],
      [repeat(unknown), "repeating"],
    ] as const) {
      expect(again?.action).toBe(first.action);
      expect(again?.state).toEqual({ kind });
      expect(again && isUnderWay(again)).toBe(true);
    }
  });

  test("a request is not sent again over a value of another writer, which can be read again", () => {
    const changed: Attempt = { ...begun(), state: { kind: "changed" } };
    const notDone: Attempt = { ...begun(), state: { kind: "not-done" } };
    expect([mayCheck(changed), mayRepeat(changed), repeat(changed)]).toEqual([true, false, undefined]);
    expect([mayCheck(notDone), mayRepeat(notDone)]).toEqual([true, true]);
  });
});

describe("an answer", () => {
  test("that it is done has the time and the reverse with its parameters", () => {
    const done = { outcome: ActionOutcome.DONE, undo: ActionKind.SCALE, undoParameters: { replicas: 1 } };
    expect(afterAnswer(begun(), answer(done), AT).state).toEqual({
      kind: "written",
      atMs: 5_000,
      undo: { kind: ActionKind.SCALE, replicas: 1 },
    });
    expect(afterAnswer(begun(), answer({ outcome: ActionOutcome.DONE }), AT).state).toEqual({ kind: "written", atMs: 5_000 });
  });

  test("of a conflict has the value that the field has now, or that it is not set", () => {
    const conflict = { outcome: ActionOutcome.CONFLICT, field: { ...FIELD, before: "7" } };
    expect(afterAnswer(begun(), answer(conflict), AT).state).toEqual({ kind: "conflict", present: "7", why: "because" });
    const gone = { outcome: ActionOutcome.CONFLICT, field: { path: "spec.replicas", after: "3" } };
    expect(afterAnswer(begun(), answer(gone), AT).state).toEqual({ kind: "conflict", why: "because" });
  });

  test("with an outcome that the page does not know is not known", () => {
    expect(afterAnswer(begun(), answer({ outcome: 77 as ActionOutcome }), AT).state).toEqual({ kind: "unknown", why: "because" });
    expect(afterAnswer(begun(), answer({}), AT).state).toEqual({ kind: "unknown", why: "because" });
  });
});

describe("a call that fails", () => {
  test("is refused when it was rejected, and not known otherwise", () => {
    expect(afterError(begun(), { why: "no", isRefusal: true }).state).toEqual({ kind: "refused", why: "no" });
    expect(afterError(begun(), { why: "reset", isRefusal: false }).state).toEqual({ kind: "unknown", why: "reset" });
  });

  test("of a request that was sent again leaves it not known, since a rejection says nothing of the first time", () => {
    const repeating = repeat(afterError(begun(), { why: "reset", isRefusal: false }));
    if (repeating === undefined) throw new Error("it is not sent again");
    expect(afterError(repeating, { why: "too late", isRefusal: true }).state).toEqual({ kind: "unknown", why: "too late" });
    expect(afterAnswer(repeating, answer({ outcome: ActionOutcome.DONE }), AT).state).toMatchObject({ kind: "written" });
  });
});
