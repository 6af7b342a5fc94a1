import { ChangeKind, ChangeSchema, type Change } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";

import { nameAuthors } from "./name-authors.ts";
import type { ViewerAct } from "./viewer-act.ts";

const NOON = Date.parse("2026-01-01T12:00:00Z");

type ChangeInit = Omit<MessageInitShape<typeof ChangeSchema>, "$typeName" | "$unknown">;

function changeOf(fields: ChangeInit = {}): Change {
  const at = timestampFromMs(NOON);
  const usual = { kind: ChangeKind.CHANGED, manager: "binnacle", uid: "u1", resourceVersions: ["5"], count: 1, at };
  return create(ChangeSchema, { ...usual, ...fields });
}

function actOf(username: string, fields: Partial<ViewerAct> = {}): ViewerAct {
  return {
    id: "",
    projectPath: "group/app",
    environment: "prod",
    uid: "u1",
    version: "5",
    action: "scale",
    isRemoval: false,
    begunMs: NOON,
    endedMs: NOON + 100,
    username,
    name: username.toUpperCase(),
    ...fields,
  };
}

/** Username of the author; "" for none. */
const authorOf = (change: ChangeInit, ...acts: ViewerAct[]): string => nameAuthors([changeOf(change)], acts)[0]?.by?.username ?? "";
const at = (ms: number): Pick<ViewerAct, "begunMs" | "endedMs"> => ({ begunMs: NOON + ms, endedMs: NOON + ms });
const deletedAt = (ms: number): ChangeInit => ({ kind: ChangeKind.DELETED, manager: "", at: timestampFromMs(NOON + ms) });

test("a change is that of the act which led to its version, whenever that was", () => {
  expect(authorOf({}, actOf("ada"), actOf("ben", { version: "6" }))).toBe("ada");
  expect(authorOf({}, actOf("ada", at(-3_600_000)))).toBe("ada");
  expect(authorOf({ kind: ChangeKind.CREATED }, actOf("ada"))).toBe("ada");
});

test.each<readonly [string, ChangeInit, Partial<ViewerAct>]>([
  ["another object", { uid: "u2" }, {}],
  ["an object without a uid", { uid: "" }, {}],
  ["another version", { resourceVersions: ["4"] }, {}],
  ["an unknown version", { resourceVersions: [] }, {}],
  ["another manager", { manager: "kubectl-edit" }, {}],
  ["an unknown manager", { manager: "" }, {}],
  ["a removal", {}, { isRemoval: true }],
])("no author is named for %s", (...[, change, act]) => {
  expect(authorOf({}, actOf("ada"))).toBe("ada");
  expect(authorOf(change, actOf("ada", act))).toBe("");
});

test("T64: without a known act there is none, and what an agent says of an author is dropped, as are uid and versions", () => {
  const [named] = nameAuthors([changeOf({ by: { name: "Eve", username: "eve" } })], []);
  expect(named).toEqual(changeOf({ uid: "", resourceVersions: [] }));
});

test("changes that are shown as one have one author or none", () => {
  const both = { count: 2, resourceVersions: ["5", "6"] };
  expect(authorOf(both, actOf("ada"), actOf("ada", { version: "6" }))).toBe("ada");
  expect(authorOf(both, actOf("ada"), actOf("ben", { version: "6" }))).toBe("");
  expect(authorOf(both, actOf("ada"))).toBe("");
  expect(authorOf({ count: 21, resourceVersions: ["5"] }, actOf("ada"))).toBe("");
});

test("an act whose version is not known belongs to a near change, unless another could be meant", () => {
  const unknown = actOf("ada", { version: "", ...at(-9_000) });
  expect(authorOf({}, unknown)).toBe("ada");
  expect(authorOf({}, unknown, actOf("ben", { version: "" }))).toBe("");
  expect(authorOf({}, unknown, actOf("ben"))).toBe("");
  expect(authorOf({}, { ...unknown, ...at(-10_001) })).toBe("");
  expect(authorOf({}, { ...unknown, ...at(10_001) })).toBe("");
});

test("after a gap the last version decides, and the time where it is not that of an act", () => {
  const gap = { afterGap: true, resourceVersions: ["9"] };
  expect(authorOf(gap, actOf("ada", { version: "9" }), actOf("ben", { version: "8" }))).toBe("ada");
  expect(authorOf(gap, actOf("ada"))).toBe("ada");
  expect(authorOf(gap, actOf("ada"), actOf("ben"))).toBe("");
  expect(authorOf(gap, actOf("ada", at(60_000)))).toBe("");
});

test("a deletion is attributed to the viewer who removed this object, and to no viewer if two did", () => {
  const removal = { isRemoval: true, version: "" };
  expect(authorOf(deletedAt(600_000), actOf("ada", removal))).toBe("ada");
  expect(authorOf(deletedAt(600_000), actOf("ada", removal), actOf("ben", removal))).toBe("");
  expect(authorOf(deletedAt(600_000), actOf("ada"))).toBe("");
  expect(authorOf(deletedAt(-60_000), actOf("ada", removal))).toBe("");
  expect(authorOf({ ...deletedAt(0), uid: "u0" }, actOf("ada", removal))).toBe("");
});

test("a change names how many others were changed in the same row of acts", () => {
  const others = [5_000, 10_000, 14_000].map((ms, index) => actOf("ada", { uid: `o${index}`, ...at(ms) }));
  const apart = [
    actOf("ada", { uid: "later", ...at(60_000) }),
    actOf("ada", { uid: "else", action: "restart" }),
    actOf("ben", { uid: "his" }),
  ];
  const [named] = nameAuthors([changeOf()], [...apart, ...others, actOf("ada")]);
  expect(named?.by).toMatchObject({ name: "ADA", username: "ada", others: 3 });
  expect(nameAuthors([changeOf()], [actOf("ada", { name: "" }), ...apart])[0]?.by).toMatchObject({ name: "ada", others: 0 });
});
