import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { findAssets, startControlPlane, type ControlPlane } from "@binnacle/control-plane";
import { KubeletServer, serveControlPlane } from "@binnacle/kubelet-stand-in";
import { KasReplicas, startAgentkProcess, type KasProcess } from "@binnacle/testing";

/** More than the agent reads at a time. */
export const PODS = Array.from({ length: 25 }, (_, index) => `web-${index}`);
/** A pod whose log only the agent's own account may read. */
export const CANARY = "canary-of-the-agent";
/** Requests from the audit of the API server, with their users. */
export interface AuditedRequest {
  readonly user: { readonly username: string };
  readonly impersonatedUser?: { readonly username: string };
  readonly requestURI: string;
}

const RBAC = "rbac.authorization.k8s.io";
const AGENT = { kind: "ServiceAccount", name: "agentk", namespace: "default" };

/**
 * A real control plane with simulated pods, an agentk there whose account may impersonate and read the canary's log, and two kas: the near one has the
 * agent's tunnels, from the far one it is a hop. `member-1` may read logs in `app`, `member-2` its pods alone.
 */
export class LogsScene {
  kas!: Readonly<Record<"near" | "far", KasProcess>>;
  #cluster!: ControlPlane;
  readonly #closers: (() => Promise<unknown> | void)[] = [];

  /** Call `stop` also when it fails. */
  async start(): Promise<void> {
    const dir = mkdtempSync(join(tmpdir(), "logs-cluster-"));
    this.#closers.push(() => rmSync(dir, { recursive: true, force: true }));
    const kubelet = await KubeletServer.listen();
    this.#closers.push(() => kubelet.stop());
    this.#cluster = await startControlPlane({ dir, nodes: 1, kubeletPort: kubelet.port, audit: true });
    this.#closers.push(() => this.#cluster.stop(), serveControlPlane(kubelet, this.#cluster));
    await this.#kubectl(["apply", "-f", "-"], { kind: "List", apiVersion: "v1", items: [...rights(), ...pods()] });
    const replicas = await KasReplicas.start();
    this.#closers.push(() => replicas.stop());
    const [near, far] = [await replicas.startKas(), await replicas.startKas()];
    this.kas = { near, far };
    const agentk = await startAgentkProcess({
      kasAddress: `grpc://${near.addresses.agent}`,
      token: "glagent-7",
      server: this.#cluster.server,
      flags: ["--kubeconfig", await this.#kubeconfigOfAgent(dir)],
    });
    this.#closers.push(() => agentk.stop());
    await this.#kubectl(["wait", "--for=condition=Ready", "pod", "--all", "--all-namespaces", "--timeout=100s"]);
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }

  /** Requests that the agent has made for logs, so far. */
  audited(): readonly AuditedRequest[] {
    const lines = readFileSync(this.#cluster.auditLog ?? "", "utf8")
      .split("\n")
      .slice(0, -1);
    const requests = lines.map((line): AuditedRequest & { readonly userAgent?: string } => JSON.parse(line));
    return requests.filter(({ userAgent }) => userAgent?.startsWith("agentk") === true && userAgent.endsWith(" logs"));
  }

  async #kubeconfigOfAgent(dir: string): Promise<string> {
    const token = (await this.#kubectl(["create", "token", "agentk"])).trim();
    const cluster = { server: this.#cluster.server, "certificate-authority": this.#cluster.caFile };
    const path = join(dir, "agent.kubeconfig");
    const contexts = [{ name: "a", context: { cluster: "c", user: "u" } }];
    const users = [{ name: "u", user: { token } }];
    // JSON is YAML.
    writeFileSync(path, JSON.stringify({ "current-context": "a", contexts, clusters: [{ name: "c", cluster }], users }));
    return path;
  }

  #kubectl(args: readonly string[], input?: object): Promise<string> {
    const kubectl = [join(findAssets(), "kubectl"), "--kubeconfig", this.#cluster.kubeconfig, ...args] as const;
    return new Promise((resolve, reject) => {
      const child = execFile(kubectl[0], kubectl.slice(1), { maxBuffer: 2 ** 24 }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
      child.stdin?.end(input && JSON.stringify(input));
    });
  }
}

function rights(): readonly object[] {
  const read = ["get", "list", "watch"];
  const [pods, logs] = [
    { apiGroups: [""], resources: ["pods"], verbs: read },
    { apiGroups: [""], resources: ["pods/log"], verbs: ["get"] },
  ];
  const impersonate = [
    { apiGroups: [""], resources: ["users", "groups"], verbs: ["impersonate"] },
    { apiGroups: ["authentication.k8s.io"], resources: ["*"], verbs: ["impersonate"] },
  ];
  return [
    ...["app", "closed"].map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } })),
    { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "agentk", namespace: "default" } },
    ...granted({ name: "impersonator", rules: impersonate, to: AGENT }),
    ...granted({ name: "canary-reader", namespace: "closed", rules: [pods, logs], to: AGENT }),
    ...granted({ name: "logs-reader", namespace: "app", rules: [pods, logs], to: member(1) }),
    ...granted({ name: "pods-reader", namespace: "app", rules: [pods], to: member(2) }),
  ];
}

const member = (id: number) => ({ kind: "User", name: `gitlab:user:member-${id}`, apiGroup: RBAC });

function granted(grant: {
  readonly name: string;
  readonly namespace?: string;
  readonly rules: readonly object[];
  readonly to: object;
}): object[] {
  const { name, namespace, rules, to } = grant;
  const metadata = { name, ...(namespace && { namespace }) };
  const kind = namespace === undefined ? "ClusterRole" : "Role";
  return [
    { apiVersion: `${RBAC}/v1`, kind, metadata, rules },
    { apiVersion: `${RBAC}/v1`, kind: `${kind}Binding`, metadata, roleRef: { apiGroup: RBAC, kind, name }, subjects: [to] },
  ];
}

function pods(): readonly object[] {
  const pod = (namespace: string, name: string, container: string) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, annotations: { "bench.kas/log-rate": "5" } },
    spec: { containers: [{ name: container, image: "busybox" }], automountServiceAccountToken: false },
  });
  return [...PODS.map((name) => pod("app", name, "web")), pod("closed", "canary", CANARY)];
}
