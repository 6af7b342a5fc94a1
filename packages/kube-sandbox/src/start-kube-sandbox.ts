import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { resolve } from "node:path";

import { handleUpgrades, isStreamUpgrade, podOf, PodStreams, withEnd, type ContainerEnd, type Pod } from "@binnacle/kubelet-stand-in";
import { systemClock, type Clock } from "@binnacle/rpc";
import { createLogger, type Logger } from "@binnacle/telemetry";

import { ApiServer } from "./api-server.ts";
import { AuditLog } from "./audit-log.ts";
import { addObject, bootstrapCluster } from "./bootstrap.ts";
import { createServerCertificate } from "./certificates.ts";
import { kubeconfigText } from "./kubeconfig-text.ts";
import { startControllers } from "./start-controllers.ts";
import { Discovery } from "./discovery.ts";
import { ObjectWriter } from "./object-writer.ts";
import { OpenApi } from "./openapi.ts";
import { POD_METRICS, POD_METRICS_READER } from "./pod-metrics.ts";
import { Rbac } from "./rbac.ts";
import { ResourceRegistry } from "./resource-registry.ts";
import { SchemaCatalog } from "./schema.ts";
import { Store } from "./store.ts";
import { Tokens } from "./tokens.ts";

/** How to start an embedded cluster. */
export interface KubeSandboxOptions {
  /** Folder for certificates and the kubeconfig; made when absent. */
  readonly dir: string;
  /** 0 (the default) = a free port. */
  readonly port?: number;
  /** File for the audit log, JSON lines; absent = none is written. */
  readonly auditLog?: string;
  /** Simulated nodes; 3 by default. */
  readonly nodes?: number;
  /** Changes remembered for watches; older versions get 410. 20,000 by default. */
  readonly historyLimit?: number;
  /** Serve metrics.k8s.io with made-up numbers, as a cluster with metrics-server would with measured ones; a plain control plane serves none. */
  readonly podMetrics?: boolean;
  readonly log?: Logger;
  readonly clock?: Clock;
}

/** A running embedded cluster. */
export interface KubeSandbox {
  /** `https://127.0.0.1:PORT` */
  readonly server: string;
  /** PEM file of the authority that signed the server's certificate. */
  readonly caFile: string;
  /** Kubeconfig file of the administrator. */
  readonly kubeconfig: string;
  /** Bearer token of the administrator (group system:masters). */
  readonly adminToken: string;
  /** Ends open watches, closes the port. */
  stop(): Promise<void>;
}

/**
 * Starts a Kubernetes API with live controllers in this process, on loopback, with TLS. Everything is in memory.
 *
 * @throws when the port is taken (`EADDRINUSE`) or the folder cannot be written
 */
export async function startKubeSandbox(options: KubeSandboxOptions): Promise<KubeSandbox> {
  const { port = 0, nodes = 3, historyLimit = 20_000, log = createLogger("kube-sandbox", "warn"), clock = systemClock } = options;
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const certificate = await createServerCertificate(clock.now());
  const adminToken = randomBytes(24).toString("hex");
  const catalog = new SchemaCatalog();
  const registry = new ResourceRegistry(catalog);
  const store = new Store(historyLimit);
  const writer = new ObjectWriter({ store, registry, catalog, clock });
  const rbac = new Rbac(store);
  const tokens = new Tokens({ store, clock, adminToken });
  const audit = options.auditLog === undefined ? undefined : new AuditLog(options.auditLog);
  const stopping = new AbortController();
  const podStreams = new PodStreams({
    clock,
    pods: (namespace, name) => {
      const pod = store.get("/pods", namespace, name);
      return pod && podOf(pod);
    },
    ended: (pod, container, end) => writeEnd(writer, pod, { container: container.name, end }),
  });
  const api = new ApiServer({
    resources: { writer, rbac, tokens, podStreams },
    info: { discovery: new Discovery(registry), openApi: new OpenApi(registry, catalog) },
    tokens,
    rbac,
    clock,
    log,
    audit,
    stopping: stopping.signal,
  });
  const stopControllers = startControllers(writer, { log, caPem: certificate.caPem });
  bootstrapCluster(writer, nodes);
  if (options.podMetrics === true) servePodMetrics(writer);
  // No client can have seen the versions before the start.
  store.compact();
  const server = createServer(
    { cert: certificate.certificatePem, key: certificate.keyPem, keepAliveTimeout: 60_000, shouldUpgradeCallback: isStreamUpgrade },
    (request, response) => void api.handle(request, response),
  );
  const endUpgraded = handleUpgrades(server, (upgrade) => api.handleUpgrade(upgrade));
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, "127.0.0.1", () => done());
  });
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`;
  const caFile = resolve(dir, "ca.crt");
  const kubeconfig = resolve(dir, "admin.kubeconfig");
  writeAtomically(caFile, certificate.caPem);
  writeAtomically(kubeconfig, kubeconfigText({ name: "sandbox", server: url, caPem: certificate.caPem, token: adminToken }));
  return {
    server: url,
    caFile,
    kubeconfig,
    adminToken,
    async stop() {
      stopControllers();
      stopping.abort();
      const closed = new Promise<void>((done) => server.close(() => done()));
      endUpgraded();
      server.closeAllConnections();
      await closed;
      await audit?.close();
    },
  };
}

/** The status of an ephemeral container whose shell has ended. */
function writeEnd(
  writer: ObjectWriter,
  { namespace, name, uid }: Pod,
  ended: { readonly container: string; readonly end: ContainerEnd },
): void {
  const [pod, of] = [writer.store.get("/pods", namespace, name), writer.registry.find("", "v1", "pods")];
  if (pod?.metadata.uid !== uid || of === undefined) return;
  writer.update(of, { ...pod, status: withEnd(pod["status"], ended) }, { subresource: "status" });
}

function servePodMetrics(writer: ObjectWriter): void {
  writer.registry.add(POD_METRICS);
  addObject(writer, POD_METRICS_READER);
}

function writeAtomically(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
