import { isDeepStrictEqual } from "node:util";

import { sleep, type Clock } from "@binnacle/rpc";

import type { ViewerAccess } from "../main-application/viewer-access.ts";
import type { EnvironmentRecord } from "../main-application/environment-query.ts";
import { teamViewOf } from "./team-view-of.ts";
import type { TeamFiles } from "./team-files.ts";

/** What a team's file is followed with. */
interface FollowContext {
  readonly teamFiles: TeamFiles;
  readonly clock: Clock;
}

/** A push to the default branch is seen within this and the 20 s of what is kept. */
const REFRESH_MS = 30_000;

/** Whether a project's file still says of an environment what it said when somebody began to look at it. */
export class FollowedTeam {
  readonly #context: FollowContext;
  readonly #access: ViewerAccess;
  readonly #environment: EnvironmentRecord;
  #isChanged = false;

  constructor(context: FollowContext, access: ViewerAccess, environment: EnvironmentRecord) {
    this.#context = context;
    this.#access = access;
    this.#environment = environment;
  }

  /** It says something else, or may not be read any more. */
  get isChanged(): boolean {
    return this.#isChanged;
  }

  /** Reads it again and again until it says something else, or `signal` aborts. */
  async run(changed: () => void, signal: AbortSignal): Promise<void> {
    const before = this.#environment.team ?? { notices: [] };
    while (!signal.aborted && !this.#isChanged) {
      await sleep(this.#context.clock, REFRESH_MS, signal);
      if (signal.aborted) return;
      const reading = await this.#context.teamFiles.read(this.#access, this.#environment.projectPath);
      // Whoever looks goes on with what is on the screen while nobody can say anything else.
      if (reading.kind === "failed" || (reading.kind === "read" && reading.isKept)) continue;
      this.#isChanged = !isDeepStrictEqual(teamViewOf(this.#environment, reading), before);
    }
    changed();
  }
}
