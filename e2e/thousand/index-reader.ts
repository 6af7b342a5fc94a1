import type { Dashboard, EnvironmentRow, HealthStatus } from "@binnacle/proto/dashboard";
import type { Client } from "@connectrpc/connect";

/** What is on a screen of the index, about. */
const ON_SCREEN = 20;

/** One open index of a project. */
export class IndexReader {
  /** By name of the environment, as known last. */
  readonly rows = new Map<string, EnvironmentRow>();
  /** When each row was known first, in milliseconds since the index was opened. */
  readonly knownAfterMs = new Map<string, number>();
  /** Settles when the stream has ended; with an error when it broke. */
  readonly ended: Promise<void>;
  readonly #stop = new AbortController();
  readonly #visible: readonly string[];

  /** Opens it, with the first names on the screen. */
  constructor(client: Client<typeof Dashboard>, { project, names }: { readonly project: string; readonly names: readonly string[] }) {
    this.#visible = names.slice(0, ON_SCREEN);
    this.ended = this.#read(client, project);
    this.ended.catch(() => undefined);
  }

  /** Names of environments without a health, as rows say it. */
  get unknown(): string[] {
    return [...this.rows].filter(([, row]) => row.health === undefined).map(([name]) => name);
  }

  /** When the last of those on the screen was known; infinite: not yet. */
  get screenKnownAfterMs(): number {
    return Math.max(...this.#visible.map((name) => this.knownAfterMs.get(name) ?? Number.POSITIVE_INFINITY));
  }

  /** Names of environments of that status. */
  namesOf(status: HealthStatus): string[] {
    return [...this.rows].filter(([, row]) => row.health?.status === status).map(([name]) => name);
  }

  close(): void {
    this.#stop.abort();
  }

  async #read(client: Client<typeof Dashboard>, project: string): Promise<void> {
    const beganMs = performance.now();
    const { signal } = this.#stop;
    try {
      for await (const message of client.watchEnvironments({ projectPath: project, visible: [...this.#visible] }, { signal })) {
        if (message.problem) throw new Error(`the index answers: ${message.problem.words?.id}`);
        for (const row of message.rows) {
          const name = row.environment?.name ?? "";
          this.rows.set(name, row);
          if (row.health && !this.knownAfterMs.has(name)) this.knownAfterMs.set(name, performance.now() - beganMs);
        }
        for (const name of message.removed) this.rows.delete(name);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
