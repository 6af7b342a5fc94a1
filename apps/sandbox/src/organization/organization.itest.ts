import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createDemoSeed } from "../demo/demo-seed.ts";
import { compareCommits } from "../gitaly/compare-commits.ts";
import { userAccessOf } from "../main-application/agent-access.ts";
import { startApplicationFixture, type ApplicationFixture } from "../main-application/application.fixture.ts";
import { World, type User } from "../main-application/world.ts";
import { startOrganization } from "./start-organization.ts";

const SHARED = { user_access: { access_as: { user: {} }, groups: [{ id: "acme/shop" }, { id: "acme/risk" }] } };

let root: string;
let fixture: ApplicationFixture;
let world: World;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "organization-"));
  world = new World(createDemoSeed({ foreignCluster: false, colleagues: 0, agents: 2 }));
  world.setConfiguration(2, SHARED);
  await startOrganization(world, root);
  fixture = await startApplicationFixture([], { world, compareCommits: (fullPath, range) => compareCommits(root, fullPath, range) });
});
afterAll(async () => {
  await fixture.close();
  rmSync(root, { recursive: true, force: true });
});

function userNamed(username: string): User {
  const user = world.users.find((each) => each.username === username);
  if (user === undefined) throw new Error(`there is no ${username}`);
  return user;
}

async function query(username: string, text: string): Promise<unknown> {
  const answer = await fetch(`${fixture.url}/api/graphql`, {
    method: "POST",
    body: JSON.stringify({ query: text }),
    headers: { "content-type": "application/json", authorization: `Bearer ${userNamed(username).personalAccessToken}` },
  });
  return answer.json();
}

const environmentsIn = `{ group(fullPath: "acme") { projects(includeSubgroups: true) { nodes { fullPath environments { nodes { name } } } } } }`;

async function countsOf(username: string): Promise<Record<string, number>> {
  // The shape of the query above.
  const { data } = (await query(username, environmentsIn)) as {
    data: { group: { projects: { nodes: { fullPath: string; environments: { nodes: object[] } }[] } } };
  };
  return Object.fromEntries(data.group.projects.nodes.map(({ fullPath, environments: { nodes } }) => [fullPath, nodes.length]));
}

test("the maintainer sees all environments of the organisation, the developer half of them", async () => {
  expect(await countsOf("maintainer")).toEqual({
    "acme/shop/web": 4,
    "acme/shop/backend/checkout": 4,
    "acme/platform/agents": 0,
    "acme/risk/fraud": 4,
    "acme/risk/scoring": 4,
  });
  expect(await countsOf("developer")).toEqual({ "acme/shop/web": 4, "acme/shop/backend/checkout": 4 });
  expect(await query("outsider", environmentsIn)).toEqual({ data: { group: null } });
});

test("groups are those that the user may read, with their parents and the projects right in them", async () => {
  const groups = `{ groups(first: 10) { nodes { fullPath fullName parent { fullPath } projects { nodes { fullPath group { fullPath } } } } } }`;
  expect(await query("developer", groups)).toEqual({
    data: {
      groups: {
        nodes: [
          { fullPath: "acme", fullName: "Acme", parent: null, projects: { nodes: [] } },
          {
            fullPath: "acme/shop",
            fullName: "Acme / Shop",
            parent: { fullPath: "acme" },
            projects: { nodes: [{ fullPath: "acme/shop/web", group: { fullPath: "acme/shop" } }] },
          },
          {
            fullPath: "acme/shop/backend",
            fullName: "Acme / Shop / Backend",
            parent: { fullPath: "acme/shop" },
            projects: { nodes: [{ fullPath: "acme/shop/backend/checkout", group: { fullPath: "acme/shop/backend" } }] },
          },
          expect.objectContaining({ fullPath: "group", parent: null }),
        ],
      },
    },
  });
  const below = `{ groups(topLevelOnly: true) { nodes { fullPath } } group(fullPath: "ACME") { descendantGroups(search: "back") { nodes { fullPath } } } }`;
  expect(await query("developer", below)).toEqual({
    data: {
      groups: { nodes: [{ fullPath: "acme" }, { fullPath: "group" }] },
      group: { descendantGroups: { nodes: [{ fullPath: "acme/shop/backend" }] } },
    },
  });
});

