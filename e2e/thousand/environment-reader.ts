import { HealthStatus, SettledState, StaleCause, type Dashboard, type Source } from "@binnacle/proto/dashboard";
import type { Client } from "@connectrpc/connect";

/** One open page of an environment, as far as its sources and its health go. */
export class EnvironmentReader {
  /** Settles when the stream has ended; with an error when it broke. */
  readonly ended: Promise<void>;
  readonly #sources = new Map<string, Source>();
  readonly #stop = new AbortController();
  #isComplete = false;
  #status: HealthStatus = HealthStatus.UNSPECIFIED;

  constructor(client: Client<typeof Dashboard>, { project, name }: { readonly project: string; readonly name: string }) {
    this.ended = this.#read(client, { projectPath: project, environment: name });
    this.ended.catch(() => undefined);
  }

  /** Every source has answered once. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  get status(): HealthStatus {
    return this.#status;
  }

  /** Kinds that say that they are current, and kinds that say that they are only sampled. */
  get kinds(): { readonly live: number; readonly sampled: number } {
    let [live, sampled] = [0, 0];
    for (const { settled, staleCause } of this.#sources.values()) {
      if (staleCause === StaleCause.SAMPLED) sampled += 1;
      else if (settled === SettledState.LIVE && staleCause === StaleCause.UNSPECIFIED) live += 1;
    }
    return { live, sampled };
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(client: Client<typeof Dashboard>, names: { readonly projectPath: string; readonly environment: string }): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const { message } of client.watchEnvironment(names, { signal })) {
        if (message.case === "problem") throw new Error(`the environment answers: ${message.value.words?.id}`);
        if (message.case === "snapshot") {
          this.#sources.clear();
          this.#put(message.value.sources);
        } else if (message.case === "delta") {
          this.#put(message.value.upsertedSources);
          for (const id of message.value.removedSources) this.#sources.delete(id);
        } else continue;
        // A change says it only once.
        this.#isComplete = message.value.complete || (message.case === "delta" && this.#isComplete);
        this.#status = message.value.health?.status ?? this.#status;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  #put(sources: readonly Source[]): void {
    for (const source of sources) this.#sources.set(`${source.group}/${source.resource}/${source.namespace}`, source);
  }
}
