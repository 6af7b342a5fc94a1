import { expect, test } from "vitest";

import { parseOrganization } from "./parse-organization.ts";
import { hashToken } from "./token-hash.ts";

const TOKEN = "glagent-1";
const organization = parseOrganization([
  {
    file: "organization.yaml",
    text: `
groups:
  - path: shop
    members:
      - { group: everyone, role: reporter }
      - { user: olga, role: maintainer }
  - path: shop/backend
    members: [{ group: backend, role: developer }]
projects:
  - id: 1
    path: shop/backend/store
    members: [{ user: alice, role: maintainer }]
    environments:
      - { name: production, tier: production, agent: "shop/infra:prod", namespace: store }
      - { name: review/a, agent: local }
      - { name: none }
  - { id: 2, path: shop/infra }
  - { id: 3, path: other/site, members: [{ group: backend, role: reporter }] }
agents:
  - id: 7
    name: prod
    project: shop/infra
    tokens: ["${hashToken(TOKEN)}"]
    user_access: { access_as: user, groups: [backend], users: [olga] }
  - { id: 8, name: local, project: shop/backend/store, user_access: { access_as: agent, users: [alice] } }
`,
  },
]);

const alice = { name: "alice", groups: ["everyone"] };
const bob = { name: "bob", groups: ["everyone", "backend"] };
const olga = { name: "olga", groups: [] };
const eve = { name: "backend", groups: ["olga", "alice"] };

test("a token belongs to the agent with its hash, the hash itself to none", () => {
  expect(organization.agentOfToken(TOKEN)).toMatchObject({ id: 7, name: "prod", projectId: 2 });
  expect(organization.agentOfToken("glagent-2")).toBeUndefined();
  expect(organization.agentOfToken(hashToken(TOKEN))).toBeUndefined();
});

test("the highest role counts, of the project and of all groups around it", () => {
  expect(organization.roleIn("shop/backend/store", alice)).toBe("maintainer");
  expect(organization.roleIn("shop/backend/store", bob)).toBe("developer");
  expect(organization.roleIn("shop/backend/store", olga)).toBe("maintainer");
  expect(organization.roleIn("shop/infra", bob)).toBe("reporter");
  expect(organization.roleIn("other/site", alice)).toBeUndefined();
  expect(organization.roleIn("shop", olga)).toBeUndefined();
});

test("the name of a group gives a user of that name no right, and the other way round", () => {
  expect(organization.projectsOf(eve)).toEqual([]);
  expect(organization.accessTo(7, eve)).toBeUndefined();
});

test("a user sees the projects of the roles", () => {
  expect(organization.projectsOf(bob).map(({ path }) => path)).toEqual(["other/site", "shop/backend/store", "shop/infra"]);
  expect(organization.projectsOf({ name: "nina", groups: [] })).toEqual([]);
});

test("access to an agent is by its own list, whatever the roles are", () => {
  expect(organization.accessTo(7, bob)).toBe("user");
  expect(organization.accessTo(7, olga)).toBe("user");
  expect(organization.accessTo(7, alice)).toBeUndefined();
  expect(organization.accessTo(8, alice)).toBe("agent");
  expect(organization.accessTo(9, alice)).toBeUndefined();
  expect(organization.agentsFor(olga).map(({ id }) => id)).toEqual([7]);
});

test("an environment has an agent of its project, of another one, or none", () => {
  const environments = organization.project("shop/backend/store")?.environments ?? [];
  expect(environments.map((environment) => organization.agentOfEnvironment("shop/backend/store", environment)?.id)).toEqual([
    7,
    8,
    undefined,
  ]);
});
