import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { hashToken } from "@binnacle/organization";
import { startKubeSandbox, type KubeSandbox } from "@binnacle/kube-sandbox";
import { createKasSecrets, eventually, FaultProxy, startAgentkProcess, startKasProcess, type KasProcess } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { IdTokenIssuer } from "./testing/id-token-issuer.ts";
import { OrganizationFile } from "./testing/organization-file.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const SECRETS = "/api/v1/namespaces/default/secrets";
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
  const ca = readFileSync(cluster.caFile, "utf8");
  const proxy = await FaultProxy.start({ target: cluster.server, ca, token: cluster.adminToken });
  closers.push(() => proxy.close());
  await allowGroup(proxy.url, "oidc:group:backend");
  const kasAddress = `grpc://${kas.addresses.agent}`;
  const flags = ["--kubeconfig", cluster.kubeconfig];
  const agentk = await startAgentkProcess({ kasAddress, token: "glagent-1", server: cluster.server, flags });
  closers.push(() => agentk.stop());
  await eventually(async () => (((await kas.metrics()).get("kas_tunnels_idle") ?? 0) > 0 ? undefined : "no tunnel is open"), 60_000);
}, 120_000);
afterAll(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** Lets a group list ConfigMaps. */
async function allowGroup(cluster: string, name: string): Promise<void> {
  const rbac = "rbac.authorization.k8s.io";
  const metadata = { name: "readers", namespace: "default" };
  const objects = {
    roles: { kind: "Role", rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list"] }] },
    rolebindings: {
      kind: "RoleBinding",
      roleRef: { apiGroup: rbac, kind: "Role", name: "readers" },
      subjects: [{ apiGroup: rbac, kind: "Group", name }],
    },
  };
  for (const [resource, object] of Object.entries(objects)) {
    const answer = await fetch(`${cluster}/apis/${rbac}/v1/namespaces/default/${resource}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ apiVersion: `${rbac}/v1`, metadata, ...object }),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

async function get(token: string, path = CONFIG_MAPS): Promise<{ readonly status: number; readonly body: string }> {
  const answer = await fetch(`http://${kas.addresses.k8sProxy}${path}`, { headers: { authorization: `Bearer oidc:7:${token}` } });
  return { status: answer.status, body: await answer.text() };
}

test("T67: an ID token is the credential at the Kubernetes port: a listed user acts in the cluster with prefixes, all others are refused", async () => {
  const token = await issuer.token({ sub: "bob", groups: ["backend"] });
  expect((await get(token)).status).toBe(200);
  const denied = await get(token, SECRETS);
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
