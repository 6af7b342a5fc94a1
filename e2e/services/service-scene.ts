import { eventually, KasReplicas, startAgentkProcess, type KasProcess } from "@binnacle/testing";

import { startEchoService } from "./echo-service.ts";
import { startPrometheus, type RealPrometheus } from "./real-prometheus.ts";
import { startRepositoryStandIn } from "./repository-stand-in.ts";
import { startStandInServer, type StandInServer } from "./stand-in-server.ts";

const POD = 'namespace="shop",pod="web-7d4b9c6f5d-x2x4z",container="web"';
const SERIES = 60;
const service = (name: string, more: object = {}) => ({
  name,
  namespace: "monitoring",
  service: name,
  port: 80,
  raw: { users: ["user-1"] },
  ...more,
});
const OPTIONS = {
  services: [
    service("prometheus", { path_prefix: "/api/v1/", metrics: true }),
    service("silent", { answer_within: "1s" }),
    service("redirecting"),
    service("loopback"),
    service("echo", { upgrades: true }),
    service("plain"),
  ],
};

/** A real Prometheus and other services behind an agent of one of two kas, and a stand-in for the API server. */
export class ServiceScene {
  /** Has the agent's tunnels. */
  near!: KasProcess;
  far!: KasProcess;
  prometheus!: RealPrometheus;
  /** The stand-in for the API server. */
  api!: StandInServer;
  /** Verbs on pods of the namespace `shop` that no user has. */
  forbiddenVerb: string | undefined;
  readonly #closers: (() => Promise<unknown> | void)[] = [];

  /** Starts all of it. */
  static async start(): Promise<ServiceScene> {
    const scene = new ServiceScene();
    try {
      await scene.#start();
    } catch (error) {
      await scene.stop();
      throw error;
    }
    return scene;
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0).toReversed()) await close();
  }

  /** Requests a service as a user. @param path its name, and the path within it */
  ask(kas: KasProcess, path: string, user = "user-1"): Promise<Response> {
    const headers = { authorization: `Bearer pat:7:${user}` };
    return fetch(`http://${kas.addresses.k8sProxy}/-/services/${path}`, { headers, redirect: "manual" });
  }

  async #start(): Promise<void> {
    const scripted = this.#closing(await startStandInServer((_request, response) => response.end(measurements())), (server) =>
      server.close(),
    );
    this.prometheus = this.#closing(await startPrometheus(`127.0.0.1:${scripted.port}`), (one) => one.stop());
    const silent = this.#closing(await startStandInServer(() => {}), (server) => server.close());
    const echo = this.#closing(await startEchoService(), (one) => one.close());
    const location = "http://169.254.169.254/latest/meta-data/";
    const redirecting = this.#closing(
      await startStandInServer((_request, response) => void response.writeHead(307, { location }).end()),
      (server) => server.close(),
    );
    this.api = this.#closing(
      await startStandInServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => response.end(JSON.stringify(this.#clusterAnswer(request.url ?? "", Buffer.concat(chunks).toString()))));
      }),
      (server) => server.close(),
    );
    const files = new Map([
      [".gitlab/agents/agent-7/config.yaml", "observability: {}\n"],
      [".gitlab/agents/agent-7/binnacle.yaml", JSON.stringify(OPTIONS)],
    ]);
    const gitaly = this.#closing(await startRepositoryStandIn(files), (one) => one.close());
    const replicas = this.#closing(await KasReplicas.start({ gitaly: gitaly.address, projects: 1 }), (one) => one.stop());
    [this.near, this.far] = [await replicas.startKas(), await replicas.startKas()];
    const endpoint = (name: string, port: number) => ["--service-endpoint", `monitoring/${name}=127.0.0.1:${port}`];
    const agentk = this.#closing(
      await startAgentkProcess({
        kasAddress: `grpc://${this.near.addresses.agent}`,
        token: "glagent-7",
        server: `http://127.0.0.1:${this.api.port}`,
        flags: [
          ...endpoint("prometheus", this.prometheus.port),
          ...endpoint("silent", silent.port),
          ...endpoint("redirecting", redirecting.port),
          ...endpoint("echo", echo.port),
          ...endpoint("plain", echo.port),
        ],
      }),
      (one) => one.stop(),
    );
    await eventually(
      () =>
        agentk.program.output.includes("configuration received") ? undefined : `${this.near.program.output}\n${agentk.program.output}`,
      60_000,
    );
    await this.prometheus.measured(`rate(container_cpu_usage_seconds_total[5m]) > 0`);
  }

  /** A cluster in which Services are on loopback, and in which one may do everything but `forbiddenVerb`. */
  #clusterAnswer(url: string, body: string): unknown {
    if (url.includes("/selfsubjectaccessreviews")) {
      // agentk writes this body itself.
      const { spec } = JSON.parse(body) as { spec: { resourceAttributes: { verb: string; namespace: string } } };
      return { status: { allowed: spec.resourceAttributes.verb !== this.forbiddenVerb && spec.resourceAttributes.namespace === "shop" } };
    }
    if (url.includes("/endpointslices"))
      return { items: [{ endpoints: [{ addresses: ["127.0.0.1"] }], ports: [{ name: "", port: this.api.port }] }] };
    return { spec: { ports: [{ name: "", port: 80 }] } };
  }

  #closing<T>(thing: T, close: (thing: T) => Promise<unknown> | void): T {
    this.#closers.push(() => close(thing));
    return thing;
  }
}

/** What a cluster's metrics look like; CPU time goes on with the clock. */
function measurements(): string {
  const seconds = (Date.now() / 1_000) * 0.25;
  return [
    `container_cpu_usage_seconds_total{${POD}} ${seconds}`,
    `container_memory_working_set_bytes{${POD}} 1048576`,
    `kube_pod_container_resource_requests{${POD},resource="memory"} 2097152`,
    `kube_pod_container_resource_limits{${POD},resource="memory"} 4194304`,
    `container_memory_working_set_bytes{namespace="other",pod="web-7d4b9c6f5d-x2x4z",container="web"} 99`,
    ...Array.from({ length: SERIES }, (_, at) => `big{at="${at}"} ${at}`),
    "",
  ].join("\n");
}
