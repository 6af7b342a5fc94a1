/**
 * What is told of a field.
 * - `told`: when it changes, with its value where that is harmless.
 * - `left-out`: nothing: it only counts, repeats something, or beats like a heart.
 * - `hidden`: that it has changed, never what it was or is.
 * - `credential`: as hidden, but for what only names something.
 * - `state`: of a container state the word and the reason.
 * - a table: by name of what is below it, of lists for each item.
 */
export type Telling = "told" | "left-out" | "hidden" | "credential" | "state" | ReportedFields;

/** Tellings by name of the field; `rest` is for all that are not named. */
export interface ReportedFields {
  readonly named: ReadonlyMap<string, Telling>;
  readonly rest: "told" | "left-out" | "hidden";
}

/** Fields whose values are never told, wherever they stand: what is passed to programs, and what keeps data. */
const HIDDEN_NAMES: ReadonlySet<string> = new Set(
  "args command cmd entrypoint script value values valuesObject valuesYaml data binaryData stringData encryptedData".split(" "),
);
/** Variables, as lists of names and values or as maps. */
const VARIABLES: ReadonlySet<string> = new Set(["env", "envVars", "extraEnv", "environment", "extraEnvVars"]);
/** What has such a name may be a credential, unless it only names something. */
const CREDENTIAL_NAME = /pass(?:word|wd|phrase)|secret|token|credential|(?:api|access|private)_?key|auth$/i;
const REFERENCE_NAME = /(?:^name|Name|Namespace|Ref|Kind|Class|Policy|Mode|Type)$/;

/** Of an item of a list of variables; maps and texts are hidden. */
export const VARIABLE: ReportedFields = table({ name: "told", valueFrom: "told" }, "hidden");

const CONDITION = table({ status: "told", reason: "told" }, "left-out");
const CONTAINER_STATUS = table({ ready: "told", restartCount: "told", state: "state" }, "left-out");

/** Of a status what says how something is, and nothing else: it is written again and again. */
const STATUS = table(
  {
    ...telling("phase", "reason", "state"),
    ...telling("replicas", "readyReplicas", "availableReplicas", "unavailableReplicas", "updatedReplicas", "currentReplicas"),
    ...telling("desiredReplicas", "currentRevision", "updateRevision"),
    ...telling("desiredNumberScheduled", "currentNumberScheduled", "updatedNumberScheduled", "numberReady", "numberAvailable"),
    ...telling("numberUnavailable", "active", "succeeded", "failed", "ready"),
    ...telling("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"),
    ...telling("lastAppliedRevision", "lastAttemptedRevision"),
    conditions: CONDITION,
    containerStatuses: CONTAINER_STATUS,
    initContainerStatuses: CONTAINER_STATUS,
    health: table({ status: "told" }, "left-out"),
    sync: table({ status: "told", revision: "told" }, "left-out"),
  },
  "left-out",
);

const ANNOTATIONS = table(
  {
    // Copies of the object, counters and locks.
    "kubectl.kubernetes.io/last-applied-configuration": "left-out",
    "deployment.kubernetes.io/revision": "left-out",
    "deployment.kubernetes.io/desired-replicas": "left-out",
    "deployment.kubernetes.io/max-replicas": "left-out",
    "autoscaling.alpha.kubernetes.io/conditions": "left-out",
    "autoscaling.alpha.kubernetes.io/current-metrics": "left-out",
    "control-plane.alpha.kubernetes.io/leader": "left-out",
    "endpoints.kubernetes.io/last-change-trigger-time": "left-out",
  },
  "told",
);

const METADATA = table(
  {
    ...leavingOut("resourceVersion", "generation", "managedFields", "selfLink", "uid", "creationTimestamp", "generateName", "name"),
    ...leavingOut("namespace", "deletionGracePeriodSeconds", "ownership"),
    annotations: ANNOTATIONS,
  },
  "told",
);

/** Of any object. */
export const TOLD_FIELDS = table({ apiVersion: "left-out", kind: "left-out", metadata: METADATA, status: STATUS }, "told");

/** Of a Secret: names, and no value at all. */
export const TOLD_OF_SECRETS = table(
  { apiVersion: "left-out", kind: "left-out", metadata: { ...METADATA, named: secretNames(METADATA.named), rest: "hidden" } },
  "hidden",
);

/** Kinds of which nothing is told: they change all the time, or repeat others. By "group/Kind". */
export const UNTOLD_KINDS: ReadonlySet<string> = new Set([
  "/Event",
  "events.k8s.io/Event",
  "/Endpoints",
  "discovery.k8s.io/EndpointSlice",
  "coordination.k8s.io/Lease",
  "coordination.k8s.io/LeaseCandidate",
  "apps/ControllerRevision",
  "metrics.k8s.io/PodMetrics",
  "cilium.io/CiliumEndpoint",
  "wgpolicyk8s.io/PolicyReport",
]);

/** What is told of a field below one of which this is told. */
export function tellingOf(parent: Telling, name: string): Telling {
  if (typeof parent === "object") {
    const named = parent.named.get(name);
    if (named !== undefined) return named;
    return parent.rest === "told" ? tellingOfName(name) : parent.rest;
  }
  if (parent === "credential") return REFERENCE_NAME.test(name) ? "told" : "credential";
  return parent === "told" ? tellingOfName(name) : parent;
}

function tellingOfName(name: string): Telling {
  if (VARIABLES.has(name)) return VARIABLE;
  if (HIDDEN_NAMES.has(name)) return "hidden";
  return CREDENTIAL_NAME.test(name) && !REFERENCE_NAME.test(name) ? "credential" : "told";
}

function table(named: Readonly<Record<string, Telling>>, rest: ReportedFields["rest"]): ReportedFields {
  return { named: new Map(Object.entries(named)), rest };
}

function telling(...names: readonly string[]): Record<string, Telling> {
  return Object.fromEntries(names.map((name) => [name, "told"]));
}

function leavingOut(...names: readonly string[]): Record<string, Telling> {
  return Object.fromEntries(names.map((name) => [name, "left-out"]));
}

/** Annotations may hold copies of values. */
function secretNames(named: ReadonlyMap<string, Telling>): ReadonlyMap<string, Telling> {
  return new Map([...named, ["annotations", { ...ANNOTATIONS, rest: "hidden" }], ["deletionTimestamp", "told"]]);
}
