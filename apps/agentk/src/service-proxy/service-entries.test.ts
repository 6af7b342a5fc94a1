import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ServiceOptionsSchema } from "@binnacle/proto/agent-options";
import { ServiceCallerSchema } from "@binnacle/proto/service-proxy";
import { expect, test } from "vitest";

import { maySendRaw } from "./service-entries.ts";

const ENTRY = create(ServiceOptionsSchema, {
  raw: { users: ["ann"], groups: [{ id: 9n, roles: ["owner"] }], projects: [{ id: 3n, roles: ["maintainer", "ci_job"] }] },
});
const may = (caller: MessageInitShape<typeof ServiceCallerSchema>, entry = ENTRY) => maySendRaw(entry, create(ServiceCallerSchema, caller));

test("a caller who is named or has one of the roles may send arbitrary requests", () => {
  expect(may({ username: "ann" })).toBe(true);
  expect(may({ username: "bob", groups: [{ id: 9n, roles: ["developer", "owner"] }] })).toBe(true);
  expect(may({ username: "bob", projects: [{ id: 3n, roles: ["reporter", "maintainer"] }] })).toBe(true);
  expect(may({ projects: [{ id: 3n, roles: ["ci_job"] }] })).toBe(true);
});

test("T36: all others may not", () => {
  expect(may({ username: "Ann" })).toBe(false);
  expect(may({ username: "" })).toBe(false);
  expect(may({ username: "bob", groups: [{ id: 3n, roles: ["maintainer"] }] })).toBe(false);
  expect(may({ username: "bob", projects: [{ id: 9n, roles: ["owner"] }] })).toBe(false);
  expect(may({ username: "bob", projects: [{ id: 3n, roles: ["developer"] }] })).toBe(false);
  // The right role, elsewhere.
  expect(may({ username: "bob", projects: [{ id: 4n, roles: ["maintainer"] }] })).toBe(false);
  expect(may({ username: "bob", groups: [{ id: 8n, roles: ["owner"] }] })).toBe(false);
  expect(may({ username: "ann" }, create(ServiceOptionsSchema, {}))).toBe(false);
  expect(may({ username: "" }, create(ServiceOptionsSchema, { raw: { users: [""] } }))).toBe(false);
  expect(maySendRaw(ENTRY, undefined)).toBe(false);
});
