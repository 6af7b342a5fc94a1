// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { isPathSegmentName } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";
import { afterAll, beforeAll, expect, test } from "vitest";

import { kubeconfigAccess } from "../cluster-access/kubeconfig.ts";
import { FakeKas } from "../testing/fake-kas.ts";
import { runAgent, type RunningAgent } from "../whole-agent/running-agent.ts";
import {
  endBody,
  exchange,
  nextResponse,
  readResponse,
  sendBody,
  startRequest,
  type TunnelledRequest,
} from "../testing/tunnelled-request.ts";

let directory: string;
let cluster: ControlPlane;
let kas: FakeKas;
let agent: RunningAgent;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "agentk-cluster-"));
  cluster = await startControlPlane({ dir: directory, apiServerOnly: true });
  kas = await FakeKas.listen();
  agent = await runAgent(
    `grpc://127.0.0.1:${kas.port}`,
    kubeconfigAccess({ path: cluster.kubeconfig, context: undefined, env: {}, clock: systemClock }),
  );
});

afterAll(async () => {
  await kas.close();
  await agent.stop();
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

const json: NonNullable<TunnelledRequest["headers"]> = [["Content-Type", ["application/json"]]];

async function send(request: TunnelledRequest, body: unknown): ReturnType<typeof readResponse> {
  const tunnel = await kas.tunnel();
  startRequest(tunnel, { headers: json, ...request });
  sendBody(tunnel, Buffer.from(JSON.stringify(body)));
  endBody(tunnel);
  return readResponse(tunnel);
}

test("the API server sees the identity of kas, with every group and extra", async () => {
  const answer = await send(
    {
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      impersonate: {
        username: "gitlab:user:alice",
        groups: ["gitlab:user", "system:authenticated"],
        extra: [{ $typeName: "gitlab.agent.kubernetes_api.rpc.ExtraKeyVal", key: "agent.gitlab.com/id", val: ["7"] }],
      },
    },
    { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  );
  expect(answer.statusCode).toBe(201);
  expect(JSON.parse(answer.body)).toMatchObject({
    status: {
      userInfo: { username: "gitlab:user:alice", groups: ["gitlab:user", "system:authenticated"], extra: { "agent.gitlab.com/id": ["7"] } },
    },
  });
});

test("without an identity it acts as the kubeconfig, and says its version to kas", async () => {
  expect((await exchange(await kas.tunnel(), { path: "/api/v1/namespaces/kube-system" })).statusCode).toBe(200);
  expect((await kas.configuration()).request.agentMeta?.kubernetesVersion?.gitVersion).toMatch(/^v1\./);
});

test("a watch hands over its header before the first event, and each event when it happens", async () => {
  const watch = await kas.tunnel();
  const path = "/api/v1/namespaces/default/configmaps";
  startRequest(watch, {
    path,
    query: [
      ["watch", ["1"]],
      ["labelSelector", ["test=watch"]],
    ],
  });
  endBody(watch);
  expect(await nextResponse(watch)).toMatchObject({ case: "header" });
  for (const name of ["one", "two", "three"]) {
    const made = await send(
      { method: "POST", path },
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { test: "watch" } } },
    );
    expect(made.statusCode).toBe(201);
    const event = await nextResponse(watch);
    const text = "value" in event && event.case === "data" ? Buffer.from(event.value.data).toString() : "{}";
    expect(JSON.parse(text)).toMatchObject({ type: "ADDED", object: { metadata: { name } } });
  }
  watch.end({ code: 14, message: "unavailable" });
});

test("a rejection of the API server comes back unchanged", async () => {
  const answer = await exchange(await kas.tunnel(), { path: "/api/v1/namespaces/default/secrets", impersonate: { username: "stranger" } });
  expect(answer.statusCode).toBe(403);
  expect(JSON.parse(answer.body)).toMatchObject({ kind: "Status", reason: "Forbidden" });
});

test("R3: the API server accepts a Role exactly by the rule of isPathSegmentName, and it is readable by its name", async () => {
  const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";
  const names = [
    "ops team #1?",
    "Prüfer",
    "a;b=c&d",
    "back\\slash",
    "line\nbreak\u0000\u007f",
    "..dots..",
    "\u202Ereversed",
    "x".repeat(300),
    "a+b,c",
  ];
  for (const name of [...names, "a/b", "a%b", ".", "..", ""]) {
    const { statusCode } = await send(
      { method: "POST", path: roles },
      { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name } },
    );
    expect([name, statusCode === 201]).toEqual([name, isPathSegmentName(name)]);
  }
  for (const name of names) {
    const { statusCode, body } = await exchange(await kas.tunnel(), { path: `${roles}/${name}` });
    expect([name, statusCode]).toEqual([name, 200]);
    expect(JSON.parse(body)).toMatchObject({ metadata: { name } });
  }
});
