import { Dashboard, type Edge, type Node, type Problem, type WatchEnvironmentResponse } from "@binnacle/proto/dashboard";
import { createClient, type Client } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";

import type { Bff } from "../bff.ts";

/** What browsers call the dashboard of the tests. */
export const ORIGIN = "http://app.localhost:3000";
/** The environment of the tests. */
export const NAMES = { projectPath: "group/app", environment: "production" };

/** A browser's client with these headers, straight into the BFF. */
export function dashboardClient(bff: Bff, headers: Readonly<Record<string, string>>): Client<typeof Dashboard> {
  const transport = createConnectTransport({
    baseUrl: `${ORIGIN}/api/rpc`,
    useBinaryFormat: true,
    fetch: (input, init) => {
      const request = new Request(input, init);
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
      return bff.rpc(request);
    },
  });
  return createClient(Dashboard, transport);
}

/** One tab: what it was sent, and a way to wait for something in it. */
export class DashboardTab {
  readonly messages: WatchEnvironmentResponse[] = [];
  readonly nodes = new Map<string, Node>();
  readonly edges = new Map<string, Edge>();
  problem: Problem | undefined;
  readonly ended: Promise<void>;
  #changed: () => void = () => {};

  constructor(client: Client<typeof Dashboard>, signal: AbortSignal) {
    this.ended = this.#read(client, signal);
  }

  async until(wanted: (tab: DashboardTab) => boolean): Promise<void> {
    while (!wanted(this)) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  async #read(client: Client<typeof Dashboard>, signal: AbortSignal): Promise<void> {
    try {
      for await (const response of client.watchEnvironment(NAMES, { signal })) {
        this.messages.push(response);
        const { message } = response;
        if (message.case === "snapshot") {
          this.nodes.clear();
          this.edges.clear();
          for (const node of message.value.nodes) this.nodes.set(node.id, node);
          for (const edge of message.value.edges) this.edges.set(edge.id, edge);
        } else if (message.case === "delta") {
          for (const node of message.value.upsertedNodes) this.nodes.set(node.id, node);
          for (const id of message.value.removedNodes) this.nodes.delete(id);
          for (const edge of message.value.upsertedEdges) this.edges.set(edge.id, edge);
          for (const id of message.value.removedEdges) this.edges.delete(id);
        } else if (message.case === "problem") this.problem = message.value;
        this.#changed();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    this.#changed();
  }

  isComplete(): boolean {
    return this.messages.some(({ message }) => (message.case === "snapshot" || message.case === "delta") && message.value.complete);
  }
}
