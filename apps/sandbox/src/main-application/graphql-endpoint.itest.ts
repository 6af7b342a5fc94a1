import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { FixtureBrowser, startApplicationFixture, type ApplicationFixture } from "./application.fixture.ts";

const QUERY = `query($path: ID!, $name: String) {
  currentUser { id username }
  project(fullPath: $path) {
    id
    environment(name: $name) {
      id slug tier kubernetesNamespace
      clusterAgent { id name project { name fullPath } connections { nodes { connectedAt } } tokens { nodes { lastUsedAt } } }
    }
  }
}`;

let fixture: ApplicationFixture;
beforeAll(async () => {
  fixture = await startApplicationFixture([new Date("2026-01-02T03:04:05Z")]);
});
afterAll(() => fixture.close());

function post(query: string, variables: Record<string, unknown> = {}): { method: string; body: string; headers: Record<string, string> } {
  return { method: "POST", body: JSON.stringify({ query, variables }), headers: { "content-type": "application/json" } };
}

test("the blueprint's query by token gives gids, namespace, agent and its connections", async () => {
  const request = post(QUERY, { path: "group/app", name: "production" });
  const answer = await fetch(`${fixture.url}/api/graphql`, {
    ...request,
    headers: { ...request.headers, authorization: "Bearer glpat-developer" },
  });
  expect(await answer.json()).toEqual({
    data: {
      currentUser: { id: "gid://gitlab/User/2", username: "developer" },
      project: {
        id: "gid://gitlab/Project/1",
        environment: {
          id: "gid://gitlab/Environment/1",
          slug: "production",
          tier: "PRODUCTION",
          kubernetesNamespace: "production",
          clusterAgent: {
            id: "gid://gitlab/Clusters::Agent/1",
            name: "demo",
            project: { name: "app", fullPath: "group/app" },
            connections: { nodes: [{ connectedAt: "2026-01-02T03:04:05.000Z" }] },
            tokens: { nodes: [{ lastUsedAt: null }] },
          },
        },
      },
    },
  });
});

test("an agent of another project is visible to developers of a project that it is shared with, and its project to users who may read that one", async () => {
  const { world } = fixture.app;
  const shop = { ...environmentOne(), id: 2, name: "shop", agentId: 2 };
  world.putEnvironment(shop);
  const query = `{ project(fullPath: "group/app") { environment(name: "shop") { clusterAgent { name project { fullPath } } } } }`;
  const agentFor = async (user: string): Promise<unknown> => {
    const request = post(query);
    const answer = await fetch(`${fixture.url}/api/graphql`, {
      ...request,
      headers: { ...request.headers, authorization: `Bearer glpat-${user}` },
    });
    return Reflect.get(Object(await answer.json()), "data");
  };
  const dataOf = (clusterAgent: unknown) => ({ project: { environment: { clusterAgent } } });
  expect(await agentFor("developer")).toEqual(dataOf(null));
  for (const section of ["user_access", "ci_access"]) {
    world.setConfiguration(2, { [section]: { projects: [{ id: "group/app" }] } });
    expect(await agentFor("developer")).toEqual(dataOf({ name: "platform", project: null }));
    expect(await agentFor("maintainer")).toEqual(dataOf({ name: "platform", project: { fullPath: "group/deploy" } }));
    expect(await agentFor("outsider")).toEqual(dataOf(null));
  }
  world.setConfiguration(2, { user_access: { projects: [{ id: "group/open" }] } });
  expect(await agentFor("developer")).toEqual(dataOf(null));
  world.setEnvironments(world.environments.filter(({ id }) => id !== shop.id));
});

test("by session the query needs the cookie and the CSRF token of any page", async () => {
  const browser = new FixtureBrowser(fixture.url);
  await browser.signIn("maintainer");
  const token = await browser.csrfToken("/group/app");
  const request = post("{ currentUser { username } }");
  expect((await browser.fetch("/api/graphql", request)).status).toBe(401);
  expect((await browser.fetch("/api/graphql", { ...request, headers: { ...request.headers, "x-csrf-token": "x" } })).status).toBe(401);
  const answer = await browser.fetch("/api/graphql", { ...request, headers: { ...request.headers, "x-csrf-token": token } });
  expect(await answer.json()).toEqual({ data: { currentUser: { username: "maintainer" } } });
  const stranger = await new FixtureBrowser(fixture.url).fetch("/api/graphql", {
    ...request,
    headers: { ...request.headers, "x-csrf-token": token },
  });
  expect(stranger.status).toBe(401);
});

test("an unknown token is answered 401, an unknown project with null", async () => {
  const request = post(`{ project(fullPath: "group/other") { id } }`);
  expect((await fetch(`${fixture.url}/api/graphql`, { ...request, headers: { authorization: "Bearer nope" } })).status).toBe(401);
  const answer = await fetch(`${fixture.url}/api/graphql`, { ...request, headers: { authorization: "Bearer glpat-outsider" } });
  expect(await answer.json()).toEqual({ data: { project: null } });
});

