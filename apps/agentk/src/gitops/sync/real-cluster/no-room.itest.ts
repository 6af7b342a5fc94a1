// needs: control-plane
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import {
  createPatientTransport,
  EnvironmentView,
  HttpKubeClient,
  readText,
  type KubeTransport,
  type ViewMessage,
  type ViewSource,
} from "@binnacle/environment-view";
import { fieldsAt, textAt } from "@binnacle/kube";
import { systemClock } from "@binnacle/rpc";
import { eventually } from "@binnacle/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createClusterApi, type ClusterApi } from "../../../cluster-access/cluster-api.ts";
import { syncCommit } from "../sync-commit.ts";
import { failures } from "./manifest-texts.ts";
import { DEFAULT_OPTIONS } from "../../testing/sync-made.ts";
import { ClusterClient } from "../../../cluster-access/cluster-client.ts";
import { readClusterVersion } from "../../../cluster-access/cluster-version.ts";
import { kubeconfigAccess } from "../../../cluster-access/kubeconfig.ts";
import { OwnRequests } from "../../../cluster-access/own-requests.ts";
import { createOwnTransport } from "../../../cluster-access/own-transport.ts";

const NEVER = new AbortController().signal;
const OBJECTS = 300;
/** As for questions of a page. */
const PAGE_PATIENCE_MS = 20_000;
/** The user of the agent in this control plane: without rights until it is bound to a role. */
const AGENT = "bench-token-nobody";
const LEVEL = "tight";

const root = mkdtempSync(join(tmpdir(), "no-room-"));
let plane: ControlPlane;
let admin: ClusterClient;
let agent: ClusterClient;
let asAdmin: ClusterApi;

beforeAll(async () => {
  // Few seats in all, so that the smallest share is one.
  const apiServerArgs = ["--max-requests-inflight=20", "--max-mutating-requests-inflight=10"];
  plane = await startControlPlane({ dir: join(root, "cluster"), apiServerOnly: true, apiServerArgs });
  admin = clientOf(plane.kubeconfig);
  agent = clientOf(join(root, "cluster", "token-nobody.kubeconfig"));
  asAdmin = createClusterApi(createOwnTransport(admin, { part: "test" }));
  await narrow();
});

afterAll(async () => {
  await agent.close();
  await admin.close();
  await plane.stop();
  rmSync(root, { recursive: true, force: true });
});

function clientOf(path: string): ClusterClient {
  return new ClusterClient(kubeconfigAccess({ path, context: undefined, env: {}, clock: systemClock }));
}

async function create(target: string, body: object): Promise<void> {
  const answer = await asAdmin.call({ method: "POST", target, body, signal: NEVER });
  if (answer.statusCode !== 201) throw new Error(`${target}: ${JSON.stringify(answer.value)}`);
}

/** Gives the agent's user one seat at the API server, and no queue: a request that arrives while it is taken is rejected. */
async function narrow(): Promise<void> {
  const subject = { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: AGENT };
  await create("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: "agent" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [subject],
  });
  const flowControl = "/apis/flowcontrol.apiserver.k8s.io/v1";
  const limited = { nominalConcurrencyShares: 1, lendablePercent: 0, borrowingLimitPercent: 0, limitResponse: { type: "Reject" } };
  await create(`${flowControl}/prioritylevelconfigurations`, { metadata: { name: LEVEL }, spec: { type: "Limited", limited } });
  const everything = {
    subjects: [{ kind: "User", user: { name: AGENT } }],
    resourceRules: [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] }],
    nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
  };
  await create(`${flowControl}/flowschemas`, {
    metadata: { name: LEVEL },
    spec: { matchingPrecedence: 500, priorityLevelConfiguration: { name: LEVEL }, rules: [everything] },
  });
  const schema = await asAdmin.call({ method: "GET", target: `${flowControl}/flowschemas/${LEVEL}`, signal: NEVER });
  const uid = textAt(fieldsAt(schema.value, "metadata"), "uid");
  const raw = createOwnTransport(agent, { part: "test" });
  await eventually(async () => {
    const response = await raw.request({ method: "GET", path: "/apis", accept: "application/json" }, NEVER);
    response.close();
    return response.header("x-kubernetes-pf-flowschema-uid") === uid ? undefined : "the flow schema does not hold yet";
  }, 30_000);
}

