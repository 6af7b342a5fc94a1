import { fieldsAt, fieldsOf, listAt, numberAt, textAt, type Fields } from "@binnacle/kube";

import { reportAt, timeAt, wordAt } from "./bounded-text.ts";

/** Status of one container of a pod, read loosely. */
export interface ContainerState {
  readonly name: string;
  /** Runs to its end before the other containers start. */
  readonly init: boolean;
  /** Starts among the init containers and runs on beside the others. */
  readonly sidecar: boolean;
  /** The kubelet says that it runs and has passed its startup probe. */
  readonly started: boolean;
  readonly ready: boolean;
  readonly restarts: number;
  readonly waiting: { readonly reason: string; readonly message: string } | undefined;
  readonly terminated: Termination | undefined;
  /** How it ended the time before. */
  readonly last: Termination | undefined;
}

/** How a container ended. */
export interface Termination {
  readonly reason: string;
  readonly message: string;
  readonly exitCode: number | undefined;
  readonly signal: number | undefined;
  /** As written; may be empty. */
  readonly startedAt: string;
  /** As written; may be empty. */
  readonly finishedAt: string;
}

/** Init containers and sidecars first, then the others, in the order of the status; which of the first are sidecars the spec says. */
export function containersOf({ status, spec }: { readonly status: Fields; readonly spec: Fields }): ContainerState[] {
  const sidecars = listAt(spec, "initContainers").filter((each) => textAt(each, "restartPolicy") === "Always");
  const names = new Set(sidecars.map((each) => textAt(each, "name")));
  const first = listAt(status, "initContainerStatuses").map((entry) =>
    containerOf(fieldsOf(entry), names.has(textAt(entry, "name")) ? "sidecar" : "init"),
  );
  return [...first, ...listAt(status, "containerStatuses").map((entry) => containerOf(fieldsOf(entry), "main"))];
}

function containerOf(entry: Fields, role: "init" | "sidecar" | "main"): ContainerState {
  const state = fieldsAt(entry, "state");
  const waiting = state["waiting"];
  return {
    name: textAt(entry, "name"),
    init: role === "init",
    sidecar: role === "sidecar",
    started: entry["started"] === true,
    ready: entry["ready"] === true,
    restarts: numberAt(entry, "restartCount") ?? 0,
    waiting:
      waiting === undefined || waiting === null ? undefined : { reason: wordAt(waiting, "reason"), message: reportAt(waiting, "message") },
    terminated: terminationOf(state["terminated"]),
    last: terminationOf(fieldsAt(entry, "lastState")["terminated"]),
  };
}

function terminationOf(value: unknown): Termination | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return {
    reason: wordAt(value, "reason"),
    message: reportAt(value, "message"),
    exitCode: numberAt(value, "exitCode"),
    signal: numberAt(value, "signal"),
    startedAt: timeAt(value, "startedAt"),
    finishedAt: timeAt(value, "finishedAt"),
  };
}