test("files of the default branch are given to who may read the code; what is not there is left out, what is no text is null", async () => {
  fixture.files.set("group/app .gitlab/binnacle.yaml", Buffer.from("environments: {}\n"));
  fixture.files.set("group/app logo.png", Buffer.from([1, 0, 2]));
  const query = `query($paths: [String!]!) { project(fullPath: "group/app") { repository { blobs(paths: $paths) { nodes { path size rawTextBlob } } } } }`;
  const ask = async (user: string): Promise<unknown> => {
    const request = post(query, { paths: [".gitlab/binnacle.yaml", "nowhere", "logo.png"] });
    return (await fetch(`${fixture.url}/api/graphql`, { ...request, headers: { authorization: `Bearer glpat-${user}` } })).json();
  };
  expect(await ask("outsider")).toEqual({
    data: {
      project: {
        repository: {
          blobs: {
            nodes: [
              { path: ".gitlab/binnacle.yaml", size: "17", rawTextBlob: "environments: {}\n" },
              { path: "logo.png", size: "3", rawTextBlob: null },
            ],
          },
        },
      },
    },
  });
  expect(await ask("guest")).toEqual({ data: { project: { repository: null } } });
});

test("a file is given as the commit has it that is named", async () => {
  fixture.files.set("group/app a.yaml", Buffer.from("a: now\n"));
  fixture.files.set("group/app@abc a.yaml", Buffer.from("a: then\n"));
  const query = `query($ref: String) { project(fullPath: "group/app") { repository { blobs(paths: ["a.yaml"], ref: $ref) { nodes { rawTextBlob } } } } }`;
  const ask = async (ref?: string): Promise<unknown> => {
    const response = await fetch(`${fixture.url}/api/graphql`, {
      ...post(query, { ref }),
      headers: { authorization: "Bearer glpat-outsider" },
    });
    return response.json();
  };
  const answer = (nodes: readonly object[]) => ({ data: { project: { repository: { blobs: { nodes } } } } });
  expect(await ask("abc")).toEqual(answer([{ rawTextBlob: "a: then\n" }]));
  expect(await ask()).toEqual(answer([{ rawTextBlob: "a: now\n" }]));
  expect(await ask("def")).toEqual(answer([]));
});

test("the id of a commit is visible to users who may read the code", async () => {
  fixture.commits.set("group/app abcdef12", { sha: "abcdef12".padEnd(40, "0"), title: "Scale web", authorName: "Ann" });
  const query = `query($ref: String!) { project(fullPath: "group/app") { repository { tree(ref: $ref) { lastCommit { sha title authorName webUrl } } } } }`;
  const ask = async (user: string, ref: string): Promise<unknown> => {
    const request = post(query, { ref });
    return (await fetch(`${fixture.url}/api/graphql`, { ...request, headers: { authorization: `Bearer glpat-${user}` } })).json();
  };
  expect(await ask("outsider", "abcdef12")).toMatchObject({
    data: { project: { repository: { tree: { lastCommit: { title: "Scale web", authorName: "Ann" } } } } },
  });
  expect(await ask("outsider", "12345678")).toEqual({ data: { project: { repository: { tree: null } } } });
  expect(await ask("guest", "abcdef12")).toEqual({ data: { project: { repository: null } } });
});

test("lists come in pages", async () => {
  fixture.app.world.setEnvironments([1, 2, 3].map((id) => ({ ...environmentOne(), id, name: `env-${id}`, slug: `env-${id}` })));
  const ask = async (after: string | null): Promise<unknown> => {
    const request = post(
      `query($after: String) { project(fullPath: "group/app") { environments(first: 2, after: $after) { nodes { name } pageInfo { hasNextPage endCursor } } } }`,
      { after },
    );
    return (await fetch(`${fixture.url}/api/graphql`, { ...request, headers: { authorization: "Bearer glpat-developer" } })).json();
  };
  const first = await ask(null);
  expect(first).toMatchObject({
    data: { project: { environments: { nodes: [{ name: "env-1" }, { name: "env-2" }], pageInfo: { hasNextPage: true } } } },
  });
  const cursor = /"endCursor":"([^"]+)"/.exec(JSON.stringify(first))?.[1] ?? "";
  expect(await ask(cursor)).toMatchObject({
    data: { project: { environments: { nodes: [{ name: "env-3" }], pageInfo: { hasNextPage: false } } } },
  });
});

test("a query for many environments asks kas once whether their agent is connected", async () => {
  fixture.app.world.setEnvironments([1, 2, 3].map((id) => ({ ...environmentOne(), id, name: `env-${id}`, slug: `env-${id}` })));
  const connectedAt = vi.spyOn(fixture.app.connectedAgents, "connectedAt");
  const request = post(
    `{ project(fullPath: "group/app") { environments { nodes { clusterAgent { connections { nodes { connectedAt } } } } } } }`,
  );
  const answer = await fetch(`${fixture.url}/api/graphql`, { ...request, headers: { authorization: "Bearer glpat-developer" } });
  const text = await answer.text();
  expect(text.match(/2026-01-02T03:04:05/g)).toHaveLength(3);
  expect(connectedAt).toHaveBeenCalledTimes(1);
});

function environmentOne() {
  const [environment] = fixture.app.world.environments;
  if (!environment) throw new Error("the fixture has no environment");
  return environment;
}
