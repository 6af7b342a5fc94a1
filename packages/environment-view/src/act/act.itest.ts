// needs: control-plane
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startControlPlane } from "@binnacle/control-plane";
import { fieldsAt, fieldsOf, listAt, textAt } from "@binnacle/kube";
import { startKubeSandbox } from "@binnacle/kube-sandbox";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";

import { HttpKubeClient } from "../http/http-kube-client.ts";
import { createHttpsTransport, type HttpsTransport, type HttpsTransportOptions } from "../http/https-transport.ts";
import { act } from "./act.ts";
import type { ActionOutcome } from "./action-outcome.ts";
import type { ActionContent, ActionTarget, KubeAction } from "./kube-action.ts";

interface Cluster {
  readonly way: HttpsTransportOptions;
  stop(): Promise<void>;
}

const NEVER = new AbortController().signal;
const ACTOR = { viewer: "ada", clusterUser: "admin", cluster: "test" };
const DEPLOYMENTS = { group: "apps", version: "v1", resource: "deployments", namespaced: true };
const CONFIG_MAPS = { group: "", version: "v1", resource: "configmaps", namespaced: true };
const SECRETS = { group: "", version: "v1", resource: "secrets", namespaced: true };
const ACCOUNTS = { group: "", version: "v1", resource: "serviceaccounts", namespaced: true };
const NAMESPACES = { group: "", version: "v1", resource: "namespaces", namespaced: false };
const SHOP = "shop";
const OTHER_UID = "11111111-1111-1111-1111-111111111111";
const ROOT = `/apis/apps/v1/namespaces/${SHOP}/deployments`;

