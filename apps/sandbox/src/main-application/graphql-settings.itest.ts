import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startApplicationFixture, type ApplicationFixture } from "./application.fixture.ts";

const UPDATE = `mutation($input: EnvironmentUpdateInput!) { result: environmentUpdate(input: $input) { errors } }`;
const COMMIT = `mutation($input: CommitCreateInput!) { result: commitCreate(input: $input) { commit { sha webUrl } errors } }`;
const PRODUCTION = "gid://gitlab/Environment/1";
const PLATFORM = "gid://gitlab/Clusters::Agent/2";

let fixture: ApplicationFixture;
beforeEach(async () => {
  fixture = await startApplicationFixture();
});
afterEach(() => fixture.close());

interface Answer {
  readonly data: { readonly result: unknown; readonly project: unknown } | null;
  readonly errors?: readonly { readonly message: string }[];
}

async function ask(user: string, query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
  const headers = { "content-type": "application/json", authorization: `Bearer glpat-${user}` };
  const response = await fetch(`${fixture.url}/api/graphql`, { method: "POST", headers, body: JSON.stringify({ query, variables }) });
  return (await response.json()) as Answer;
}

async function resultOf(user: string, query: string, input: Record<string, unknown>): Promise<unknown> {
  const { data, errors } = await ask(user, query, { input });
  return errors?.[0]?.message ?? data?.result;
}

describe("agents of a project", () => {
  const query = `{ project(fullPath: "group/app") {
    userAccessAuthorizedAgents { nodes { agent { name } } } ciAccessAuthorizedAgents { nodes { agent { name } } } } }`;

  test("those shared for users and those shared for jobs are listed apart, also by a group", async () => {
    const { world } = fixture.app;
    world.setConfiguration(1, { user_access: { groups: [{ id: "group" }] } });
    world.setConfiguration(2, { ci_access: { projects: [{ id: "group/app" }] } });
    const names = (...of: string[]) => ({ nodes: of.map((name) => ({ agent: { name } })) });
    expect((await ask("developer", query)).data?.project).toEqual({
      userAccessAuthorizedAgents: names("demo"),
      ciAccessAuthorizedAgents: names("demo", "platform"),
    });
  });
});

describe("an environment", () => {
  test("is changed by a maintainer, and what is not named stays", async () => {
    fixture.app.world.setConfiguration(2, { user_access: { projects: [{ id: "group/app" }] } });
    expect(await resultOf("maintainer", UPDATE, { id: PRODUCTION, clusterAgentId: PLATFORM })).toEqual({ errors: [] });
    expect(fixture.app.world.environments[0]).toMatchObject({ agentId: 2, namespace: "production" });
  });

  test("gets no agent that is not shared for users with its project", async () => {
    expect(await resultOf("maintainer", UPDATE, { id: PRODUCTION, clusterAgentId: PLATFORM })).toEqual({
      errors: ["Unauthorized to access the cluster agent in this project"],
    });
  });

  test("is not changed by a developer", async () => {
    expect(await resultOf("developer", UPDATE, { id: PRODUCTION, kubernetesNamespace: "x" })).toMatch(/don't have permission/);
    expect(fixture.app.world.environments[0]?.namespace).toBe("production");
  });

  test("is created, stopped and deleted, in this order only", async () => {
    const create = `mutation($input: EnvironmentCreateInput!) { result: environmentCreate(input: $input) { errors } }`;
    const stop = `mutation($input: EnvironmentStopInput!) { result: environmentStop(input: $input) { errors } }`;
    const remove = `mutation($input: EnvironmentDeleteInput!) { result: environmentDelete(input: $input) { errors } }`;
    const input = { projectPath: "group/app", name: "a/settings", kubernetesNamespace: "x" };
    expect(await resultOf("maintainer", create, input)).toEqual({ errors: [] });
    expect(await resultOf("maintainer", create, input)).toEqual({ errors: ["Name has already been taken"] });
    const id = `gid://gitlab/Environment/${fixture.app.world.environments.at(-1)?.id}`;
    expect(await resultOf("maintainer", remove, { id })).toEqual({ errors: ["Environment must be stopped before it can be deleted"] });
    expect(await resultOf("maintainer", stop, { id })).toEqual({ errors: [] });
    expect(await resultOf("maintainer", remove, { id })).toEqual({ errors: [] });
    expect(fixture.app.world.environments).toHaveLength(1);
  });
});

describe("a file", () => {
  const action = { action: "CREATE", filePath: ".gitlab/binnacle.yaml", content: "hidden: []\n" };
  const input = { projectPath: "group/app", branch: "main", message: "Settings", actions: [action] };

  test("is committed by a maintainer, and not over a change that was not read", async () => {
    expect(await resultOf("maintainer", COMMIT, input)).toMatchObject({ errors: [] });
    const update = { ...input, actions: [{ ...action, action: "UPDATE", lastCommitId: "f".repeat(40) }] };
    expect(await resultOf("maintainer", COMMIT, update)).toMatchObject({ commit: null, errors: [expect.stringMatching(/changed since/)] });
  });

  test("is committed by a developer to a branch only", async () => {
    expect(await resultOf("developer", COMMIT, input)).toMatchObject({ errors: [expect.stringMatching(/not allowed to push/)] });
    expect(await resultOf("developer", COMMIT, { ...input, branch: "proposal", startBranch: "main" })).toMatchObject({ errors: [] });
    expect(await resultOf("guest", COMMIT, input)).toMatch(/don't have permission/);
  });
});
