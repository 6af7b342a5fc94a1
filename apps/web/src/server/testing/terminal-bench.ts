import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { OpenTerminalRequest, OpenTerminalResponse } from "@binnacle/proto/dashboard";
import { HttpExit, systemClock, type Clock } from "@binnacle/rpc";
import { linesOf } from "@binnacle/telemetry/audit";
import { eventually } from "@binnacle/testing";

import { featuresSchema } from "../config/features.ts";
import { createWebServer, listen } from "../http/web-server.ts";
import { ClusterBehindKas } from "./cluster-behind-kas.ts";
import { NAMES } from "./dashboard-tab.ts";
import { DashboardWorld } from "./dashboard-world.ts";
import { TerminalPage, type TerminalPageOptions } from "./terminal-page.ts";

const NAMESPACE = "prod";
const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;

/** What a ticket is requested for; default: the pod "full". */
export type TicketRequest = Partial<Pick<OpenTerminalRequest, "pod" | "container" | "shell">>;

/** A request for a ticket, for the environment of the tests. */
export function ticketRequest(requested: TicketRequest = {}) {
  return { ...NAMES, namespace: NAMESPACE, pod: "full", size: { columns: 80, rows: 24 }, ...requested };
}

/**
 * A dashboard with terminals on a port of this machine, before an embedded cluster that is shared by the tests of a file. Its pods have the
 * containers "web" and "side": "full" has all shells, "busy" those of busybox, "bare" none.
 */
export class TerminalBench {
  readonly cluster: ClusterBehindKas;
  readonly #dir: string;
  #world: DashboardWorld | undefined;
  #exit: HttpExit | undefined;
  #address = "";
  #pages: TerminalPage[] = [];
  /** Connections that the dashboard's server has accepted. */
  readonly connections = new Set<Socket>();

  private constructor(dir: string, cluster: ClusterBehindKas) {
    this.#dir = dir;
    this.cluster = cluster;
  }

  static async start(): Promise<TerminalBench> {
    const dir = mkdtempSync(join(tmpdir(), "terminals-"));
    const cluster = await ClusterBehindKas.embedded(join(dir, "cluster"));
    await cluster.send("POST", "/api/v1/namespaces", { body: { apiVersion: "v1", kind: "Namespace", metadata: { name: NAMESPACE } } });
    const bench = new TerminalBench(dir, cluster);
    await bench.runPod("full", "example/web:1");
    await bench.runPod("busy", "busybox:1");
    await bench.runPod("bare", "example/distroless:1");
    return bench;
  }

  async stop(): Promise<void> {
    await this.cluster.stop();
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** A directory that lives as long as the bench. */
  directory(name: string): string {
    return mkdtempSync(join(this.#dir, `${name}-`));
  }

  /** Creates a pod, and waits until its containers run. */
  async runPod(name: string, image: string): Promise<void> {
    const containers = ["web", "side"].map((container) => ({ name: container, image }));
    await this.cluster.send("POST", PODS, { body: { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers } } });
    await eventually(async () => {
      const { status } = await this.cluster.send("GET", `${PODS}/${name}`);
      return JSON.stringify(status).match(/"running":/g)?.length === 2 ? undefined : `the containers of ${name} do not run yet`;
    }, 15_000);
  }

  /** Deletes a pod at once. */
  async deletePod(name: string): Promise<void> {
    await this.cluster.send("DELETE", `${PODS}/${name}`, { body: { gracePeriodSeconds: 0 } });
  }

  /** For one test; no dashboard is there yet. */
  async open(): Promise<void> {
    this.#world = await DashboardWorld.open(["maintainer", "ann"]);
    this.#world.kas.cluster = this.cluster.forward;
    this.#world.kas.upgrade = this.cluster.upgrade;
    this.cluster.intercept = undefined;
  }

  async close(): Promise<void> {
    for (const page of this.#pages.splice(0)) page.cut();
    await this.#exit?.close();
    await this.world.close();
  }

  get world(): DashboardWorld {
    if (this.#world === undefined) throw new Error("the bench is not open");
    return this.#world;
  }

  /** The dashboard begins, with terminals. @param features further settings of `features` in web.yaml */
  async begin(features: object = {}, clock: Clock = systemClock): Promise<void> {
    const { world } = this;
    world.start(clock, { features: featuresSchema.parse({ terminal: true, ...features }) });
    const server = createWebServer({
      config: world.config,
      bff: world.bff,
      upgrade: world.bff.upgrade,
      handle: async (_request, response) => void response.end("page"),
      failed: () => undefined,
      refused: () => undefined,
      clock,
      build: "this-build",
      ready: () => true,
    });
    this.connections.clear();
    server.on("connection", (socket: Socket) => this.connections.add(socket));
    this.#exit = new HttpExit(server, systemClock);
    this.#address = await listen(server, "127.0.0.1:0");
  }

  ticketFor(requested: TicketRequest = {}, cookie?: string): Promise<OpenTerminalResponse> {
    return this.world.clientWith(cookie).openTerminal(ticketRequest(requested));
  }

  /** A page that opens a socket. @param address of another dashboard than that of the bench */
  page(opened: OpenTerminalResponse, options?: TerminalPageOptions, address = this.#address): TerminalPage {
    const page = new TerminalPage(address, opened, options);
    this.#pages.push(page);
    return page;
  }

  /** A page whose shell runs. */
  async openPage(requested: TicketRequest = {}, options?: TerminalPageOptions): Promise<TerminalPage> {
    const page = this.page(await this.ticketFor(requested, options?.cookie), options);
    await page.until(() => page.shells.length > 0);
    return page;
  }

  /** Records of terminals in the audit, of one event or of both. */
  records(event?: "start" | "end"): readonly Record<string, unknown>[] {
    const records = this.world.audit.filter(({ action }) => action.subresource === "exec");
    const text = linesOf(records, { dropped: 0, isMarked: false });
    const lines = text.split("\n").filter(Boolean);
    // Each line is one object.
    return lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter((line) => event === undefined || line["event"] === event);
  }
}
