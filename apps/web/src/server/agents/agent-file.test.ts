import { AgentFileState } from "@binnacle/proto/dashboard-agents";
import { expect, test } from "vitest";

import { toResponse } from "./agent-access.ts";
import { agentFileOf } from "./agent-file.ts";
import { lineOfReason } from "./watch-agent.ts";

const PATH = ".gitlab/agents/demo/config.yaml";
const fileOf = (text: string) => agentFileOf(PATH, { kind: "text", text });

test("rules of both sections are listed with what they grant", () => {
  const file = fileOf(`
user_access:
  access_as: { user: {} }
  projects: [{ id: group/app }]
  groups: [{ id: group }]
ci_access:
  projects: [{ id: group/ci, access_as: { ci_job: {} }, environments: [production], protected_branches_only: true }]
  instance: {}
`);
  expect(file.rules).toMatchObject([
    { section: "user_access", kind: "project", id: "group/app", accessAs: "user" },
    { section: "user_access", kind: "group", id: "group", accessAs: "user" },
    {
      section: "ci_access",
      kind: "project",
      id: "group/ci",
      accessAs: "ci_job",
      environments: ["production"],
      protectedBranchesOnly: true,
    },
    { section: "ci_access", kind: "instance", accessAs: "" },
  ]);
});

test.each([
  ["an empty file", fileOf(""), AgentFileState.READ],
  ["no YAML", fileOf("a: [b"), AgentFileState.INVALID],
  ["a list", fileOf("- a"), AgentFileState.INVALID],
  ["no text", agentFileOf(PATH, { kind: "binary" }), AgentFileState.INVALID],
  ["no file", agentFileOf(PATH, { kind: "absent" }), AgentFileState.ABSENT],
  ["no right", agentFileOf(PATH, { kind: "forbidden" }), AgentFileState.FORBIDDEN],
])("%s has its own state", (_, { state, rules }, expected) => {
  expect([state, rules]).toEqual([expected, []]);
});

test("T74: a file with thousands of rules is cut, and says so", () => {
  const file = fileOf(`user_access: { projects: [${Array.from({ length: 500 }, (_, index) => `{ id: p${index} }`).join(", ")}] }`);
  expect([file.rules.length, file.truncated]).toEqual([200, true]);
});

test.each([
  [`${PATH}:3:1: bad indentation`, 3],
  ["bad indentation at line 12, column 1", 12],
  ["unknown key", 0],
])("the line of %j is %d", (reason, line) => {
  expect(lineOfReason(reason)).toBe(line);
});

test.each([
  ['RBAC: allowed by ClusterRoleBinding "view" of ClusterRole "view" to User "ann"', ["ClusterRoleBinding", "view", "view"]],
  ['RBAC: allowed by RoleBinding "a/prod" of Role "edit" to Group "g"', ["RoleBinding", "a/prod", "edit"]],
  ["allowed by webhook", ["", "", ""]],
  ["", ["", "", ""]],
])("the binding is named only where the reason %j does", (reason, expected) => {
  const { bindingKind, bindingName, roleName } = toResponse(true, reason);
  expect([bindingKind, bindingName, roleName]).toEqual(expected);
});

test("a denied right has no binding, whatever the reason says", () => {
  expect(toResponse(false, 'by RoleBinding "a/b" of Role "c" to User "d"')).toMatchObject({
    allowed: false,
    bindingName: "",
  });
});
