import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { startApplicationFixture, type ApplicationFixture } from "./application.fixture.ts";

let fixture: ApplicationFixture;
beforeEach(async () => {
  fixture = await startApplicationFixture();
});
afterEach(() => fixture.close());

async function ask(query: string, user = "maintainer"): Promise<unknown> {
  const headers = { "content-type": "application/json", authorization: `Bearer glpat-${user}` };
  return (await fetch(`${fixture.url}/api/graphql`, { method: "POST", body: JSON.stringify({ query }), headers })).json();
}

describe("agents", () => {
  const GID = "gid://gitlab/Clusters::Agent/1";

  test("members see agents of the project with their tokens; only maintainers administer them", async () => {
    const query = `{ project(fullPath: "group/app") {
      userPermissions { adminProject } clusterAgents(first: 10) { nodes { name tokens(status: ACTIVE) { nodes { name } } } } clusterAgent(name: "none") { id }
    } }`;
    const seen = { clusterAgents: { nodes: [{ name: "demo", tokens: { nodes: [{ name: "first" }] } }] }, clusterAgent: null };
    expect(await ask(query)).toMatchObject({ data: { project: { ...seen, userPermissions: { adminProject: true } } } });
    expect(await ask(query, "developer")).toMatchObject({ data: { project: { ...seen, userPermissions: { adminProject: false } } } });
  });

  test("a maintainer registers an agent, creates and revokes its tokens, and deletes it", async () => {
    const made = await ask(
      `mutation { createClusterAgent(input: { projectPath: "group/app", name: "blue" }) { clusterAgent { id name } errors } }`,
    );
    expect(made).toMatchObject({ data: { createClusterAgent: { clusterAgent: { name: "blue" }, errors: [] } } });
    const again = await ask(
      `mutation { createClusterAgent(input: { projectPath: "group/app", name: "blue" }) { clusterAgent { id } errors } }`,
    );
    expect(again).toMatchObject({ data: { createClusterAgent: { clusterAgent: null, errors: ["Name has already been taken"] } } });
    const blue = fixture.app.world.agents.find(({ name }) => name === "blue");
    const gid = `gid://gitlab/Clusters::Agent/${blue?.id}`;
    const create = `mutation { clusterAgentTokenCreate(input: { clusterAgentId: "${gid}", name: "t" }) { secret token { id } errors } }`;
    // The answer's shape is that of the schema.
    const answer = (await ask(create)) as { data: { clusterAgentTokenCreate: { secret: string; token: { id: string } } } };
    const { secret, token } = answer.data.clusterAgentTokenCreate;
    expect(fixture.app.world.agentByToken(secret, new Date())).toMatchObject({ name: "blue" });
    await ask(`mutation { clusterAgentTokenRevoke(input: { id: "${token.id}" }) { errors } }`);
    expect(fixture.app.world.agentByToken(secret, new Date())).toBeUndefined();
    await ask(`mutation { clusterAgentDelete(input: { id: "${gid}" }) { errors } }`);
    expect(fixture.app.world.agents.map(({ name }) => name)).not.toContain("blue");
  });

  test.each([
    `createClusterAgent(input: { projectPath: "group/app", name: "blue" }) { errors }`,
    `clusterAgentTokenCreate(input: { clusterAgentId: "${GID}", name: "t" }) { errors }`,
    `clusterAgentTokenRevoke(input: { id: "gid://gitlab/Clusters::AgentToken/1" }) { errors }`,
    `clusterAgentDelete(input: { id: "${GID}" }) { errors }`,
  ])("a developer gets null for %s, and nothing changes", async (mutation) => {
    const answer = await ask(`mutation { ${mutation} }`, "developer");
    expect(answer).toMatchObject({ data: { [mutation.split("(")[0] ?? ""]: null } });
    expect(fixture.app.world.agents).toHaveLength(2);
    expect(fixture.app.world.agentTokens(1)).toHaveLength(1);
  });
});
