import { HealthStatus, Presence, type Dashboard, type Node } from "@binnacle/proto/dashboard";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { renderEnglish } from "@binnacle/words/render-english";
import type { Client } from "@connectrpc/connect";

import type { OperatorHealth } from "./operator.ts";

const HEALTH_WORDS: Readonly<Partial<Record<HealthStatus, OperatorHealth>>> = {
  [HealthStatus.UNSPECIFIED]: "none",
  [HealthStatus.HEALTHY]: "healthy",
  [HealthStatus.SUSPENDED]: "suspended",
  [HealthStatus.PROGRESSING]: "progressing",
  [HealthStatus.MISSING]: "missing",
  [HealthStatus.DEGRADED]: "degraded",
  [HealthStatus.UNKNOWN]: "unknown",
};

/** What the API says of one resource. */
export interface NodeAnswer {
  readonly says: OperatorHealth;
  /** For people, in English; may be empty. */
  readonly words: string;
}

/** Resources of an environment as the API of the dashboard tells them, kept current by its stream. */
export class NodeReader {
  readonly #stop = new AbortController();
  readonly #nodes = new Map<number, Node>();
  #missing = 0;

  constructor(client: Client<typeof Dashboard>, names: { readonly projectPath: string; readonly environment: string }) {
    this.#read(client, names).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) throw error;
    });
  }

  /** How many there are. */
  get size(): number {
    return this.#nodes.size;
  }

  /** How often a resource was reported as missing, from the beginning. */
  get missing(): number {
    return this.#missing;
  }

  /** @param resource kind and name, "Kiln north"; `undefined` = it is not there */
  answerOf(resource: string): NodeAnswer | undefined {
    const node = [...this.#nodes.values()].find(({ ref }) => `${ref?.kind} ${ref?.name}` === resource);
    if (node === undefined) return undefined;
    const { health } = node;
    return {
      says: HEALTH_WORDS[health?.status ?? HealthStatus.UNSPECIFIED] ?? "unknown",
      words: health?.words === undefined ? "" : renderEnglish(fromWordsMessage(health.words)),
    };
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(client: Client<typeof Dashboard>, names: { readonly projectPath: string; readonly environment: string }): Promise<void> {
    const { signal } = this.#stop;
    // A stream ends when its viewer has other rights than at its beginning; the next one begins with all there is.
    while (!signal.aborted) {
      for await (const { message } of client.watchEnvironment(names, { signal })) {
        if (message.case === "problem") throw new Error(`the environment answers: ${message.value.words?.id}`);
        if (message.case === "snapshot") this.#nodes.clear();
        if (message.case === "delta") for (const id of message.value.removedNodes) this.#nodes.delete(id);
        if (message.case === "snapshot") this.#put(message.value.nodes);
        if (message.case === "delta") this.#put(message.value.upsertedNodes);
      }
    }
  }

  #put(nodes: readonly Node[]): void {
    for (const node of nodes) {
      if (node.presence === Presence.MISSING) this.#missing += 1;
      this.#nodes.set(node.id, node);
    }
  }
}
