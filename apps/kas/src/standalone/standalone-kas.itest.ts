import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { hashToken } from "@binnacle/organization";
import { startKubeSandbox, type KubeSandbox } from "@binnacle/kube-sandbox";
import { createKasSecrets, eventually, startAgentkProcess, startKasProcess, type KasProcess } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { IdTokenIssuer } from "./testing/id-token-issuer.ts";
import { OrganizationFile } from "./testing/organization-file.ts";

const NAMESPACE = "/api/v1/namespaces/default";
const organization = (...groups: readonly string[]): object => ({
  projects: [{ id: 3, path: "shop/infra" }],
  agents: [{ id: 7, name: "prod", project: "shop/infra", tokens: [hashToken("glagent-1")], user_access: { access_as: "user", groups } }],
});

const closers: (() => Promise<void> | void)[] = [];
let issuer: IdTokenIssuer;
let cluster: KubeSandbox;
let file: OrganizationFile;
let kas: KasProcess;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "standalone-kas-"));
  const secrets = createKasSecrets();
  issuer = await IdTokenIssuer.start();
  file = new OrganizationFile(organization("backend", "readers"));
  cluster = await startKubeSandbox({ dir: folder, nodes: 1 });
  closers.push(
    () => rmSync(folder, { recursive: true, force: true }),
    () => rmSync(secrets.directory, { recursive: true }),
    () => issuer.stop(),
    () => file.remove(),
    () => cluster.stop(),
  );
  kas = await startKasProcess({
    secrets,
    configuration: {
      main_application: {
        provider: "standalone",
        organization: file.path,
        external_url: "https://binnacle.example.test",
        oidc: { issuer_url: issuer.url, client_id: "binnacle" },
      },
    },
  });
  closers.push(() => kas.stop());
  const agentk = await startAgentkProcess({ kasAddress: `grpc://${kas.addresses.agent}`, token: "glagent-1", server: cluster.server });
  closers.push(() => agentk.stop());
  await eventually(async () => (((await kas.metrics()).get("kas_tunnels_idle") ?? 0) > 0 ? undefined : "no tunnel is open"), 60_000);
}, 120_000);
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function get(token: string): Promise<{ readonly status: number; readonly body: string }> {
  const answer = await fetch(`http://${kas.addresses.k8sProxy}${NAMESPACE}`, { headers: { authorization: `Bearer oidc:7:${token}` } });
  return { status: answer.status, body: await answer.text() };
}

test("T67: an ID token is the credential at the Kubernetes port: a listed user acts in the cluster with prefixes, all others are refused", async () => {
  const token = await issuer.token({ sub: "bob", groups: ["backend"] });
  const denied = await get(token);
  expect(denied.status).toBe(403);
  expect(denied.body).toContain("oidc:user:bob");
  expect((await get(await issuer.token({ sub: "bob", groups: ["other"] }))).status).toBe(401);
  expect((await get(await issuer.token({ sub: "bob", groups: ["backend"], exp: 1_000 }))).status).toBe(401);
  expect((await get("not a token")).status).toBe(401);
});

test("T67: a group that is removed from the file is refused within ten seconds", async () => {
  const token = await issuer.token({ sub: "ann", groups: ["readers"] });
  expect((await get(token)).status).toBe(403);
  file.write(organization("backend"));
  await eventually(async () => ((await get(token)).status === 401 ? undefined : "it is still accepted"), 10_000);
});

test("a kas does not start with an organization that cannot be used, and says where", async () => {
  const secrets = createKasSecrets();
  const broken = new OrganizationFile({ agents: [{ id: 1 }] });
  closers.push(
    () => broken.remove(),
    () => rmSync(secrets.directory, { recursive: true }),
  );
  const oidc = { issuer_url: issuer.url, client_id: "binnacle" };
  const standalone = { provider: "standalone", organization: broken.path, external_url: "https://binnacle.example.test", oidc };
  const started = startKasProcess({ secrets, configuration: { main_application: standalone } });
  await expect(started).rejects.toThrow(/organization\.yaml:1:\d+: agents\.0\.name: is missing/);
});
