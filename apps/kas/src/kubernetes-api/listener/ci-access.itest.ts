import { HeaderExtraSchema } from "@binnacle/proto/kubernetes-api";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { CI, JOB, ProxyUnderTest } from "./testing/proxy-under-test.ts";

const PODS = "/-/k8s/api/v1/pods";

let kas: ProxyUnderTest;
beforeEach(async () => void (kas = await ProxyUnderTest.start()));
afterEach(() => kas.stop());

/** An agent that a job may use. */
function agent(id: number, configuration?: Record<string, unknown>) {
  return { id, config_project: { id: 30 + id }, ...(configuration && { configuration }) };
}

/** The main application knows such a job. */
function allow(job: Record<string, unknown>): void {
  kas.application.answer = ({ url, headers }) =>
    url.endsWith("/job/allowed_agents") && headers["job-token"] === "good"
      ? { status: 200, body: { ...JOB, ...job } }
      : { status: 401, body: {} };
}

/** The identity in the request to the agent; `undefined` for the agent itself. */
async function actsAs(agentId: number) {
  expect((await kas.send(PODS, { headers: { authorization: `Bearer ci:${agentId}:good` } })).statusCode).toBe(200);
  const message = kas.call().messages[0]?.message;
  const extra = message?.case === "header" ? message.value.extra : undefined;
  return extra && anyUnpack(extra, HeaderExtraSchema)?.impConfig;
}

const EXTRA = [
  { key: "agent.gitlab.com/id", val: ["7"] },
  { key: "agent.gitlab.com/config_project_id", val: ["37"] },
  { key: "agent.gitlab.com/project_id", val: ["3"] },
  { key: "agent.gitlab.com/ci_pipeline_id", val: ["6"] },
  { key: "agent.gitlab.com/ci_job_id", val: ["5"] },
  { key: "agent.gitlab.com/username", val: ["ann"] },
];
const GROUPS = ["gitlab:ci_job", "gitlab:group:9", "gitlab:group:8", "gitlab:project:3"];
const TWO_GROUPS = { id: 3, groups: [{ id: 9 }, { id: 8 }] };
const SLUG = { key: "agent.gitlab.com/environment_slug", val: ["review-x-1"] };
const TIER = { key: "agent.gitlab.com/environment_tier", val: ["development"] };

describe("a job that acts as itself has the names of GitLab", () => {
  test.each([
    ["without an environment", {}, GROUPS, EXTRA],
    ["with null for an environment", { environment: null }, GROUPS, EXTRA],
    [
      "in an environment without a tier",
      { environment: { slug: "review-x-1", tier: null } },
      [...GROUPS, "gitlab:project_env:3:review-x-1"],
      [...EXTRA, SLUG],
    ],
    [
      "in an environment with a tier",
      { environment: { slug: "review-x-1", tier: "development" } },
      [
        ...GROUPS,
        "gitlab:group_env_tier:9:development",
        "gitlab:group_env_tier:8:development",
        "gitlab:project_env:3:review-x-1",
        "gitlab:project_env_tier:3:development",
      ],
      [...EXTRA, SLUG, TIER],
    ],
  ])("%s", async (...[, environment, groups, extra]) => {
    allow({ ...environment, project: TWO_GROUPS, allowed_agents: [agent(7, { access_as: { ci_job: {} } })] });
    expect(await actsAs(7)).toMatchObject({ username: "gitlab:ci_job:5", groups, uid: "", extra });
  });
});

describe("every way of access_as for a job", () => {
  const fixed = { username: "deployer", groups: ["ops"], uid: "u-1", extra: [{ key: "example.com/team", val: ["a", "b"] }] };

  test.each([
    ["no configuration", undefined, undefined],
    ["no access_as", {}, undefined],
    ["agent", { access_as: { agent: {} } }, undefined],
    ["impersonate", { access_as: { impersonate: fixed } }, fixed],
    ["impersonate, name alone", { access_as: { impersonate: { username: "deployer" } } }, { username: "deployer", groups: [], extra: [] }],
    ["what only the main application looks at", { environments: ["a*"], protected_branches_only: true, default_namespace: "x" }, undefined],
  ])("%s", async (_, configuration, expected) => {
    allow({ allowed_agents: [agent(7, configuration)] });
    // Both are wrapped: `undefined` is not an object that can be matched.
    expect({ identity: await actsAs(7) }).toMatchObject({ identity: expected });
  });

  test.each([
    ["ci_user", { ci_user: {} }],
    ["user", { user: {} }],
    ["two at once", { ci_job: {}, agent: {} }],
    ["no user", { impersonate: { username: "" } }],
    ["groups without a user", { impersonate: { groups: ["system:masters"] } }],
    ["none", {}],
  ])("KS5: %s is rejected with its reason, and no agent is called", async (_, accessAs) => {
    allow({ allowed_agents: [agent(7, { access_as: accessAs })] });
    expect(await kas.refusal(PODS, { headers: CI })).toMatchObject({ status: 501, reason: "access_mode_unknown" });
    expect(kas.router.calls).toHaveLength(0);
  });
});

test("a job with several agents, as its kubeconfig has several contexts, is at each who that one's configuration says", async () => {
  allow({
    allowed_agents: [agent(7, { access_as: { ci_job: {} } }), agent(8), agent(9, { access_as: { impersonate: { username: "d" } } })],
  });
  expect(await actsAs(7)).toMatchObject({ username: "gitlab:ci_job:5" });
  expect(await actsAs(8)).toBeUndefined();
  expect(await actsAs(9)).toMatchObject({ username: "d" });
  expect(await actsAs(7)).toMatchObject({ username: "gitlab:ci_job:5" });
});

describe("T6: a job that is rejected receives the reason, and no agent is called", () => {
  const NOT_ALLOWED = /ci_access of the agent's configuration does not list .* environments or for protected branches$/;
  const BAD_TOKEN = /the job token is not valid: no job that runs has it$/;

  test.each([
    ["a token that no job has", "ci:7:ended", 401, "token_unknown", BAD_TOKEN],
    ["an agent that is not listed for it", "ci:8:good", 403, "agent_forbidden", NOT_ALLOWED],
    ["an agent that does not exist", "ci:987654321:good", 403, "agent_forbidden", NOT_ALLOWED],
  ] as const)("%s", async (...[, token, status, reason, message]) => {
    allow({ allowed_agents: [agent(7)] });
    expect(await kas.refusal(PODS, { headers: { authorization: `Bearer ${token}` } })).toMatchObject({
      status,
      reason,
      kind: "Status",
      message: expect.stringMatching(message),
    });
    expect(kas.router.calls).toHaveLength(0);
  });

  test("a job for which nothing is listed is refused as one for which others are", async () => {
    allow({ allowed_agents: [] });
    expect(await kas.refusal(PODS, { headers: CI })).toMatchObject({ status: 403, reason: "agent_forbidden" });
  });

  test("a person's token is no job's, and a job's no person's", async () => {
    allow({ allowed_agents: [agent(7)] });
    expect(await kas.refusal(PODS, { headers: { authorization: "Bearer pat:7:good" } })).toMatchObject({ status: 401 });
  });
});
