import { Fault, sleep, type Clock } from "@binnacle/rpc";

import type { ViewerAccess } from "../session/viewer-access.ts";
import { Latest } from "../view/latest.ts";
import { queryEnvironment, type EnvironmentRecord } from "../view/environment-query.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

/** A deployment is seen within this while its environment is open. */
const REFRESH_MS = 30_000;

/** The last deployment of an environment that somebody looks at. */
export class FollowedDeployment {
  readonly #clock: Clock;
  readonly #access: ViewerAccess;
  readonly #environment: EnvironmentRecord;
  readonly #latest: Latest<DeploymentRecord>;

  constructor(clock: Clock, access: ViewerAccess, environment: EnvironmentRecord) {
    this.#clock = clock;
    this.#access = access;
    this.#environment = environment;
    this.#latest = new Latest(environment.deployment);
  }

  /** What was taken last, or known at the beginning. */
  get shown(): DeploymentRecord | undefined {
    return this.#latest.taken;
  }

  /** What it is now, once, when that is something else than what was taken last. */
  take(): DeploymentRecord | undefined {
    return this.#latest.take();
  }

  /** Asks as the viewer again and again until `signal` aborts. While nobody answers, what was known last stays. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const names = { projectPath: this.#environment.projectPath, environment: this.#environment.name };
    while (!signal.aborted) {
      await sleep(this.#clock, REFRESH_MS, signal);
      if (signal.aborted) return;
      try {
        this.#latest.put((await queryEnvironment(this.#access, names, signal)).environment.deployment);
      } catch (error) {
        // Whether the viewer may still look is for the proof of the stream to say.
        if (!(error instanceof Fault)) throw error;
        continue;
      }
      changed();
    }
  }
}
