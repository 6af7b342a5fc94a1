import { expect, test } from "vitest";

import { jobAccessModeOf, userAccessModeOf } from "./access-mode.ts";

const unknown = expect.objectContaining({ reason: "access_mode_unknown" });

test("KS5: absent or null alone means the agent, and so does its own mode", () => {
  for (const value of [undefined, null, { agent: {} }]) {
    expect(userAccessModeOf(value)).toEqual({ kind: "agent" });
    expect(jobAccessModeOf(value)).toEqual({ kind: "agent" });
  }
});

test("KS5: a mode that is null was not chosen", () => {
  expect(userAccessModeOf({ agent: null, user: { projects: [] } })).toEqual({ kind: "user", projects: [], groups: [] });
  expect(jobAccessModeOf({ agent: null, ci_job: {}, impersonate: null })).toEqual({ kind: "ci_job" });
});

test("missing lists of a mode are empty", () => {
  expect(userAccessModeOf({ user: {} })).toEqual({ kind: "user", projects: [], groups: [] });
  expect(jobAccessModeOf({ impersonate: { username: "bot" } })).toEqual({
    kind: "impersonate",
    username: "bot",
    groups: [],
    uid: "",
    extra: [],
  });
});

const NEVER: readonly unknown[] = [
  {},
  [],
  "agent",
  true,
  0,
  "",
  { agent: true },
  { agent: [] },
  { something: {} },
  { agent: {}, something: {} },
  { agent: null },
  { Agent: {} },
  { __proto__: { agent: {} } },
  JSON.parse('{"__proto__":{"agent":{}}}'),
  { toString: {} },
];

test.each([
  ...NEVER,
  { ci_user: {} },
  { ci_job: {} },
  { impersonate: { username: "x" } },
  { user: { projects: "all" } },
  { agent: {}, user: {} },
])("KS5: access_as %j of a person is refused", (accessAs) => {
  expect(() => userAccessModeOf(accessAs)).toThrow(unknown);
});

test.each([
  ...NEVER,
  { user: {} },
  { ci_user: {} },
  { impersonate: {} },
  { ci_job: {}, agent: {} },
  { impersonate: { username: "x" }, ci_job: {} },
])("KS5: access_as %j of a job is refused", (accessAs) => {
  expect(() => jobAccessModeOf(accessAs)).toThrow(unknown);
});
