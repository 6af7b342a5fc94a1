/**
 * What is reported of a field.
 * - `reported`: each change, with the value where that is harmless.
 * - `left-out`: nothing: it only counts, repeats another field, or is a heartbeat.
 * - `hidden`: that it has changed, never what it was or is.
 * - `credential`: as hidden, but for what only names something.
 * - `state`: of a container state the word and the reason.
 * - a table: by name of what is below it, of lists for each item.
 */
export type Disclosure = "reported" | "left-out" | "hidden" | "credential" | "state" | ReportedFields;

/** Disclosures by name of the field; `rest` is for all that are not named. */
export interface ReportedFields {
  readonly named: ReadonlyMap<string, Disclosure>;
  readonly rest: "reported" | "left-out" | "hidden";
}

/** Fields whose values are never reported: arguments of programs, and data. */
const HIDDEN_NAMES: ReadonlySet<string> = new Set(
  "args command cmd entrypoint script value values valuesObject valuesYaml data binaryData stringData encryptedData".split(" "),
);
/** Variables, as lists of names and values or as maps. */
const VARIABLES: ReadonlySet<string> = new Set(["env", "envVars", "extraEnv", "environment", "extraEnvVars"]);
/** What has such a name may be a credential, unless it only names something. */
const CREDENTIAL_NAME = /pass(?:word|wd|phrase)|secret|token|credential|(?:api|access|private)_?key|auth$/i;
const REFERENCE_NAME = /(?:^name|Name|Namespace|Ref|Kind|Class|Policy|Mode|Type)$/;

/** Of an item of a list of variables; maps and texts are hidden. */
export const VARIABLE: ReportedFields = table({ name: "reported", valueFrom: "reported" }, "hidden");

const CONDITION = table(reporting("status", "reason"), "left-out");
const CONTAINER_STATUS = table({ ready: "reported", restartCount: "reported", state: "state" }, "left-out");

/** Of a status what says how something is, and nothing else: it is written again and again. */
const STATUS = table(
  {
    ...reporting("phase", "reason", "state"),
    ...reporting("replicas", "readyReplicas", "availableReplicas", "unavailableReplicas", "updatedReplicas", "currentReplicas"),
    ...reporting("desiredReplicas", "currentRevision", "updateRevision"),
    ...reporting("desiredNumberScheduled", "currentNumberScheduled", "updatedNumberScheduled", "numberReady", "numberAvailable"),
    ...reporting("numberUnavailable", "active", "succeeded", "failed", "ready"),
    ...reporting("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"),
    ...reporting("lastAppliedRevision", "lastAttemptedRevision"),
    conditions: CONDITION,
    containerStatuses: CONTAINER_STATUS,
    initContainerStatuses: CONTAINER_STATUS,
    health: table({ status: "reported" }, "left-out"),
    sync: table(reporting("status", "revision"), "left-out"),
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
  "reported",
);

const METADATA = table(
  {
    ...leavingOut("resourceVersion", "generation", "managedFields", "selfLink", "uid", "creationTimestamp", "generateName", "name"),
    ...leavingOut("namespace", "deletionGracePeriodSeconds", "ownership"),
    annotations: ANNOTATIONS,
  },
  "reported",
);

/** Of any object. */
export const REPORTED_FIELDS = table({ apiVersion: "left-out", kind: "left-out", metadata: METADATA, status: STATUS }, "reported");

/** Of a Secret: names, and no value at all. */
export const REPORTED_OF_SECRETS = table(
  { apiVersion: "left-out", kind: "left-out", metadata: { ...METADATA, named: secretNames(METADATA.named), rest: "hidden" } },
  "hidden",
);

/** Kinds of which nothing is reported: they change all the time, or repeat others. By "group/Kind". */
export const OMITTED_KINDS: ReadonlySet<string> = new Set([
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

/** The disclosure of a field below a field with this one. */
export function disclosureOf(parent: Disclosure, name: string): Disclosure {
  if (typeof parent === "object") {
    const named = parent.named.get(name);
    if (named !== undefined) return named;
    return parent.rest === "reported" ? disclosureOfName(name) : parent.rest;
  }
  if (parent === "credential") return REFERENCE_NAME.test(name) ? "reported" : "credential";
  return parent === "reported" ? disclosureOfName(name) : parent;
}

function disclosureOfName(name: string): Disclosure {
  if (VARIABLES.has(name)) return VARIABLE;
  if (HIDDEN_NAMES.has(name)) return "hidden";
  return CREDENTIAL_NAME.test(name) && !REFERENCE_NAME.test(name) ? "credential" : "reported";
}

function table(named: Readonly<Record<string, Disclosure>>, rest: ReportedFields["rest"]): ReportedFields {
  return { named: new Map(Object.entries(named)), rest };
}

function reporting(...names: readonly string[]): Record<string, Disclosure> {
  return Object.fromEntries(names.map((name) => [name, "reported"]));
}

function leavingOut(...names: readonly string[]): Record<string, Disclosure> {
  return Object.fromEntries(names.map((name) => [name, "left-out"]));
}

/** Annotations may hold copies of values. */
function secretNames(named: ReadonlyMap<string, Disclosure>): ReadonlyMap<string, Disclosure> {
  return new Map([...named, ["annotations", { ...ANNOTATIONS, rest: "hidden" }], ["deletionTimestamp", "reported"]]);
}
