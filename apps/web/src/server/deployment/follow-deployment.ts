import { Fault, sleep, type Clock } from "@binnacle/rpc";

import type { ViewerAccess } from "../session/viewer-access.ts";
import { queryEnvironment, type EnvironmentRecord } from "../view/environment-query.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

/** When the main application is asked again. */
interface Pace {
  readonly clock: Clock;
  readonly pollMs: number;
}

/** The last deployment of an environment that somebody looks at. */
export class FollowedDeployment {
  readonly #pace: Pace;
  readonly #access: ViewerAccess;
  readonly #environment: EnvironmentRecord;
  #now: DeploymentRecord | undefined;

  /** Begins with what is known already. */
  constructor(pace: Pace, access: ViewerAccess, environment: EnvironmentRecord) {
    this.#pace = pace;
    this.#access = access;
    this.#environment = environment;
    this.#now = environment.deployment;
  }

  /** What the main application said last. */
  get now(): DeploymentRecord | undefined {
    return this.#now;
  }

  /** Asks as the viewer again and again until `signal` aborts. While nobody answers, what was known last stays. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const names = { projectPath: this.#environment.projectPath, environment: this.#environment.name };
    while (!signal.aborted) {
      await sleep(this.#pace.clock, this.#pace.pollMs, signal);
      if (signal.aborted) return;
      try {
        this.#now = (await queryEnvironment(this.#access, names, signal)).environment.deployment;
      } catch (error) {
        // Whether the viewer may still look is for the proof of the stream to say.
        if (!(error instanceof Fault)) throw error;
        continue;
      }
      changed();
    }
  }
}
