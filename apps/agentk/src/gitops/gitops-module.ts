import type { AgentConfiguration } from "@binnacle/proto/agentcfg";
import type { Module } from "@binnacle/rpc";

import type { AgentGitopsOptions } from "./worker/agent-gitops.ts";

/** Applies the manifest projects of the configuration. Its code is loaded when there are some: an agent without them does not grow by it. */
export class GitopsModule implements Module {
  readonly name = "gitops";
  readonly #options: AgentGitopsOptions;
  #wanted: AgentConfiguration | undefined;
  #running: { readonly text: string; readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #closed = false;
  /** One change of the configuration after the other. */
  #changing: Promise<void> = Promise.resolve();

  constructor(options: AgentGitopsOptions) {
    this.#options = options;
  }

  /** Takes a configuration; one that is invalid leaves the one before it in force. */
  configure(configuration: AgentConfiguration): void {
    const isFirst = this.#wanted === undefined;
    if (isFirst && (configuration.gitops?.manifestProjects.length ?? 0) === 0) return;
    this.#wanted = configuration;
    this.#changing = this.#changing.then(() => this.#change());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#running?.stop.abort();
    await this.#changing;
    await this.#running?.done;
  }

  async #change(): Promise<void> {
    const configuration = this.#wanted;
    if (configuration === undefined || this.#closed) return;
    try {
      const [{ readProjects }, { runGitops }] = await Promise.all([
        import("./worker/project-options.ts"),
        import("./worker/agent-gitops.ts"),
      ]);
      const wanted = { agentId: configuration.agentId, projects: readProjects(configuration) };
      const text = JSON.stringify({ ...wanted, agentId: String(wanted.agentId) });
      if (text === this.#running?.text) return;
      this.#running?.stop.abort();
      await this.#running?.done;
      this.#running = undefined;
      if (wanted.projects.length === 0 || this.#closed) return;
      const stop = new AbortController();
      const done = runGitops(wanted, this.#options, stop.signal).catch((error: unknown) =>
        this.#options.log.error({ error }, "gitops failed"),
      );
      this.#running = { text, stop, done };
    } catch (error) {
      this.#options.log.warn({ reason: error instanceof Error ? error.message : String(error) }, "the gitops configuration is refused");
    }
  }
}