/** Requests of the agent's user that the API server has refused so far. */
async function refused(): Promise<number> {
  const response = await createOwnTransport(admin, { part: "test" }).request(
    { method: "GET", path: "/metrics", accept: "text/plain" },
    NEVER,
  );
  const text = await readText(response, { mostBytes: 64 * 1024 * 1024 });
  const lines = text.split("\n").filter((line) => line.startsWith("apiserver_flowcontrol_rejected_requests_total{"));
  return lines.filter((line) => line.includes(`priority_level="${LEVEL}"`)).reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

async function synced(namespace: string, transport: KubeTransport): Promise<Awaited<ReturnType<typeof syncCommit>>> {
  await create("/api/v1/namespaces", { metadata: { name: namespace } });
  const object = (name: string): string => `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\nspec:\n  ports: [{port: 80}]\n`;
  const data = Buffer.from(Array.from({ length: OBJECTS }, (_, index) => object(`s${index}`)).join("---\n"));
  const of = { commitId: "c1", projectId: 7n, files: [{ source: "all.yaml", data }] };
  const options = { ...DEFAULT_OPTIONS, defaultNamespace: namespace };
  const api = createClusterApi(transport);
  return await syncCommit(of, { api, clock: systemClock, agentId: 5n, options, signal: NEVER, superseded: NEVER });
}

/** What a page would have shown, until all is there. */
class Page {
  readonly troubles: string[] = [];
  readonly #sources = new Map<string, ViewSource>();
  readonly #names = new Set<string>();
  isComplete = false;

  /** Services; a sync also keeps an inventory. */
  get shown(): number {
    return this.#names.size;
  }

  see(message: ViewMessage): void {
    for (const source of message.kind === "snapshot" ? message.sources : message.upsertedSources) this.#see(source);
    for (const { ref } of message.kind === "snapshot" ? message.nodes : message.upsertedNodes)
      if (ref?.kind === "Service") this.#names.add(ref.name);
    const { connection, complete } = message;
    if (connection !== undefined && connection.state !== "connecting" && connection.state !== "connected")
      this.troubles.push(connection.state);
    this.isComplete ||= complete === true;
  }

  #see(source: ViewSource): void {
    this.#sources.set(source.id, source);
    if (source.settled === "error" || source.stale?.cause === "error") this.troubles.push(`${source.id} ${JSON.stringify(source.words)}`);
  }
}

test("without patience a sync of a few hundred objects fails where the API server has no room", async () => {
  const report = await synced("impatient", createOwnTransport(agent, { part: "gitops" }));
  expect(report.state).not.toBe("synced");
});

test("the version is read, a sync of a few hundred objects and a page that watches it end without an error, whatever is refused meanwhile", async () => {
  const before = await refused();
  const requests = new OwnRequests({ cluster: agent, clock: systemClock, qps: 200, burst: 300 });
  const client = new HttpKubeClient(createPatientTransport(createOwnTransport(agent, { part: "page" }), { mostMs: PAGE_PATIENCE_MS }));
  const view = new EnvironmentView({ client, clock: systemClock, scope: { namespaces: ["patient"] } });
  const page = new Page();
  const leave = new AbortController();
  const running = view.run(leave.signal);
  const watching = (async () => {
    for await (const message of view.watch(leave.signal)) page.see(message);
  })();
  const [report, version] = await Promise.all([
    requests.transport({ part: "gitops" }).then((transport) => synced("patient", transport)),
    readClusterVersion(agent, systemClock, AbortSignal.timeout(60_000)),
  ]);
  await eventually(() => (page.isComplete && page.shown === OBJECTS ? undefined : `${page.shown} objects are shown`), 60_000);
  leave.abort();
  await Promise.all([running, watching]);
  expect([report.state, ...report.errors, ...failures(report)]).toEqual(["synced"]);
  expect(version?.gitVersion).toMatch(/^v1\./);
  expect(page.troubles).toEqual([]);
  // The proof would be none.
  const count = (await refused()) - before;
  expect(count).toBeGreaterThan(0);
});
