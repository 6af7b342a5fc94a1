import { expect, test } from "vitest";

import { passwordMark } from "./password-hash.ts";
import { parseOrganization } from "./parse-organization.ts";
import { hashToken } from "./token-hash.ts";

const TOKEN = "glagent-1";
const HASH = `scrypt:65536:8:2:${"A".repeat(22)}:${"A".repeat(43)}`;
const organization = parseOrganization([
  {
    file: "organization.yaml",
    text: `
projects:
  - id: 2
    path: shop/infra
    members: [{ group: backend, role: developer }, { user: olga, role: maintainer }]
    environments: [{ name: production, agent: prod }, { name: plain }]
  - { id: 3, path: shop/store, members: [{ user: olga, role: reporter }], environments: [{ name: dev, agent: "shop/infra:local" }] }
agents:
  - id: 7
    name: prod
    project: shop/infra
    tokens: ["${hashToken(TOKEN)}"]
    user_access: { access_as: user, groups: [backend], users: [olga] }
  - { id: 8, name: local, project: shop/infra, user_access: { access_as: agent, users: [alice] } }
  - { id: 9, name: closed, project: shop/infra }
users:
  - { name: olga, password: "${HASH}", tokens: [{ name: laptop, hash: "${hashToken("mine")}", expires_at: 2026-01-01T00:00:00Z }] }
  - { name: ann }
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

test("projects are those of which the user is a member, by themselves or by a group", () => {
  const paths = (name: string, ...groups: readonly string[]) => organization.projectsOf({ name, groups }).map(({ path }) => path);
  expect(paths("olga")).toEqual(["shop/infra", "shop/store"]);
  expect(paths("bob", "backend")).toEqual(["shop/infra"]);
  expect(paths("bob")).toEqual([]);
  expect(organization.projectFor("shop/store", { name: "olga", groups: [] })?.id).toBe(3);
  expect(organization.projectFor("shop/store", { name: "bob", groups: ["backend"] })).toBeUndefined();
  expect(organization.projectFor("shop/none", { name: "olga", groups: [] })).toBeUndefined();
});

test("an environment names an agent of its own project, or of another one", () => {
  expect(organization.agentOfEnvironment("shop/infra", { agent: "prod" })?.id).toBe(7);
  expect(organization.agentOfEnvironment("shop/store", { agent: "shop/infra:local" })?.id).toBe(8);
  expect(organization.agentOfEnvironment("shop/store", {})).toBeUndefined();
});

test("T78: a sign-in is that of a password that is still the user's", () => {
  expect(organization.userWithPassword("olga", passwordMark(HASH))?.name).toBe("olga");
  expect(organization.userWithPassword("olga", passwordMark(`${HASH}B`))).toBeUndefined();
  expect(organization.userWithPassword("ann", passwordMark(""))).toBeUndefined();
  expect(organization.userWithPassword("none", passwordMark(HASH))).toBeUndefined();
});

test("T79: a personal access token is its owner's until it expires", () => {
  const end = Date.UTC(2026, 0, 1);
  expect(organization.userOfToken("mine", end - 1)?.name).toBe("olga");
  expect(organization.userOfToken("mine", end)).toBeUndefined();
  expect(organization.userOfToken(TOKEN, 0)).toBeUndefined();
  expect(organization.userOfToken(hashToken("mine"), 0)).toBeUndefined();
});
