import { expect, test } from "vitest";

import { parseOrganization } from "./parse-organization.ts";
import { hashToken } from "./token-hash.ts";

const TOKEN = "glagent-1";
const organization = parseOrganization([
  {
    file: "organization.yaml",
    text: `
projects:
  - { id: 2, path: shop/infra }
agents:
  - id: 7
    name: prod
    project: shop/infra
    tokens: ["${hashToken(TOKEN)}"]
    user_access: { access_as: user, groups: [backend], users: [olga] }
  - { id: 8, name: local, project: shop/infra, user_access: { access_as: agent, users: [alice] } }
  - { id: 9, name: closed, project: shop/infra }
`,
  },
]);

test("a token belongs to the agent with its hash, the hash itself to none", () => {
  expect(organization.agentOfToken(TOKEN)).toMatchObject({ id: 7, name: "prod", projectId: 2 });
  expect(organization.agentOfToken("glagent-2")).toBeUndefined();
  expect(organization.agentOfToken(hashToken(TOKEN))).toBeUndefined();
});

test("access to an agent is by its own list of users and groups", () => {
  expect(organization.accessTo(7, { name: "bob", groups: ["everyone", "backend"] })).toBe("user");
  expect(organization.accessTo(7, { name: "olga", groups: [] })).toBe("user");
  expect(organization.accessTo(7, { name: "alice", groups: ["everyone"] })).toBeUndefined();
  expect(organization.accessTo(8, { name: "alice", groups: [] })).toBe("agent");
  expect(organization.accessTo(9, { name: "alice", groups: ["backend"] })).toBeUndefined();
  expect(organization.accessTo(10, { name: "alice", groups: [] })).toBeUndefined();
});

test("the name of a group gives a user of that name no right, and the other way round", () => {
  expect(organization.accessTo(7, { name: "backend", groups: ["olga"] })).toBeUndefined();
});
