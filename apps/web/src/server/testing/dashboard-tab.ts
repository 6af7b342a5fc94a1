import {
  Dashboard,
  type Delivery,
  type Edge,
  type Node,
  type Problem,
  type ViewPosition,
  type WatchEnvironmentResponse,
} from "@binnacle/proto/dashboard";
import { Agents } from "@binnacle/proto/dashboard-agents";
import { Logs } from "@binnacle/proto/dashboard-logs";
import { Settings } from "@binnacle/proto/dashboard-settings";
import type { HurriedClock } from "@binnacle/testing";
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import type { Bff } from "../bff.ts";
import { ORIGIN } from "../config/testing/stand-in-config.ts";
import { bffFetch } from "./bff-fetch.ts";

/** The environment of the tests. */
export const NAMES = { projectPath: "group/app", environment: "production" };

/** A browser's client with these headers, straight into the BFF. */
export function dashboardClient(bff: Bff, headers: Readonly<Record<string, string>>): Client<typeof Dashboard> {
  return createClient(Dashboard, transportTo(bff, headers));
}

/** The same for logs. */
export function logsClient(bff: Bff, headers: Readonly<Record<string, string>>): Client<typeof Logs> {
  return createClient(Logs, transportTo(bff, headers));
}

/** The same for settings. */
export function settingsClient(bff: Bff, headers: Readonly<Record<string, string>>): Client<typeof Settings> {
  return createClient(Settings, transportTo(bff, headers));
}

/** The same for agents. */
export function agentsClient(bff: Bff, headers: Readonly<Record<string, string>>): Client<typeof Agents> {
  return createClient(Agents, transportTo(bff, headers));
}

function transportTo(bff: Bff, headers: Readonly<Record<string, string>>): Transport {
  const call = bffFetch(bff);
  return createConnectTransport({
    baseUrl: `${ORIGIN}/api/rpc`,
    useBinaryFormat: true,
    fetch: (input, init) => {
      const request = new Request(input, init);
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return call(request, init?.signal ? { signal: init.signal } : {});
    },
  });
}

/** What a tab opens. */
interface TabRequest {
  readonly after?: ViewPosition | undefined;
  readonly environment?: string;
  readonly projectPath?: string;
}

/** One tab: what it was sent, and a way to wait for something in it. */
export class DashboardTab {
  readonly messages: WatchEnvironmentResponse[] = [];
  readonly nodes = new Map<number, Node>();
  readonly edges = new Map<number, Edge>();
  problem: Problem | undefined;
  readonly ended: Promise<void>;
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  /** @param ask `after`: what it has already; `environment`: another one of the project, or of another project */
  constructor(client: Client<typeof Dashboard>, signal: AbortSignal, ask: TabRequest = {}) {
    this.ended = this.#read(client, signal, ask);
  }

  /** How far it has come. */
  get position(): ViewPosition | undefined {
    return this.messages.findLast(({ position }) => position !== undefined)?.position;
  }

  /** @throws Error when the stream has ended, well or not, and what is wanted has not come */
  async until(wanted: (tab: DashboardTab) => boolean): Promise<void> {
    while (!wanted(this)) {
      if (this.#isOver) throw new Error(`the stream ended without what was waited for: ${String(wanted)}`, { cause: this.problem });
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Leaves time out, so much at a time, until `wanted`. A message is waited for after each step: time does not run ahead of answers. */
  async skipUntil(clock: HurriedClock, of: { readonly stepMs: number; readonly wanted: () => boolean }): Promise<void> {
    while (!of.wanted()) {
      const before = this.messages.length;
      clock.skip(of.stepMs);
      await this.until(() => of.wanted() || this.messages.length > before);
    }
  }

  #changed(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  async #read(client: Client<typeof Dashboard>, signal: AbortSignal, ask: TabRequest): Promise<void> {
    const { after, environment = NAMES.environment, projectPath = NAMES.projectPath } = ask;
    try {
      for await (const response of client.watchEnvironment({ projectPath, environment, ...(after && { after }) }, { signal })) {
        this.messages.push(response);
        const { message } = response;
        if (message.case === "snapshot") {
          this.nodes.clear();
          this.edges.clear();
          for (const node of message.value.nodes) this.nodes.set(node.id, node);
          for (const edge of message.value.edges) this.edges.set(edge.id, edge);
        } else if (message.case === "delta") {
          for (const id of message.value.removedNodes) this.nodes.delete(id);
          for (const node of message.value.upsertedNodes) this.nodes.set(node.id, node);
          for (const id of message.value.removedEdges) this.edges.delete(id);
          for (const edge of message.value.upsertedEdges) this.edges.set(edge.id, edge);
        } else if (message.case === "problem") this.problem = message.value;
        this.#changed();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#isOver = true;
      this.#changed();
    }
  }

  named(name: string): Node | undefined {
    return this.nodes.values().find(({ ref }) => ref?.name === name);
  }

  isComplete(): boolean {
    return this.messages.some(({ message }) => (message.case === "snapshot" || message.case === "delta") && message.value.complete);
  }
}

/** The delivery that a page shows now. */
export function deliveryOf({ messages }: DashboardTab): Delivery | undefined {
  const message = messages.findLast(({ message: { case: name } }) => name === "header" || name === "delivery")?.message;
  return message?.case === "header" ? message.value.environment?.delivery : message?.case === "delivery" ? message.value : undefined;
}
