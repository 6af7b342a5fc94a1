/** How a container stands. Times are milliseconds since the epoch. */
export type ContainerState =
  | { readonly kind: "waiting"; readonly reason: string }
  | { readonly kind: "running"; readonly startedMs: number }
  | { readonly kind: "terminated"; readonly startedMs: number; readonly finishedMs: number };

/** A container of a pod as exec and logs need it. */
export interface PodContainer {
  readonly name: string;
  readonly kind: "init" | "container" | "ephemeral";
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  readonly ports: readonly number[];
  /** `stdin` of the spec: attach reaches a shell. */
  readonly isInteractive: boolean;
  readonly tty: boolean;
  /** `stdinOnce` of the spec: its shell ends with the first client that attaches. */
  readonly stdinOnce: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastTermination: (ContainerState & { readonly kind: "terminated" }) | undefined;
}

/** A pod as exec, port-forward and logs need it. */
export interface Pod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly phase: string;
  readonly nodeName: string | undefined;
  readonly containers: readonly PodContainer[];
}

/** Finds the present state of a pod; `undefined` when it is gone. Called again while a log is followed. */
export type PodSource = (namespace: string, name: string) => Pod | undefined | Promise<Pod | undefined>;

type Tree = Readonly<Record<string, unknown>>;

function tree(value: unknown): Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function trees(value: unknown): Tree[] {
  return Array.isArray(value) ? value.map(tree) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(entries: Iterable<readonly [string, unknown]>): Record<string, string> {
  return Object.fromEntries([...entries].filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function time(value: unknown, otherwise: number): number {
  const parsed = Date.parse(text(value));
  return Number.isFinite(parsed) ? parsed : otherwise;
}

/** Reads a pod of the Kubernetes API (`v1`); fields of other types than the API's are taken as absent. */
export function podOf(object: unknown): Pod {
  const [metadata, spec, status] = [tree(tree(object)["metadata"]), tree(tree(object)["spec"]), tree(tree(object)["status"])];
  const startMs = time(status["startTime"], time(metadata["creationTimestamp"], 0));
  const parts = [
    ["init", "initContainers", "initContainerStatuses"],
    ["container", "containers", "containerStatuses"],
    ["ephemeral", "ephemeralContainers", "ephemeralContainerStatuses"],
  ] as const;
  const phase = text(status["phase"]) || "Pending";
  const nodeName = text(spec["nodeName"]);
  return {
    namespace: text(metadata["namespace"]),
    name: text(metadata["name"]),
    uid: text(metadata["uid"]),
    annotations: texts(Object.entries(tree(metadata["annotations"]))),
    phase,
    nodeName: nodeName === "" ? undefined : nodeName,
    containers: parts.flatMap(([kind, inSpec, inStatus]) =>
      trees(spec[inSpec]).map((container) => {
        const shown = trees(status[inStatus]).find((one) => one["name"] === container["name"]);
        return containerOf(kind, container, { shown, startMs });
      }),
    ),
  };
}

function containerOf(
  kind: PodContainer["kind"],
  container: Tree,
  { shown = {}, startMs }: { readonly shown: Tree | undefined; readonly startMs: number },
): PodContainer {
  const last = stateOf(tree(shown["lastState"]), startMs);
  const restarts = shown["restartCount"];
  return {
    name: text(container["name"]),
    kind,
    image: text(container["image"]),
    env: texts(trees(container["env"]).map((one) => [text(one["name"]), one["value"]] as const)),
    ports: trees(container["ports"]).flatMap((port) => (typeof port["containerPort"] === "number" ? [port["containerPort"]] : [])),
    isInteractive: container["stdin"] === true,
    tty: container["tty"] === true,
    stdinOnce: container["stdinOnce"] === true,
    restartCount: typeof restarts === "number" && Number.isSafeInteger(restarts) && restarts >= 0 ? restarts : 0,
    state: stateOf(tree(shown["state"]), startMs),
    lastTermination: last.kind === "terminated" ? last : undefined,
  };
}

function stateOf(state: Tree, startMs: number): ContainerState {
  if ("running" in state) return { kind: "running", startedMs: time(tree(state["running"])["startedAt"], startMs) };
  if (!("terminated" in state)) return { kind: "waiting", reason: text(tree(state["waiting"])["reason"]) || "ContainerCreating" };
  const { startedAt, finishedAt } = tree(state["terminated"]);
  const startedMs = time(startedAt, startMs);
  return { kind: "terminated", startedMs, finishedMs: Math.max(startedMs, time(finishedAt, startedMs)) };
}
