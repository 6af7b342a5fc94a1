import type { Overview } from "@binnacle/proto/dashboard-overview";
import type { Client } from "@connectrpc/connect";

/** One open overview of all projects. Of the environments only their number is held. */
export class OverviewReader {
  readonly #known = new Set<string>();
  readonly #beganMs = performance.now();
  readonly #stop = new AbortController();
  /** When the last environment became known, in milliseconds since it was opened. */
  allKnownAfterMs = 0;

  constructor(client: Client<typeof Overview>) {
    void this.#read(client);
  }

  /** Environments whose health is known. */
  get known(): number {
    return this.#known.size;
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(client: Client<typeof Overview>): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const message of client.watchOverview({}, { signal })) {
        const before = this.known;
        for (const { id, row } of message.rows) if (row?.health) this.#known.add(id);
        if (this.known > before) this.allKnownAfterMs = performance.now() - this.#beganMs;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