describe.each<readonly [string, (dir: string) => Promise<Cluster>]>([
  [
    "the embedded cluster",
    async (dir) => {
      const sandbox = await startKubeSandbox({ dir });
      const way = { baseUrl: sandbox.server, ca: readFileSync(sandbox.caFile, "utf8"), token: sandbox.adminToken };
      return { way, stop: () => sandbox.stop() };
    },
  ],
  [
    "a real control plane",
    async (dir) => {
      const plane = await startControlPlane({ dir, apiServerOnly: true });
      const [ca, cert, key] = [plane.caFile, plane.certFile, plane.keyFile].map((file) => readFileSync(file, "utf8"));
      return { way: { baseUrl: plane.server, ca: ca ?? "", cert: cert ?? "", key: key ?? "" }, stop: () => plane.stop() };
    },
  ],
])("act on %s", (_, start) => {
  const dir = mkdtempSync(join(tmpdir(), "act-"));
  let cluster: Cluster;
  let transport: HttpsTransport;
  let lines: Record<string, unknown>[];

  beforeAll(async () => {
    cluster = await start(join(dir, "cluster"));
    transport = createHttpsTransport(cluster.way);
    lines = [];
    await create({ kind: NAMESPACES, namespace: "", name: "" }, { apiVersion: "v1", kind: "Namespace", metadata: { name: SHOP } });
    await apply(deployment("web", 1));
  });

  afterAll(async () => {
    transport.close();
    await cluster.stop();
    rmSync(dir, { recursive: true, force: true });
  });

  beforeEach(() => {
    lines = [];
  });

  async function run(action: KubeAction, over = transport): Promise<ActionOutcome> {
    const write = (fields: object, message: string): void => void lines.push({ message, ...fields });
    return act(action, { transport: over, actor: ACTOR, log: { info: write, warn: write } }, NEVER);
  }

  const create = (target: ActionTarget, content: ActionContent, over = transport) =>
    run({ target, change: { verb: "create", content } }, over);
  const apply = (content: ActionContent, force = false) =>
    run({ target: targetOf(DEPLOYMENTS, textAt(fieldsAt(content, "metadata"), "name")), change: { verb: "apply", content, force } });

  /** As the API server has it, by another way. */
  const read = (path: string): Promise<unknown> => new HttpKubeClient(transport).json({ path }, NEVER);

  test("scales a Deployment by a merge patch of its scale, as the manager binnacle", async () => {
    const target = { ...targetOf(DEPLOYMENTS, "web"), subresource: "scale" };
    const outcome = await run({ target, change: { verb: "patch", type: "merge", content: { spec: { replicas: 3 } } } });
    expect(outcome).toMatchObject({ kind: "done", code: 200, answer: { kind: "Scale", spec: { replicas: 3 } } });
    const answer = outcome.kind === "done" ? outcome.answer : {};
    const now = await read(`${ROOT}/web`);
    expect(now).toMatchObject({ spec: { replicas: 3 } });
    const managers = listAt(fieldsAt(now, "metadata"), "managedFields").map((entry) => textAt(entry, "manager"));
    expect(managers).toContain("binnacle");
    expect(lines).toMatchObject([
      { message: "action begun", verb: "patch", subresource: "scale", name: "web", content_bytes: 23 },
      { message: "action ended", outcome: "done", code: 200, resource_version: textAt(fieldsAt(answer, "metadata"), "resourceVersion") },
    ]);
  });

  test("applies, meets another manager's field with 409, and takes it by force", async () => {
    expect(await apply(deployment("applied", 1))).toMatchObject({ kind: "done", code: 201 });
    expect(await apply(deployment("applied", 2))).toMatchObject({ kind: "done", code: 200, answer: { spec: { replicas: 2 } } });
    const other = await transport.request(
      {
        method: "PATCH",
        path: `${ROOT}/applied?fieldManager=other&force=true`,
        accept: "application/json",
        contentType: "application/apply-patch+yaml",
        body: JSON.stringify(deployment("applied", 5)),
      },
      NEVER,
    );
    expect(other.status).toBe(200);
    other.close();
    const conflict = await apply(deployment("applied", 3));
    expect(conflict).toMatchObject({ kind: "refused", stage: "answered", error: { status: { code: 409, reason: "Conflict" } } });
    expect(await apply(deployment("applied", 3), true)).toMatchObject({ kind: "done", answer: { spec: { replicas: 3 } } });
  });

  test("deletes the very object that is meant, and no other of its name", async () => {
    const made = await apply(deployment("doomed", 1));
    const uid = textAt(fieldsAt(made.kind === "done" ? made.answer : {}, "metadata"), "uid");
    const target = targetOf(DEPLOYMENTS, "doomed");
    const change = { verb: "delete", propagation: "Background" } as const;
    const wrong = await run({ target: { ...target, uid: OTHER_UID }, change });
    expect(wrong).toMatchObject({ kind: "refused", stage: "answered", error: { status: { code: 409 } } });
    expect(await run({ target: { ...target, uid }, change, dryRun: true })).toMatchObject({ kind: "done" });
    expect(await read(`${ROOT}/doomed`)).toMatchObject({ metadata: { uid } });
    expect(await run({ target: { ...target, uid }, change })).toMatchObject({ kind: "done", code: 200 });
    expect(await run({ target: { ...target, uid }, change })).toMatchObject({ kind: "refused", error: { status: { code: 404 } } });
  });

  test.each(["update", "merge", "strategic", "json", "apply"])("an old version or another object is refused: %s", async (way) => {
    const target = targetOf(CONFIG_MAPS, `guarded-${way}`);
    const made = await run({ target, change: { verb: "apply", content: configMap(target.name, "before") } });
    const metadata = fieldsAt(made.kind === "done" ? made.answer : {}, "metadata");
    const content = configMap(target.name, "after");
    const change: KubeAction["change"] =
      way === "update" || way === "apply"
        ? { verb: way, content }
        : way === "json"
          ? { verb: "patch", type: "json", operations: [{ op: "replace", path: "/data/value", value: "after" }] }
          : { verb: "patch", type: way === "strategic" ? "strategic" : "merge", content };
    for (const precondition of [{ resourceVersion: "1" }, { uid: OTHER_UID }]) {
      const outcome = await run({ target: { ...target, ...precondition }, change });
      expect(outcome, JSON.stringify(precondition)).toMatchObject({ kind: "refused", stage: "answered" });
      expect([409, 422]).toContain(outcome.kind === "refused" ? outcome.error.status?.code : undefined);
    }
    expect(await read(`/api/v1/namespaces/${SHOP}/configmaps/${target.name}`)).toMatchObject({ data: { value: "before" } });
    const right = { uid: textAt(metadata, "uid"), resourceVersion: textAt(metadata, "resourceVersion") };
    expect(await run({ target: { ...target, ...right }, change })).toMatchObject({ kind: "done", answer: { data: { value: "after" } } });
  });

  test("the scale of another object of this name, or of an old version, is not changed", async () => {
    await apply(deployment("guarded", 1));
    const target = { ...targetOf(DEPLOYMENTS, "guarded"), subresource: "scale" };
    const change = { verb: "patch", type: "merge", content: { spec: { replicas: 4 } } } as const;
    for (const precondition of [{ resourceVersion: "1" }, { uid: OTHER_UID }]) {
      const outcome = await run({ target: { ...target, ...precondition }, change });
      expect(outcome).toMatchObject({ kind: "refused", error: { status: { code: 409 } } });
    }
    const now = await read(`${ROOT}/guarded`);
    expect(now).toMatchObject({ spec: { replicas: 1 } });
    const uid = textAt(fieldsAt(now, "metadata"), "uid");
    expect(await run({ target: { ...target, uid }, change })).toMatchObject({ kind: "done", answer: { spec: { replicas: 4 } } });
  });

  test("a viewer without the right is refused with 403, and the log says whose answer it was", async () => {
    const account = targetOf(ACCOUNTS, "builder");
    await create({ ...account, name: "" }, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "builder" } });
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 3_600 } };
    const given = await create({ ...account, subresource: "token" }, request);
    const token = textAt(fieldsAt(given.kind === "done" ? given.answer : {}, "status"), "token");
    expect(token).not.toBe("");
    const { baseUrl, ca = "" } = cluster.way;
    const weak = createHttpsTransport({ baseUrl, ca, token });
    onTestFinished(() => weak.close());
    const outcome = await run({ target: targetOf(DEPLOYMENTS, "web"), change: { verb: "delete" } }, weak);
    expect(outcome).toMatchObject({ kind: "refused", stage: "answered", error: { failure: "api", status: { code: 403 } } });
    expect(lines.at(-1)).toMatchObject({ message: "action ended", outcome: "refused", code: 403, reason: "Forbidden" });
    expect(JSON.stringify(lines)).not.toContain(token);
  });

  test("a dry run answers as if, and changes nothing", async () => {
    const { spec: before } = fieldsOf(await read(`${ROOT}/web`));
    const scale = { ...targetOf(DEPLOYMENTS, "web"), subresource: "scale" };
    const change = { verb: "patch", type: "merge", content: { spec: { replicas: 9 } } } as const;
    expect(await run({ target: scale, change, dryRun: true })).toMatchObject({ kind: "done", answer: { spec: { replicas: 9 } } });
    expect(fieldsOf(await read(`${ROOT}/web`))["spec"]).toEqual(before);
    expect(lines).toMatchObject([{ dry_run: true }, { dry_run: true, outcome: "done" }]);
  });

  test("a field that there is not is refused, not dropped", async () => {
    const content = { ...deployment("typo", 1), specc: {} };
    const outcome = await create({ ...targetOf(DEPLOYMENTS, ""), name: "" }, content);
    expect(outcome).toMatchObject({ kind: "refused", error: { status: { code: 400, message: expect.stringContaining("specc") } } });
  });

  test("a body of a megabyte arrives whole, once", async () => {
    const value = "ü".repeat(500_000);
    const made = await create(targetOf(CONFIG_MAPS, ""), configMap("large", value));
    expect(made).toMatchObject({ kind: "done", code: 201, answer: { data: { value } } });
    expect(await read(`/api/v1/namespaces/${SHOP}/configmaps/large`)).toMatchObject({ data: { value } });
    const again = await create(targetOf(CONFIG_MAPS, ""), configMap("large", value));
    expect(again).toMatchObject({ kind: "refused", error: { status: { code: 409, reason: "AlreadyExists" } } });
  });

  test("T7: the value of a Secret is in the cluster and not in the log", async () => {
    const content = { apiVersion: "v1", kind: "Secret", metadata: { name: "database" }, stringData: { password: "hunter2" } };
    expect(await create(targetOf(SECRETS, ""), content)).toMatchObject({ kind: "done" });
    const wrong = { ...content, metadata: { name: "other" }, stringData: { "not a key": "hunter2" } };
    expect(await create(targetOf(SECRETS, ""), wrong)).toMatchObject({ kind: "refused", error: { status: { code: 422 } } });
    expect(lines.map(({ outcome }) => outcome)).toEqual([undefined, "done", undefined, "refused"]);
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|aHVudGVyMg/);
  });

  test("a connection that is cut under an action leaves it unknown, and the action goes out once", async () => {
    const proxy = await CuttingProxy.before(cluster.way.baseUrl);
    const cut = createHttpsTransport({ ...cluster.way, baseUrl: proxy.url });
    onTestFinished(async () => {
      cut.close();
      await proxy.close();
    });
    await create(targetOf(CONFIG_MAPS, ""), configMap("cut", "before"), cut);
    const target = targetOf(CONFIG_MAPS, "cut");
    proxy.cutAtNextAnswer = true;
    const outcome = await run({ target, change: { verb: "patch", type: "merge", content: { data: { value: "after" } } } }, cut);
    expect(outcome).toMatchObject({ kind: "unknown", stage: "started", error: { failure: "connection" } });
    expect(lines.at(-1)).toMatchObject({ message: "action ended, its outcome is unknown", outcome: "unknown", stage: "started" });
    expect(proxy.connections).toBe(1);
    // The action took effect, but its outcome could not be known.
    expect(await read(`/api/v1/namespaces/${SHOP}/configmaps/cut`)).toMatchObject({ data: { value: "after" } });
    await proxy.close();
    const unreachable = await run({ target, change: { verb: "delete" } }, cut);
    expect(unreachable).toMatchObject({ kind: "refused", stage: "not_started" });
  });
});

function targetOf(kind: ActionTarget["kind"], name: string): ActionTarget {
  return { kind, namespace: SHOP, name };
}

function deployment(name: string, replicas: number): ActionContent {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "example/web:1" }] } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: SHOP },
    spec: { replicas, selector: { matchLabels: labels }, template },
  };
}

function configMap(name: string, value: string): ActionContent {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } };
}

/** Passes bytes on to a server; `cutAtNextAnswer` closes a connection when the next response begins. */
class CuttingProxy {
  readonly url: string;
  connections = 0;
  cutAtNextAnswer = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, upstream: URL) {
    this.#server = server;
    // A server that listens on a port has such an address.
    this.url = `${upstream.protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", (client: Socket) => {
      this.connections += 1;
      const behind = connect(Number(upstream.port), upstream.hostname);
      for (const socket of [client, behind]) {
        this.#sockets.add(socket);
        socket.on("error", () => {});
        socket.on("close", () => [client, behind].forEach((one) => one.destroy()));
      }
      client.pipe(behind);
      behind.on("data", (bytes: Buffer) => (this.cutAtNextAnswer ? client.destroy() : client.write(bytes)));
    });
  }

  static async before(url: string): Promise<CuttingProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new CuttingProxy(server, new URL(url));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }
}
