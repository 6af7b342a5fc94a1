import { Fault, sleep, type Clock } from "@binnacle/rpc";

import type { ViewerAccess } from "../main-application/main-application.ts";
import type { EnvironmentRecord } from "../main-application/records.ts";
import type { DeploymentRecord } from "../main-application/records.ts";

/** When the main application is polled again. */
interface Pace {
  readonly clock: Clock;
  readonly pollMs: number;
}

/** Polls the main application about an open environment: its last deployment, and whether it is still the same. */
export class FollowedEnvironment {
  readonly #pace: Pace;
  readonly #access: ViewerAccess;
  readonly #environment: EnvironmentRecord;
  #deployment: DeploymentRecord | undefined;
  /** When the main application has answered last. */
  #confirmedAtMs: number;
  #isChanged = false;

  /** Begins with what is known already. */
  constructor(pace: Pace, access: ViewerAccess, environment: EnvironmentRecord) {
    this.#pace = pace;
    this.#access = access;
    this.#environment = environment;
    this.#deployment = environment.deployment;
    this.#confirmedAtMs = pace.clock.now();
  }

  /** The last answer of the main application. */
  get deployment(): DeploymentRecord | undefined {
    return this.#deployment;
  }

  /** It was stopped, started, deployed elsewhere or taken away, or its agent has another name. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Polls as the viewer until `signal` aborts. While there is no answer, the last one stays. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const names = { projectPath: this.#environment.projectPath, environment: this.#environment.name };
    while (!signal.aborted) {
      await sleep(this.#pace.clock, this.#pace.pollMs, signal);
      if (signal.aborted) return;
      try {
        const { environment } = await this.#access.environment(names, signal);
        this.#deployment = environment.deployment;
        this.#confirmedAtMs = this.#pace.clock.now();
        this.#isChanged = idOf(environment) !== idOf(this.#environment);
      } catch (error) {
        // Whether the viewer may still look is for the proof of the stream to say.
        if (!(error instanceof Fault)) throw error;
        if (error.reason === "not_found") this.#isChanged = true;
        else if (this.#deployment?.kind === "deployed") this.#deployment = { ...this.#deployment, asOfMs: this.#confirmedAtMs };
        else this.#deployment = { kind: "not-readable" };
      }
      changed();
    }
  }
}

/** What another view, or another word above it, would be made of. */
function idOf({ number, state, namespace, agent, autoStopAtMs }: EnvironmentRecord): string {
  return JSON.stringify([number, state, namespace, String(agent?.id ?? ""), agent?.name, agent?.projectPath, autoStopAtMs]);
}
