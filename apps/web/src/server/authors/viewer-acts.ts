import { randomBytes } from "node:crypto";

import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { viewerActSchema, type ViewerAct } from "./viewer-act.ts";

/** Of one environment; beyond, the first one is forgotten. */
const MAX_OF_ENVIRONMENT = 500;
/** Of all environments, about 10 MB; beyond, those of the environment that was used longest ago are forgotten. */
const MAX_ACTS = 20_000;
/** A journal ends two minutes after its last viewer has left: few are older. */
const REMEMBERED_MS = 24 * 60 * 60_000;
/** Clocks of two processes may differ. */
const MAX_AHEAD_MS = 60_000;

/** An environment, as the main application names it. */
export interface NamedEnvironment {
  readonly projectPath: string;
  readonly name: string;
}

/** What viewers have changed, by environment, done by this process or received from a peer: a day, in memory only. */
export class ViewerActs {
  readonly #clock: Clock;
  readonly #notify: (act: ViewerAct) => void;
  readonly #environments = new LRUCache<string, readonly ViewerAct[]>({ maxSize: MAX_ACTS, sizeCalculation: (acts) => acts.length });

  /** @param notify passes an act of this process on */
  constructor(clock: Clock, notify: (act: ViewerAct) => void) {
    this.#clock = clock;
    this.#notify = notify;
  }

  /** This process has performed an act. One that cannot be named, as without a uid, has no author. */
  perform(act: Omit<ViewerAct, "id">): void {
    const named = viewerActSchema.safeParse({ ...act, id: randomBytes(16).toString("base64url") }).data;
    if (named && this.receive(named)) this.#notify(named);
  }

  /** An act is known, perhaps for the second time. @returns whether it is remembered from now on */
  receive(act: ViewerAct): boolean {
    const key = keyOf({ projectPath: act.projectPath, name: act.environment });
    const known = this.#recent(key);
    const isTimely = act.endedMs <= this.#clock.now() + MAX_AHEAD_MS && this.#isRecent(act);
    if (!isTimely || known.some(({ id }) => id === act.id)) return false;
    this.#environments.set(key, [...known, act].slice(-MAX_OF_ENVIRONMENT));
    return true;
  }

  /** Acts in an environment, for who may see its journal. */
  of(environment: NamedEnvironment): readonly ViewerAct[] {
    return this.#recent(keyOf(environment));
  }

  #recent(key: string): readonly ViewerAct[] {
    return this.#environments.get(key)?.filter((act) => this.#isRecent(act)) ?? [];
  }

  #isRecent({ endedMs }: ViewerAct): boolean {
    return endedMs > this.#clock.now() - REMEMBERED_MS;
  }
}

function keyOf({ projectPath, name }: NamedEnvironment): string {
  return `${projectPath.toLowerCase()}\0${name}`;
}
