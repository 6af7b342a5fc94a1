import { fieldsAt, groupOf, isFields, listAt, textAt, type Fields, type KubeObject } from "@binnacle/kube";

import { autoscalerDetails } from "./autoscaler.ts";
import { cronJobDetails, jobDetails } from "./batch.ts";
import { budgetDetails } from "./budget.ts";
import type { DetailRule, Details, Row } from "../detail-parts/details.ts";
import { gatewayDetails, routeDetails } from "./gateway.ts";
import { ingressDetails } from "./ingress.ts";
import { keysDetails } from "./keys.ts";
import { networkPolicyDetails } from "./network-policy.ts";
import { nodeDetails } from "./node.ts";
import { podDetails } from "./pod.ts";
import { limitRangeDetails, quotaDetails } from "./quota.ts";
import { roleBindingDetails, roleDetails, serviceAccountDetails } from "./rights.ts";
import { link, plain, row } from "../detail-parts/rows.ts";
import { endpointSliceDetails, serviceDetails } from "./service.ts";
import { claimDetails, storageClassDetails, volumeDetails } from "./storage.ts";
import { daemonSetDetails, deploymentDetails, replicaSetDetails, statefulSetDetails } from "./workload.ts";

const RULES: ReadonlyMap<string, DetailRule> = new Map(
  Object.entries({
    "/Pod": podDetails,
    "apps/Deployment": deploymentDetails,
    "apps/StatefulSet": statefulSetDetails,
    "apps/DaemonSet": daemonSetDetails,
    "apps/ReplicaSet": replicaSetDetails,
    "/ReplicationController": replicaSetDetails,
    "batch/Job": jobDetails,
    "batch/CronJob": cronJobDetails,
    "/Service": serviceDetails,
    "discovery.k8s.io/EndpointSlice": endpointSliceDetails,
    "networking.k8s.io/Ingress": ingressDetails,
    "networking.k8s.io/NetworkPolicy": networkPolicyDetails,
    "gateway.networking.k8s.io/Gateway": gatewayDetails,
    "gateway.networking.k8s.io/HTTPRoute": routeDetails,
    "gateway.networking.k8s.io/GRPCRoute": routeDetails,
    "gateway.networking.k8s.io/TCPRoute": routeDetails,
    "gateway.networking.k8s.io/TLSRoute": routeDetails,
    "/ConfigMap": keysDetails,
    "/Secret": keysDetails,
    "/PersistentVolumeClaim": claimDetails,
    "/PersistentVolume": volumeDetails,
    "storage.k8s.io/StorageClass": storageClassDetails,
    "autoscaling/HorizontalPodAutoscaler": autoscalerDetails,
    "policy/PodDisruptionBudget": budgetDetails,
    "/ResourceQuota": quotaDetails,
    "/LimitRange": limitRangeDetails,
    "/ServiceAccount": serviceAccountDetails,
    "rbac.authorization.k8s.io/Role": roleDetails,
    "rbac.authorization.k8s.io/ClusterRole": roleDetails,
    "rbac.authorization.k8s.io/RoleBinding": roleBindingDetails,
    "rbac.authorization.k8s.io/ClusterRoleBinding": roleBindingDetails,
    "/Node": nodeDetails,
  }),
);

const NONE: Details = { facts: [], sections: [] };

/** Kinds that have details of their own, as "group/Kind". */
export const DETAILED_KINDS: readonly string[] = [...RULES.keys()];

/** What there is to know of an object beside itself. */
export interface DetailContext {
  /** It is a Secret, whatever kind it states: only its keys are shown. */
  readonly isSecret: boolean;
  readonly nowMs: number;
  /** EndpointSlices of a Service; absent: not known. */
  readonly related?: readonly KubeObject[] | undefined;
}

/**
 * What an object says of itself, in the words of its kind, with its owner. Never throws, never mutates, never looks at the clock.
 *
 * @param shown the object as it is shown: masked values are in no detail
 * @param object the same as the cluster sent it: of its values only the sizes are looked at
 */
export function detailsOf(shown: KubeObject, object: KubeObject, { isSecret, nowMs, related }: DetailContext): Details {
  try {
    const fields: Fields = shown;
    const namespace = textAt(fields["metadata"], "namespace");
    const rule = isSecret ? keysDetails : RULES.get(`${groupOf(textAt(fields, "apiVersion"))}/${textAt(fields, "kind")}`);
    const { facts = [], sections = [] } =
      rule?.({
        object: fields,
        metadata: fieldsAt(fields, "metadata"),
        spec: fieldsAt(fields, "spec"),
        status: fieldsAt(fields, "status"),
        namespace,
        nowMs,
        related,
        sizes: valueSizes(object, { isSecret }),
      }) ?? NONE;
    return {
      facts: [...ownerRows(fieldsAt(fields, "metadata"), namespace), ...facts, ...finalizerRows(fieldsAt(fields, "metadata"))],
      sections,
    };
  } catch {
    // An object of no shape that anybody knows: its YAML is there.
    return NONE;
  }
}

function ownerRows(metadata: Fields, namespace: string): Row[] {
  const owners = listAt(metadata, "ownerReferences").filter(isFields);
  return row(
    "detail/owner",
    ...owners.map((owner) =>
      link({ group: groupOf(textAt(owner, "apiVersion")), kind: textAt(owner, "kind"), name: owner["name"], namespace }),
    ),
  );
}

/** What holds an object that is being deleted. */
function finalizerRows(metadata: Fields): Row[] {
  return textAt(metadata, "deletionTimestamp") === ""
    ? []
    : row("detail/finalizers", ...listAt(metadata, "finalizers").map((each) => plain(each)));
}

/** Bytes of each value of an object with data, by its key; nothing of the values. What is base64 counts as what it stands for. */
function valueSizes(object: KubeObject, { isSecret }: { readonly isSecret: boolean }): ReadonlyMap<string, number> {
  const plain = isSecret ? [] : Object.entries(fieldsAt(object, "data")).map(([key, value]) => [key, textSize(value)] as const);
  const encoded = Object.entries(fieldsAt(object, isSecret ? "data" : "binaryData"));
  return new Map([...plain, ...encoded.map(([key, value]) => [key, base64Size(value)] as const)]);
}

function textSize(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value) : 0;
}

function base64Size(value: unknown): number {
  return typeof value === "string" ? Buffer.byteLength(value, "base64") : 0;
}
