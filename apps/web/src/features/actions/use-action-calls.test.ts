import { ActionKind, PreviewActionResponseSchema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ENGLISH } from "@binnacle/words/en";
import { beforeAll, describe, expect, test } from "vitest";
import { setLanguage } from "../../ui/messages.ts";
import type { Attempt, AttemptState } from "./action-attempt.ts";
import { afterReading } from "./use-action-calls.ts";

beforeAll(() => setLanguage(ENGLISH, "en"));

const SCALED = { path: "spec.replicas", before: "1", after: "3" };
const DELETION = { path: "metadata.deletionTimestamp", after: "set" };
const JOB = { path: "job", after: "report-1f2e" };
const REFUSED = { id: "action/name-not-typed" };

type Field = Attempt["action"]["field"];

function checking(kind: ActionKind, field: Field): Attempt {
  const action = { intent: { kind }, request: { requestId: "first", uid: "u1" }, field, mark: { revision: 1, images: [] } };
  return { action, state: { kind: "checking" }, follow: { kind: "waiting" } };
}

function read(kind: ActionKind, field: Field, init: Omit<MessageInitShape<typeof PreviewActionResponseSchema>, "$typeName">): AttemptState {
  const preview = create(PreviewActionResponseSchema, { uid: "u1", ...init });
  return afterReading(checking(kind, field), { kind: "previewed", preview }, 5_000).state;
}

const failed = (kind: ActionKind) => afterReading(checking(kind, DELETION), { kind: "failed", why: "no answer" }, 5_000).state;

const DONE = { kind: "written", atMs: 5_000 };

describe("a field", () => {
  test("that has the requested value says that it was done", () => {
    expect(read(ActionKind.SCALE, SCALED, { field: { ...SCALED, before: "3" } })).toEqual(DONE);
  });

  test("that has the requested value offers the reverse that the preview named", () => {
    const attempt = checking(ActionKind.SCALE, SCALED);
    const undo = { kind: ActionKind.SCALE, replicas: 1 };
    const preview = create(PreviewActionResponseSchema, { uid: "u1", field: { ...SCALED, before: "3" } });
    const read = afterReading({ ...attempt, action: { ...attempt.action, undo } }, { kind: "previewed", preview }, 5_000);
    expect(read.state).toEqual({ ...DONE, undo });
  });

  test("that has the earlier value says that it was not done, also where that is none", () => {
    expect(read(ActionKind.SCALE, SCALED, { field: SCALED })).toEqual({ kind: "not-done" });
    const restart = { path: "restartedAt", after: "2026-01-01T00:00:00.000Z" };
    expect(read(ActionKind.RESTART, restart, { field: { ...restart, after: "later" } })).toEqual({ kind: "not-done" });
  });

  test("that has another value was changed by another writer; hashes are not shown", () => {
    const changed = { kind: "changed", field: { path: "spec.replicas", value: "7" } };
    expect(read(ActionKind.SCALE, SCALED, { field: { ...SCALED, before: "7" } })).toEqual(changed);
    const template = { path: "spec.template", before: "aa", after: "bb" };
    expect(read(ActionKind.ROLL_BACK, template, { field: { ...template, before: "cc" } })).toEqual({ kind: "changed" });
    expect(read(ActionKind.EDIT, template, { edit: { changedSince: true }, refused: REFUSED })).toEqual({ kind: "changed" });
  });

  test("of a tool with its earlier value says nothing, since a tool may reset it", () => {
    expect(read(ActionKind.TOOL, SCALED, { field: SCALED })).toMatchObject({
      kind: "unknown",
      why: expect.stringContaining("spec.replicas"),
    });
    expect(read(ActionKind.TOOL, SCALED, { field: { ...SCALED, before: "3" } })).toEqual(DONE);
  });

  test("that the preview does not have leaves it not known, with the reason", () => {
    expect(read(ActionKind.SCALE, SCALED, { refused: REFUSED })).toMatchObject({ kind: "unknown", why: expect.stringMatching(/./) });
  });
});

describe("a removal", () => {
  test.each([ActionKind.DELETE, ActionKind.EVICT])("%s is done when the object is gone, is another one, or is being deleted", (kind) => {
    expect(read(kind, DELETION, { uid: "", refused: REFUSED })).toEqual(DONE);
    expect(read(kind, DELETION, { uid: "u2", field: DELETION })).toEqual(DONE);
    expect(read(kind, DELETION, { field: { ...DELETION, before: "2026-01-01T00:00:00Z", after: "2026-01-01T00:00:00Z" } })).toEqual(DONE);
    expect(read(kind, DELETION, { field: DELETION })).toEqual({ kind: "not-done" });
  });
});

describe("a Job to create", () => {
  test("is done when it exists, and not done when its dry run is accepted", () => {
    expect(read(ActionKind.RUN_NOW, JOB, { field: { ...JOB, before: JOB.after } })).toEqual(DONE);
    expect(read(ActionKind.RUN_NOW, JOB, { field: JOB })).toEqual({ kind: "not-done" });
  });

  test("is not known when the dry run is refused: it may exist where the viewer cannot read it", () => {
    expect(read(ActionKind.RUN_NOW, JOB, { field: JOB, refused: REFUSED })).toMatchObject({ kind: "unknown" });
  });
});

test("another object of the same name, an object that is gone and a preview that fails leave it not known", () => {
  expect(read(ActionKind.SCALE, SCALED, { uid: "u2", field: { ...SCALED, before: "3" } })).toEqual({
    kind: "unknown",
    why: "The resource was deleted and created anew.",
  });
  expect(failed(ActionKind.SCALE)).toEqual({ kind: "unknown", why: "no answer" });
  expect(failed(ActionKind.DELETE)).toEqual({ kind: "unknown", why: "no answer" });
});

test("a reading that comes after the viewer has sent the request again changes nothing", () => {
  const repeating: Attempt = { ...checking(ActionKind.SCALE, SCALED), state: { kind: "repeating" } };
  expect(afterReading(repeating, { kind: "failed", why: "late" }, 5_000)).toBe(repeating);
});
