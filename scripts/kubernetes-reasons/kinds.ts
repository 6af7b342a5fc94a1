import type { Setter } from "./written-conditions.ts";

/** A file of a module. */
export interface SourceFile {
  readonly module: keyof typeof MODULES;
  readonly path: string;
}

/** Where conditions of a kind are written. */
export interface KindSource {
  /** As in rule ids: `group/Kind`. */
  readonly kind: string;
  /** Go types of its condition types and phases: constants of them are what there is. */
  readonly types: readonly string[];
  readonly phases: readonly string[];
  /** Name of the Go struct of a condition; empty when only setters write it. */
  readonly struct: string;
  readonly setters: readonly Setter[];
  readonly files: readonly SourceFile[];
  /** Reasons that reach a condition through a variable or a library: looked for in their file, so that they do not outlive it. */
  readonly also: readonly Also[];
  /** Expressions that pass on what is written elsewhere. */
  readonly passedOn: readonly string[];
}

/** Reasons of one condition type, each a text or a constant of the file. */
export interface Also {
  readonly file: SourceFile;
  readonly type: string;
  readonly status: string;
  readonly reasons: readonly string[];
}

/** Modules and versions that are read; Kubernetes is released as all of them at once. */
export const MODULES = {
  api: { path: "k8s.io/api", version: "v0.36.3" },
  kubernetes: { path: "k8s.io/kubernetes", version: "v1.36.3" },
  extensions: { path: "k8s.io/apiextensions-apiserver", version: "v0.36.3" },
  aggregator: { path: "k8s.io/kube-aggregator", version: "v0.36.3" },
  cloud: { path: "k8s.io/cloud-provider", version: "v0.36.3" },
} as const;

const NOTHING = { types: [], phases: [], struct: "", setters: [], files: [], also: [], passedOn: [] };

