import type { KubeObject } from "@binnacle/kube";

/**
 * How the view has come to know that an object is there, or is gone.
 * - `watch`: the API server reported this change, and has left none out before it.
 * - `gap`: two lists, or two sources, differ: it happened somewhere between them.
 * - `sight`: nothing has happened to the object: it came into sight or left it, with a first list, a limit or a right.
 */
type ArrivalWay = "watch" | "gap" | "sight";

/** How an object came. */
export interface Arrival {
  readonly way: ArrivalWay;
  /** Only with `watch`: all of it, as it came, with its managed fields. Not to be held. */
  readonly arrived?: KubeObject;
  /** Only with `watch`: the API server says that it was created. */
  readonly isCreated?: boolean;
}

/** How an object came, and what there was before. */
export interface Sighting extends Arrival {
  /** What was kept of it until now; absent: it was not there. */
  readonly before?: KubeObject | undefined;
}

/** Nothing has happened to it. */
export const IN_SIGHT: Arrival = { way: "sight" };
