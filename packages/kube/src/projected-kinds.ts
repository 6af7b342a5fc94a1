import { cut, dropping, type Cut } from "./projection.ts";

/** Probes: where they ask is read (why a pod is not ready), what else they carry is not. */
const PROBE = cut({
  ...dropping(
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
    "initialDelaySeconds",
    "terminationGracePeriodSeconds",
  ),
  exec: cut({ command: "first" }),
  httpGet: cut(dropping("httpHeaders")),
});

/** What reads files and fields of the pod itself leads to no object. */
const FROM_THE_POD = dropping("fieldRef", "resourceFieldRef", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate");

const FILES = cut(dropping("items", "defaultMode"));

const VOLUME = cut({
  ...FROM_THE_POD,
  configMap: FILES,
  secret: FILES,
  projected: cut({ defaultMode: "drop", sources: cut({ ...FROM_THE_POD, configMap: FILES, secret: FILES }) }),
});

const CONTAINER = cut({
  ...dropping("args", "command", "lifecycle", "volumeMounts", "volumeDevices", "securityContext", "workingDir", "resizePolicy"),
  ...dropping("terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy", "stdin", "stdinOnce", "tty"),
  env: cut({ value: "drop", valueFrom: cut(FROM_THE_POD) }),
  livenessProbe: PROBE,
  readinessProbe: PROBE,
  startupProbe: PROBE,
});

const POD_SPEC = cut({
  ...dropping("affinity", "tolerations", "securityContext", "dnsConfig", "dnsPolicy", "hostAliases"),
  ...dropping("enableServiceLinks", "preemptionPolicy", "priority", "schedulerName", "terminationGracePeriodSeconds"),
  // Which label of nodes a pod is spread by says why no node takes it.
  topologySpreadConstraints: cut(
    dropping("labelSelector", "matchLabelKeys", "maxSkew", "minDomains", "nodeAffinityPolicy", "nodeTaintsPolicy"),
  ),
  containers: CONTAINER,
  initContainers: CONTAINER,
  ephemeralContainers: CONTAINER,
  volumes: VOLUME,
});

const CONTAINER_STATUS = cut(
  dropping("containerID", "imageID", "allocatedResources", "allocatedResourcesStatus", "resources", "volumeMounts", "user"),
);

const POD = cut({
  spec: POD_SPEC,
  status: cut({
    ...dropping("hostIP", "hostIPs", "podIP", "podIPs", "qosClass", "resize", "extendedResourceClaimStatus"),
    conditions: cut(dropping("lastProbeTime")),
    containerStatuses: CONTAINER_STATUS,
    initContainerStatuses: CONTAINER_STATUS,
    ephemeralContainerStatuses: CONTAINER_STATUS,
  }),
});

const TEMPLATE = cut({ metadata: cut(dropping("creationTimestamp")), spec: POD_SPEC });
const WORKLOAD = cut({ spec: cut({ template: TEMPLATE }) });
const DATA = cut({ data: "keys", binaryData: "keys", stringData: "keys" });
const SCHEMA = cut({ ...dropping("schema", "additionalPrinterColumns") });

/**
 * Fields of Kubernetes' own kinds that are not read, by "group/Kind": neither by a health rule nor by an edge nor by an inventory. Kinds that
 * are not named, custom resources above all, keep everything outside of `metadata`, because users' rules may read anything there.
 */
export const PROJECTED_KINDS: ReadonlyMap<string, Cut> = new Map(
  Object.entries({
    "/Pod": POD,
    "/ReplicationController": WORKLOAD,
    "apps/Deployment": WORKLOAD,
    "apps/ReplicaSet": WORKLOAD,
    "apps/StatefulSet": WORKLOAD,
    "apps/DaemonSet": WORKLOAD,
    "batch/Job": WORKLOAD,
    "batch/CronJob": cut({ spec: cut({ jobTemplate: WORKLOAD }) }),
    "/ConfigMap": DATA,
    "/Secret": DATA,
    "/Node": cut({ status: cut(dropping("images", "volumesInUse", "volumesAttached", "config", "features", "runtimeHandlers")) }),
    "apiextensions.k8s.io/CustomResourceDefinition": cut({ spec: cut({ versions: SCHEMA, validation: "drop" }) }),
  }),
);
