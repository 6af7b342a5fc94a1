import { KubeClientError } from "@binnacle/environment-view";
import type { KubeObject } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { OpenEnvironment } from "../environment/open-environment.ts";
import type { NamedResource } from "./named-resource.ts";

/** An older read is not joined: the caller may know of a later change. */
const JOINED_WITHIN_MS = 1_000;

/** What a read needs of an open environment. */
type ReadAccess = Pick<OpenEnvironment["access"], "agentId" | "credentialKey"> & {
  readonly client: Pick<OpenEnvironment["access"]["client"], "get">;
};

/** Whose read of which object it is, by which right of way. */
export interface SharedRead extends NamedResource {
  readonly opened: { readonly access: ReadAccess; readonly environment: Pick<OpenEnvironment["environment"], "projectPath" | "name"> };
  readonly signal: AbortSignal;
}

interface UnderWay {
  readonly object: Promise<KubeObject>;
  readonly beganMs: number;
  readonly abort: AbortController;
  callers: number;
}

/**
 * Reads of objects that calls of one credential make at the same time: the details and the actions of a drawer that opens are one read. Nothing
 * is kept once the answer is there. What plans or performs an action reads by itself.
 */
export class SharedReads {
  readonly #clock: Clock;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The object as the viewer may read it now. A caller that leaves ends the read only when it was the last one. @throws KubeClientError */
  async get(read: SharedRead): Promise<KubeObject> {
    const key = keyOf(read);
    const known = this.#underWay.get(key);
    const ageMs = known === undefined ? 0 : this.#clock.now() - known.beganMs;
    const shared = known !== undefined && ageMs >= 0 && ageMs < JOINED_WITHIN_MS ? known : this.#begin(key, read);
    shared.callers += 1;
    try {
      return await orLeft(shared.object, read.signal);
    } finally {
      shared.callers -= 1;
      if (shared.callers === 0) {
        this.#forget(key, shared);
        shared.abort.abort();
      }
    }
  }

  #begin(key: string, { opened, kind, ref: { namespace, name } }: SharedRead): UnderWay {
    const abort = new AbortController();
    const object = opened.access.client.get({ kind, namespace, name }, abort.signal);
    const begun: UnderWay = { object, beganMs: this.#clock.now(), abort, callers: 0 };
    this.#underWay.set(key, begun);
    const forget = (): void => this.#forget(key, begun);
    object.then(forget, forget);
    return begun;
  }

  #forget(key: string, read: UnderWay): void {
    if (this.#underWay.get(key) === read) this.#underWay.delete(key);
  }
}

function keyOf({ opened: { access, environment }, ref }: SharedRead): string {
  const { group, version, kind, resource, namespace, name } = ref;
  const { credentialKey, agentId } = access;
  const { projectPath, name: ofEnvironment } = environment;
  return JSON.stringify([credentialKey, String(agentId), projectPath, ofEnvironment, group, version, kind, resource, namespace, name]);
}

/** The answer, unless the caller leaves before. */
async function orLeft<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: left, reject } = Promise.withResolvers<never>();
  const leave = (): void => reject(new KubeClientError("connection", words("request/api-silent"), { cause: signal.reason }));
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([answer, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
