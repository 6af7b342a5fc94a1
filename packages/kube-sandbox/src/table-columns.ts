import { ageText } from "./durations.ts";
import { listIn, numberIn, textIn, textMapIn, valueIn } from "./json-tree.ts";
import { selectorText } from "./label-selector.ts";
import * as cells from "./table-cells.ts";
import { AGE, column, count, CREATED, NAME, SELECTOR, templateColumns, text, type Column } from "./table-cells.ts";

const TEMPLATE = templateColumns("spec", "template", "spec");
const RBAC_BINDING: readonly Column[] = [
  NAME,
  column("Role", (object) => `${textIn(object, "roleRef", "kind")}/${textIn(object, "roleRef", "name")}`),
  AGE,
  column("Users*", cells.subjectNames("User")),
  column("Groups*", cells.subjectNames("Group")),
  column("ServiceAccounts*", cells.subjectNames("ServiceAccount")),
];
const EVENT_SEEN = (field: string) =>
  column(field === "lastTimestamp" ? "Last Seen" : "First Seen*", (object, now) =>
    ageText(textIn(object, field) ?? textIn(object, "eventTime"), now),
  );

/** The columns `kubectl get` shows, per table of the store, as a real API server 1.36 names them. */
export const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  "/pods": [
    NAME,
    column("Ready", cells.podReady),
    column("Status", cells.podStatus),
    column("Restarts", cells.podRestarts),
    AGE,
    column("IP*", text("<none>", "status", "podIP")),
    column("Node*", text("<none>", "spec", "nodeName")),
    column("Nominated Node*", text("<none>", "status", "nominatedNodeName")),
    column("Readiness Gates*", () => "<none>"),
  ],
  "/services": [
    NAME,
    column("Type", text("", "spec", "type")),
    column("Cluster-IP", text("<none>", "spec", "clusterIP")),
    column("External-IP", cells.externalAddress),
    column("Port(s)", cells.servicePorts),
    AGE,
    column("Selector*", cells.selectorMapText),
  ],
  "apps/deployments": [
    NAME,
    column("Ready", (object) => `${numberIn(object, "status", "readyReplicas") ?? 0}/${numberIn(object, "spec", "replicas") ?? 0}`),
    column("Up-to-date", (object) => String(numberIn(object, "status", "updatedReplicas") ?? 0)),
    column("Available", (object) => String(numberIn(object, "status", "availableReplicas") ?? 0)),
    AGE,
    ...TEMPLATE,
    SELECTOR,
  ],
  "apps/replicasets": [
    NAME,
    column("Desired:integer", count("spec", "replicas")),
    column("Current:integer", count("status", "replicas")),
    column("Ready:integer", count("status", "readyReplicas")),
    AGE,
    ...TEMPLATE,
    SELECTOR,
  ],
  "apps/statefulsets": [
    NAME,
    column("Ready", (object) => `${numberIn(object, "status", "readyReplicas") ?? 0}/${numberIn(object, "spec", "replicas") ?? 0}`),
    AGE,
    ...TEMPLATE,
  ],
  "apps/daemonsets": [
    NAME,
    column("Desired:integer", count("status", "desiredNumberScheduled")),
    column("Current:integer", count("status", "currentNumberScheduled")),
    column("Ready:integer", count("status", "numberReady")),
    column("Up-to-date:integer", count("status", "updatedNumberScheduled")),
    column("Available:integer", count("status", "numberAvailable")),
    column("Node Selector", (object) => cells.mapText(textMapIn(object, "spec", "template", "spec", "nodeSelector"))),
    AGE,
    ...TEMPLATE,
    SELECTOR,
  ],
  "apps/controllerrevisions": [
    NAME,
    column(
      "Controller",
      (object) => object.metadata.ownerReferences?.map((one) => `${one.kind.toLowerCase()}.apps/${one.name}`)[0] ?? "<none>",
    ),
    column("Revision", (object) => String(numberIn(object, "revision") ?? 0)),
    AGE,
  ],
  "batch/jobs": [
    NAME,
    column("Status", cells.jobStatus),
    column("Completions", (object) => `${numberIn(object, "status", "succeeded") ?? 0}/${numberIn(object, "spec", "completions") ?? 1}`),
    column("Duration", cells.jobDuration),
    AGE,
    ...TEMPLATE,
    SELECTOR,
  ],
  "batch/cronjobs": [
    NAME,
    column("Schedule", text("", "spec", "schedule")),
    column("Timezone", text("<none>", "spec", "timeZone")),
    column("Suspend:boolean", (object) => valueIn(object, "spec", "suspend") === true),
    column("Active:integer", (object) => listIn(object, "status", "active").length),
    column("Last Schedule", (object, now) =>
      textIn(object, "status", "lastScheduleTime") === undefined ? "<none>" : ageText(textIn(object, "status", "lastScheduleTime"), now),
    ),
    AGE,
    ...templateColumns("spec", "jobTemplate", "spec", "template", "spec"),
    column("Selector*", () => "<none>"),
  ],
  "/configmaps": [NAME, column("Data", cells.dataCount), AGE],
  "/secrets": [NAME, column("Type", text("", "type")), column("Data", cells.dataCount), AGE],
  "/serviceaccounts": [NAME, AGE],
  "/persistentvolumeclaims": [
    NAME,
    column("Status", (object) =>
      object.metadata.deletionTimestamp === undefined ? (textIn(object, "status", "phase") ?? "") : "Terminating",
    ),
    column("Volume", text("", "spec", "volumeName")),
    column("Capacity", text("", "status", "capacity", "storage")),
    column("Access Modes", cells.accessModes("status", "accessModes")),
    column("StorageClass", text("", "spec", "storageClassName")),
    column("VolumeAttributesClass", text("<unset>", "spec", "volumeAttributesClassName")),
    AGE,
    column("VolumeMode*", text("", "spec", "volumeMode")),
  ],
  "/persistentvolumes": [
    NAME,
    column("Capacity", text("", "spec", "capacity", "storage")),
    column("Access Modes", cells.accessModes("spec", "accessModes")),
    column("Reclaim Policy", text("", "spec", "persistentVolumeReclaimPolicy")),
    column("Status", text("", "status", "phase")),
    column("Claim", (object) =>
      textIn(object, "spec", "claimRef", "name") === undefined
        ? ""
        : `${textIn(object, "spec", "claimRef", "namespace")}/${textIn(object, "spec", "claimRef", "name")}`,
    ),
    column("StorageClass", text("", "spec", "storageClassName")),
    column("VolumeAttributesClass", text("<unset>", "spec", "volumeAttributesClassName")),
    column("Reason", text("", "status", "reason")),
    AGE,
    column("VolumeMode*", text("", "spec", "volumeMode")),
  ],
  "/nodes": [
    NAME,
    column("Status", cells.nodeStatus),
    column("Roles", cells.nodeRoles),
    AGE,
    column("Version", text("", "status", "nodeInfo", "kubeletVersion")),
    column("Internal-IP*", (object) => cells.nodeAddress(object, "InternalIP")),
    column("External-IP*", (object) => cells.nodeAddress(object, "ExternalIP")),
    column("OS-Image*", text("<unknown>", "status", "nodeInfo", "osImage")),
    column("Kernel-Version*", text("<unknown>", "status", "nodeInfo", "kernelVersion")),
    column("Container-Runtime*", text("<unknown>", "status", "nodeInfo", "containerRuntimeVersion")),
  ],
  "/namespaces": [NAME, column("Status", text("", "status", "phase")), AGE],
  "/events": [
    EVENT_SEEN("lastTimestamp"),
    column("Type", text("", "type")),
    column("Reason", text("", "reason")),
    column("Object", cells.eventObject),
    column("Subobject*", text("", "involvedObject", "fieldPath")),
    column("Source*", text("", "source", "component")),
    column("Message", text("", "message")),
    EVENT_SEEN("firstTimestamp"),
    column("Count*", (object) => String(numberIn(object, "count") ?? 1)),
    column("Name*", (object) => object.metadata.name),
  ],
  "/endpoints": [NAME, column("Endpoints", () => "<none>"), AGE],
  "discovery.k8s.io/endpointslices": [
    NAME,
    column("AddressType", text("", "addressType")),
    column(
      "Ports",
      (object) =>
        listIn(object, "ports")
          .map((port) => numberIn(port, "port"))
          .join(",") || "<unset>",
    ),
    column(
      "Endpoints",
      (object) =>
        listIn(object, "endpoints")
          .flatMap((one) => listIn(one, "addresses"))
          .join(",") || "<unset>",
    ),
    AGE,
  ],
  "networking.k8s.io/ingresses": [
    NAME,
    column("Class", text("<none>", "spec", "ingressClassName")),
    column(
      "Hosts",
      (object) =>
        listIn(object, "spec", "rules")
          .map((rule) => textIn(rule, "host") ?? "*")
          .join(",") || "*",
    ),
    column("Address", cells.balancerAddress),
    column("Ports", (object) => (listIn(object, "spec", "tls").length > 0 ? "80, 443" : "80")),
    AGE,
  ],
  "networking.k8s.io/ingressclasses": [
    NAME,
    column("Controller", text("", "spec", "controller")),
    column("Parameters", () => "<none>"),
    AGE,
  ],
  "networking.k8s.io/networkpolicies": [
    NAME,
    column("Pod-Selector", (object) => selectorText(valueIn(object, "spec", "podSelector")) || "<none>"),
    AGE,
  ],
  "autoscaling/horizontalpodautoscalers": [
    NAME,
    column(
      "Reference",
      (object) => `${textIn(object, "spec", "scaleTargetRef", "kind")}/${textIn(object, "spec", "scaleTargetRef", "name")}`,
    ),
    column("Targets", cells.autoscalerTargets),
    column("MinPods", (object) => String(numberIn(object, "spec", "minReplicas") ?? 1)),
    column("MaxPods", (object) => String(numberIn(object, "spec", "maxReplicas") ?? 0)),
    column("Replicas", (object) => String(numberIn(object, "status", "currentReplicas") ?? 0)),
    AGE,
  ],
  "policy/poddisruptionbudgets": [
    NAME,
    column("Min Available", (object) => cells.scalarText(valueIn(object, "spec", "minAvailable"), "N/A")),
    column("Max Unavailable", (object) => cells.scalarText(valueIn(object, "spec", "maxUnavailable"), "N/A")),
    column("Allowed Disruptions:integer", count("status", "disruptionsAllowed")),
    AGE,
  ],
  "rbac.authorization.k8s.io/roles": [NAME, CREATED],
  "rbac.authorization.k8s.io/clusterroles": [NAME, CREATED],
  "rbac.authorization.k8s.io/rolebindings": RBAC_BINDING,
  "rbac.authorization.k8s.io/clusterrolebindings": RBAC_BINDING,
  "storage.k8s.io/storageclasses": [
    column(
      "Name",
      (object) =>
        `${object.metadata.name}${object.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true" ? " (default)" : ""}`,
    ),
    column("Provisioner", text("", "provisioner")),
    column("ReclaimPolicy", text("", "reclaimPolicy")),
    column("VolumeBindingMode", text("", "volumeBindingMode")),
    column("AllowVolumeExpansion", (object) => String(valueIn(object, "allowVolumeExpansion") === true)),
    AGE,
  ],
  "apiextensions.k8s.io/customresourcedefinitions": [NAME, CREATED],
  "coordination.k8s.io/leases": [NAME, column("Holder", text("", "spec", "holderIdentity")), AGE],
  "/resourcequotas": [NAME, column("Request", () => ""), column("Limit", () => ""), AGE],
  "/limitranges": [NAME, CREATED],
  "scheduling.k8s.io/priorityclasses": [
    NAME,
    column("Value:integer", count("value")),
    column("Global-Default:boolean", (object) => valueIn(object, "globalDefault") === true),
    AGE,
    column("PreemptionPolicy", text("", "preemptionPolicy")),
  ],
};
