import { send, targetOf, type BearerTarget } from "../support/bearer-request.ts";
import { pick } from "../support/endpoints.ts";
import { expect, test } from "../support/fixtures.ts";

interface Refusal {
  readonly statusCode: number;
  readonly kind: unknown;
  readonly message: string;
  readonly header: unknown;
}

async function refusalOf(target: BearerTarget, headers: Record<string, string>, path = "/api/v1/namespaces"): Promise<Refusal> {
  const answer = await send(target, path, { headers });
  // Every refusal of ours is a Status.
  const body = (await answer.body.json()) as { kind?: unknown; message?: string };
  return { statusCode: answer.statusCode, kind: body.kind, message: body.message ?? "", header: answer.headers["gitlab-unauthorized"] };
}

test("malformed and wrong credentials get the codes of the contract, as a Kubernetes Status", async ({ sandbox }) => {
  const { kubeconfigs, agents, ciJobToken, users } = sandbox.endpoints;
  const target = targetOf(kubeconfigs.viaKas);
  const agent = pick(agents, (entry) => entry.name === "demo").id;
  const token = pick(users, (entry) => entry.username === "maintainer").personalAccessToken;
  const unauthorized = [
    "Basic abc",
    "Bearer nonsense",
    `Bearer pat:x:${token}`,
    `Bearer pat:${agent}:`,
    `Bearer pat:${agent}:wrong`,
    `Bearer pat:987654321:${token}`,
  ];
  for (const authorization of unauthorized) {
    const refusal = await refusalOf(target, { authorization });
    expect(refusal, authorization).toMatchObject({ statusCode: 401, kind: "Status" });
    expect(refusal.message, authorization).not.toContain(token);
  }
  expect((await refusalOf(target, { authorization: `Bearer pat:${agent}:wrong` })).header).toBe("true");
  expect(await refusalOf(target, { authorization: `Bearer ci:${agent}:wrong` })).toMatchObject({ statusCode: 401, kind: "Status" });
  expect(await refusalOf(target, { authorization: `Bearer ci:987654321:${ciJobToken}` })).toMatchObject({
    statusCode: 403,
    kind: "Status",
  });
  expect(await refusalOf(target, { "impersonate-user": "system:admin" })).toMatchObject({ statusCode: 400, kind: "Status" });
  expect(await refusalOf(target, { origin: "https://elsewhere.example" })).toMatchObject({ statusCode: 403, kind: "Status" });
});

test("a request without the prefix of the proxy is rejected with a hint", async ({ sandbox }) => {
  const { kas } = sandbox.endpoints;
  const target = { ...targetOf(sandbox.endpoints.kubeconfigs.viaKas), server: new URL(kas[0]?.k8sProxy ?? "").origin };
  if ((kas[0]?.urlPathPrefix ?? "/") === "/") throw new Error("the sandbox must serve the proxy under a prefix, or this proves nothing");
  expect(await refusalOf(target, {}, "/api/v1/namespaces")).toMatchObject({ statusCode: 400, kind: "Status" });
});

test("two agent ids are one too many", async ({ sandbox }) => {
  const target = targetOf(sandbox.endpoints.kubeconfigs.viaKas);
  const agent = pick(sandbox.endpoints.agents, (entry) => entry.name === "demo").id;
  const answer = await refusalOf(
    { ...target, token: "" },
    { cookie: "_gitlab_kas=x", "x-csrf-token": "y", "gitlab-agent-id": agent },
    `/api/v1/namespaces?gitlab-agent-id=${agent}`,
  );
  expect(answer).toMatchObject({ statusCode: 401, kind: "Status" });
});

test("a job of the project may use the agent with its job token", async ({ sandbox }) => {
  const target = targetOf(sandbox.endpoints.kubeconfigs.viaKas);
  const agent = pick(sandbox.endpoints.agents, (entry) => entry.name === "demo").id;
  const answer = await send(target, "/version", { headers: { authorization: `Bearer ci:${agent}:${sandbox.endpoints.ciJobToken}` } });
  expect(answer.statusCode).toBe(200);
  expect(await answer.body.json()).toMatchObject({ gitVersion: expect.any(String) });
});