/** Kinds that have a rule. Those without condition types are here, too, so that none is forgotten. */
export const KINDS: readonly KindSource[] = [
  {
    ...NOTHING,
    kind: "apps/Deployment",
    types: ["DeploymentConditionType"],
    setters: [{ name: "NewDeploymentCondition", type: 0, status: 1, reason: 2 }],
    files: [of("controller/deployment/sync.go"), of("controller/deployment/progress.go")],
    // The controller copies the condition of its ReplicaSet.
    also: [replicaFailure()],
  },
  {
    ...NOTHING,
    kind: "apps/ReplicaSet",
    types: ["ReplicaSetConditionType"],
    setters: [{ name: "NewReplicaSetCondition", type: 0, status: 1, reason: 2 }],
    files: [of("controller/replicaset/replica_set_utils.go")],
  },
  { ...NOTHING, kind: "/ReplicationController", types: ["ReplicationControllerConditionType"], also: [replicaFailure()] },
  { ...NOTHING, kind: "apps/StatefulSet", types: ["StatefulSetConditionType"] },
  { ...NOTHING, kind: "apps/DaemonSet", types: ["DaemonSetConditionType"] },
  {
    ...NOTHING,
    kind: "/Pod",
    types: ["PodConditionType"],
    phases: ["PodPhase"],
    struct: "PodCondition",
    files: [
      "kubelet/status/generate.go",
      "kubelet/kubelet.go",
      "kubelet/kubelet_pods.go",
      "kubelet/preemption/preemption.go",
      "kubelet/eviction/eviction_manager.go",
      "kubelet/nodeshutdown/nodeshutdown_manager.go",
      "scheduler/schedule_one.go",
      "scheduler/framework/preemption/executor.go",
      "registry/core/pod/strategy.go",
      "registry/core/pod/storage/eviction.go",
      "controller/disruption/disruption.go",
      "controller/podgc/gc_controller.go",
      "controller/tainteviction/taint_eviction.go",
      "controller/devicetainteviction/device_taint_eviction.go",
    ].map(of),
    also: [
      {
        file: of("kubelet/status/generate.go"),
        type: "Ready",
        status: "False",
        reasons: ["UnknownContainerStatuses", "ContainersNotReady"],
      },
      {
        file: of("kubelet/status/status_manager.go"),
        type: "PodResizePending",
        status: "True",
        reasons: ["PodReasonDeferred", "PodReasonInfeasible"],
      },
      { file: of("kubelet/kubelet.go"), type: "PodResizeInProgress", status: "True", reasons: ["PodReasonError", ""] },
      {
        file: of("kubelet/images/types.go"),
        type: "waiting",
        status: "",
        reasons: ["ErrImagePullBackOff", "ErrImageInspect", "ErrImagePull", "ErrImageNeverPull", "ErrInvalidImageName"],
      },
      {
        file: of("kubelet/kuberuntime/kuberuntime_container.go"),
        type: "waiting",
        status: "",
        reasons: ["ErrCreateContainerConfig", "ErrPreCreateHook", "ErrCreateContainer", "ErrPreStartHook", "ErrPostStartHook"],
      },
      { file: of("kubelet/container/sync_result.go"), type: "waiting", status: "", reasons: ["ErrCrashLoopBackOff", "ErrRunContainer"] },
      { file: of("kubelet/kubelet_pods.go"), type: "waiting", status: "", reasons: ["PodInitializing", "ContainerCreating"] },
    ],
    passedOn: ["containersReady.Reason"],
  },
  {
    ...NOTHING,
    kind: "batch/Job",
    types: ["JobConditionType"],
    setters: [
      { name: "newCondition", type: 0, status: 1, reason: 2 },
      { name: "ensureJobConditionStatus", type: 1, status: 2, reason: 3 },
      { name: "newFailureCondition", type: '"Failed"', status: "ConditionTrue", reason: 0 },
      { name: "newFailureCondition", type: '"FailureTarget"', status: "ConditionTrue", reason: 0 },
    ],
    files: [of("controller/job/job_controller.go")],
    also: [
      { file: of("controller/job/job_controller.go"), type: "Complete", status: "True", reasons: ["JobReasonSuccessPolicy"] },
      { file: of("controller/job/job_controller.go"), type: "Failed", status: "True", reasons: ["JobReasonPodFailurePolicy"] },
    ],
    passedOn: [
      "condition.Reason",
      "jobCtx.finishedCondition.Reason",
      "finishedCond.Type",
      "finishedCond.Reason",
      "conditionType",
      "reason",
      "cType",
    ],
  },
  { ...NOTHING, kind: "batch/CronJob" },
  {
    ...NOTHING,
    kind: "/Service",
    // Written by the controllers of cloud providers.
    also: [
      {
        file: { module: "api", path: "core/v1/types.go" },
        type: "LoadBalancerPortsError",
        status: "True",
        reasons: ["LoadBalancerPortsErrorReason"],
      },
    ],
  },
  { ...NOTHING, kind: "networking.k8s.io/Ingress" },
  {
    ...NOTHING,
    kind: "/PersistentVolumeClaim",
    types: ["PersistentVolumeClaimConditionType"],
    phases: ["PersistentVolumeClaimPhase"],
    struct: "PersistentVolumeClaimCondition",
    setters: [{ name: "setUnusedCondition", type: '"Unused"', status: 2, reason: 3 }],
    files: [of("volume/util/resize_util.go"), of("controller/volume/pvcprotection/pvc_protection_controller.go")],
    passedOn: ["reason"],
  },
  { ...NOTHING, kind: "/PersistentVolume", phases: ["PersistentVolumePhase"] },
  {
    ...NOTHING,
    kind: "autoscaling/HorizontalPodAutoscaler",
    types: ["HorizontalPodAutoscalerConditionType"],
    setters: [
      { name: "setCondition", type: 1, status: 2, reason: 3 },
      { name: "getUnableComputeReplicaCountCondition", type: '"ScalingActive"', status: "ConditionFalse", reason: 1 },
    ],
    files: [of("controller/podautoscaler/horizontal.go")],
    also: [
      {
        file: of("controller/podautoscaler/horizontal.go"),
        type: "AbleToScale",
        status: "True",
        reasons: ["ScaleUpStabilized", "ScaleDownStabilized"],
      },
      { file: of("controller/podautoscaler/horizontal.go"), type: "ScalingLimited", status: "False", reasons: ["DesiredWithinRange"] },
      {
        file: of("controller/podautoscaler/horizontal.go"),
        type: "ScalingLimited",
        status: "True",
        reasons: ["ScaleUpLimit", "TooManyReplicas", "ScaleDownLimit", "TooFewReplicas"],
      },
    ],
    passedOn: ["invalidMetricCondition.Type", "invalidMetricCondition.Reason", "reason"],
  },
  {
    ...NOTHING,
    kind: "policy/PodDisruptionBudget",
    files: [],
    also: [
      {
        file: { module: "api", path: "policy/v1/types.go" },
        type: "DisruptionAllowed",
        status: "False",
        reasons: ["SyncFailedReason", "InsufficientPodsReason"],
      },
      { file: { module: "api", path: "policy/v1/types.go" }, type: "DisruptionAllowed", status: "True", reasons: ["SufficientPodsReason"] },
    ],
  },
  {
    ...NOTHING,
    kind: "/Node",
    types: ["NodeConditionType"],
    struct: "NodeCondition",
    files: [of("kubelet/nodestatus/setters.go"), { module: "cloud", path: "controllers/route/route_controller.go" }],
    also: ["Ready", "MemoryPressure", "DiskPressure", "PIDPressure"].map((type) => ({
      file: of("controller/nodelifecycle/node_lifecycle_controller.go"),
      type,
      status: "Unknown",
      reasons: ["NodeStatusNeverUpdated", "NodeStatusUnknown"],
    })),
  },
  {
    ...NOTHING,
    kind: "/Namespace",
    types: ["NamespaceConditionType"],
    phases: ["NamespacePhase"],
    struct: "NamespaceCondition",
    files: [of("controller/namespace/deletion/status_condition_utils.go")],
    also: [
      ["NamespaceDeletionDiscoveryFailure", "ResourcesDiscovered"],
      ["NamespaceDeletionGroupVersionParsingFailure", "ParsedGroupVersions"],
      ["NamespaceDeletionContentFailure", "ContentDeleted"],
      ["NamespaceContentRemaining", "ContentRemoved"],
      ["NamespaceFinalizersRemaining", "ContentHasNoFinalizers"],
    ].map(([type = "", reason = ""]) => ({
      file: of("controller/namespace/deletion/status_condition_utils.go"),
      type,
      status: "False",
      reasons: [reason],
    })),
    passedOn: ["conditionType", "okReasons[conditionType]"],
  },
  {
    ...NOTHING,
    kind: "apiextensions.k8s.io/CustomResourceDefinition",
    types: ["CustomResourceDefinitionConditionType"],
    struct: "CustomResourceDefinitionCondition",
    files: [
      "pkg/controller/status/naming_controller.go",
      "pkg/controller/establish/establishing_controller.go",
      "pkg/controller/finalizer/crd_finalizer.go",
      "pkg/controller/apiapproval/apiapproval_controller.go",
      "pkg/controller/nonstructuralschema/nonstructuralschema_controller.go",
      "pkg/registry/customresourcedefinition/etcd.go",
    ].map((path) => ({ module: "extensions" as const, path })),
    also: [
      {
        file: of("controller/storageversionmigrator/migrationrunner.go"),
        type: "StorageMigrating",
        status: "True",
        reasons: ["MigrationRunning"],
      },
      {
        file: of("controller/storageversionmigrator/migrationrunner.go"),
        type: "StorageMigrating",
        status: "False",
        reasons: ["MigrationSucceeded", "MigrationFailed"],
      },
    ],
  },
  {
    ...NOTHING,
    kind: "apiregistration.k8s.io/APIService",
    types: ["APIServiceConditionType"],
    struct: "APIServiceCondition",
    files: [
      "pkg/controllers/status/remote/remote_available_controller.go",
      "pkg/controllers/status/local/local_available_controller.go",
      "pkg/apis/apiregistration/v1/helper/helpers.go",
    ].map((path) => ({ module: "aggregator" as const, path })),
  },
];

/** Files of constants that belong to a module as a whole. */
export const CONSTANT_FILES: readonly SourceFile[] = [
  ...["core/v1", "apps/v1", "batch/v1", "autoscaling/v2", "policy/v1"].map((path) => ({
    module: "api" as const,
    path: `${path}/types.go`,
  })),
  of("controller/deployment/util/deployment_util.go"),
  of("kubelet/status/generate.go"),
  { module: "extensions", path: "pkg/apis/apiextensions/v1/types.go" },
  { module: "aggregator", path: "pkg/apis/apiregistration/v1/types.go" },
];

function of(path: string): SourceFile {
  return { module: "kubernetes", path: `pkg/${path}` };
}

function replicaFailure(): Also {
  return {
    file: of("controller/replicaset/replica_set_utils.go"),
    type: "ReplicaFailure",
    status: "True",
    reasons: ["FailedCreate", "FailedDelete"],
  };
}
