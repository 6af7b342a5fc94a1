// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { eventually } from "@binnacle/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { goAgents } from "../testing/go-agent-programs.ts";
import { startWholeKas, type WholeKas } from "./whole-kas.ts";

/** A kind of access to the agent: the credential, its identity in the cluster, and another attribute of that identity. */
const MODES = [
  { mode: "agent", credential: "pat:1:agent", user: "bench-token-admin", extra: "system:masters" },
  { mode: "user", credential: "pat:1:user", user: "gitlab:user:ann", extra: '"agent.gitlab.com/username":["ann"]' },
  { mode: "job", credential: "ci:1:job", user: "gitlab:ci_job:5", extra: '"agent.gitlab.com/ci_job_id":["5"]' },
] as const;
const PERSON = { agent: { id: 1, config_project: { id: 3 } }, user: { id: 1, username: "ann" } };
const AS_USER = { ...PERSON, access_as: { user: { projects: [{ id: 3, roles: ["developer"] }], groups: [] } } };
const JOB = {
  allowed_agents: [{ id: 1, config_project: { id: 3 }, configuration: { access_as: { ci_job: {} } } }],
  job: { id: 5 },
  pipeline: { id: 6 },
  project: { id: 3, groups: [] },
  user: { id: 1, username: "ann", roles_in_project: [] },
};
const WHOAMI = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const REVIEW = JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

let directory: string;
let cluster: ControlPlane;
let kas: WholeKas;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "go-agents-"));
  cluster = await startControlPlane({ dir: directory, apiServerOnly: true });
});

afterAll(async () => {
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  kas = await startWholeKas();
  const { mainApplication } = kas;
  const before = mainApplication.answer;
  mainApplication.answer = (request) => {
    if (request.url.endsWith("/job/allowed_agents")) return { status: 200, body: JOB };
    if (!request.url.endsWith("/authorize_proxy_user")) return before(request);
    // kas writes this body.
    const { access_key: key } = JSON.parse(request.body) as { access_key: string };
    return { status: 200, body: key === "agent" ? { ...PERSON, access_as: { agent: {} } } : AS_USER };
  };
});

afterEach(() => kas.stop());

/** One request through kas. */
function ask(credential: string, { path = CONFIG_MAPS, method = "GET", body = "" } = {}): Promise<{ status: number; body: string }> {
  const [host, port] = (kas.bound.k8sProxy ?? "").split(":");
  const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ host, port, path, method, headers, agent: false }, (response) => {
      text(response).then((whole) => resolve({ status: response.statusCode ?? 0, body: whole }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const configMap = (name: string, bytes: number): string =>
  JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { text: "x".repeat(bytes) } });

describe.each(goAgents(process.env))("$name", ({ release, start }) => {
  const impersonates = release !== "14.1.1";
  let stop: () => Promise<void>;

  beforeEach(async () => {
    const { server, caFile, tokenKubeconfig: kubeconfig } = cluster;
    stop = await start({ kasUrl: `grpc://${kas.bound.agent}`, token: "agent-1", server, caFile, kubeconfig });
    await eventually(async () => {
      const { status, body } = await ask("pat:1:agent", { path: "/version" });
      return status === 200 ? undefined : `the agent does not answer: ${status} ${body}`;
    }, 60_000);
  });

  afterEach(() => stop());

  test.each(MODES)(
    "$mode mode: the cluster sees the identity that kas gives, or kas refuses",
    async ({ mode, credential, user, extra }) => {
      const { status, body } = await ask(credential, { path: WHOAMI, method: "POST", body: REVIEW });
      const acts = mode === "agent" || impersonates;
      expect(status, body).toBe(acts ? 201 : 501);
      expect(body).toContain(acts ? `"username":"${user}"` : "cannot_impersonate");
      expect(body).toContain(acts ? extra : "cannot_impersonate");
    },
  );

  test("reads, changes and watches go through", async () => {
    const name = `by-go-${release.replaceAll(".", "-")}`;
    expect((await ask("pat:1:agent", { method: "POST", body: configMap(name, 60_000) })).status).toBe(201);
    expect((await ask("pat:1:agent", { path: `${CONFIG_MAPS}/${name}` })).body).toContain("x".repeat(60_000));
    const watched = await ask("pat:1:agent", { path: `${CONFIG_MAPS}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}` });
    expect(watched).toMatchObject({ status: 200, body: expect.stringContaining('"ADDED"') });
    expect((await ask("pat:1:agent", { path: `${CONFIG_MAPS}/${name}`, method: "DELETE" })).status).toBe(200);
  });

  // As itself the agent may do everything here: what it is refused does not exist.
  const refused = impersonates
    ? { credential: "pat:1:user", path: CONFIG_MAPS, status: 403, word: 'User \\"gitlab:user:ann\\" cannot create' }
    : { credential: "pat:1:agent", path: "/apis/none.example/v1/namespaces/default/things", status: 404, word: "404 page not found" };

  test.each([30, 60_000, 700_000])("a change of %i bytes that the API server refuses is refused, thirty times", async (bytes) => {
    const { credential, path, status, word } = refused;
    for (let count = 0; count < 30; count += 1) {
      const answer = await ask(credential, { path, method: "POST", body: configMap("a", bytes) });
      expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(word)]);
    }
  });
});