test("a group's agent may be used by its developers, one that is shared by ci_access alone by jobs only", async () => {
  expect(userAccessOf(world, 2, userNamed("developer"))).toEqual({
    user: { projects: [], groups: [{ id: 3, roles: ["reporter", "developer"] }] },
  });
  expect(userAccessOf(world, 3, userNamed("maintainer"))).toBeNull();
  const agents = `{ project(fullPath: "acme/shop/backend/checkout") {
    userAccessAuthorizedAgents { nodes { agent { name project { fullPath } } config } }
    ciAccessAuthorizedAgents { nodes { agent { name project { fullPath } } config } }
  } }`;
  expect(await query("developer", agents)).toEqual({
    data: {
      project: {
        userAccessAuthorizedAgents: { nodes: [{ agent: { name: "platform", project: null }, config: { access_as: { user: {} } } }] },
        ciAccessAuthorizedAgents: {
          nodes: [{ agent: { name: "runner", project: null }, config: { id: "acme", default_namespace: "shop" } }],
        },
      },
    },
  });
});

test("environments have their folder and when they are stopped by themselves, and are found by folder", async () => {
  const fields = `{ nodes { name environmentType autoStopAt } }`;
  const text = `{ project(fullPath: "acme/shop/web") { all: environments(first: 2) ${fields} review: environments(type: "review") ${fields} } }`;
  const none = { environmentType: null, autoStopAt: null };
  const review = { environmentType: "review", autoStopAt: expect.stringMatching(/^\d{4}-.*Z$/) };
  expect(await query("developer", text)).toEqual({
    data: {
      project: {
        all: {
          nodes: [
            { name: "production", ...none },
            { name: "staging", ...none },
          ],
        },
        review: {
          nodes: [
            { name: "review/basket", ...review },
            { name: "review/images", ...review },
          ],
        },
      },
    },
  });
});

async function compare(username: string, path: string): Promise<readonly [number, unknown]> {
  const [project, production, staging] = ["acme/shop/web", world.lastDeployment(1_100)?.sha, world.lastDeployment(1_101)?.sha];
  const address = path === "" ? `from=${production}&to=${staging}` : path;
  const answer = await fetch(`${fixture.url}/api/v4/projects/${encodeURIComponent(project)}/repository/compare?${address}`, {
    headers: { "private-token": userNamed(username).personalAccessToken },
  });
  return [answer.status, await answer.json()];
}

test("production is three commits behind staging, for who may read the code; others learn nothing", async () => {
  const titles = ["Show prices with tax", "Fix the basket on phones", "Load images later"];
  const [status, found] = await compare("developer", "");
  expect([status, found]).toEqual([
    200,
    expect.objectContaining({ commits: titles.map((title) => expect.objectContaining({ title, author_name: "Devi Developer" })) }),
  ]);
  expect((await compare("outsider", ""))[0]).toBe(404);
  expect((await compare("developer", `from=${"0".repeat(40)}&to=--all`))[0]).toBe(404);
});

test("a deleted agent is on no environment any more, a renamed one keeps its place", () => {
  const seed = createDemoSeed({ foreignCluster: false, colleagues: 0, agents: 2 });
  const other = new World(seed);
  const [, platform] = seed.agents;
  if (platform === undefined) throw new Error("the seed has two agents");
  other.renameAgent(platform.id, "fleet");
  expect(other.agents.map(({ name }) => name)).toEqual(["demo", "fleet", "runner"]);
  other.deleteAgent(platform.id);
  expect(other.agentByToken(platform.token, new Date())).toBeUndefined();
  expect(other.environments.filter(({ agentId }) => agentId === platform.id)).toEqual([]);
  expect(other.environments.find(({ name }) => name === "shop")).toMatchObject({ agentId: 0, namespace: "shop" });
});
