import { fieldsAt, groupOf, keyOf, listAt, textAt, type KubeObject } from "@binnacle/kube";

import { bareToken, claimToken, definitionToken, keyToken, uidToken, type Reference } from "./reference.ts";
import { bindingReferences, certificateReferences } from "./references/access-references.ts";
import { gatewayReferences, routeReferences } from "./references/gateway-references.ts";
import {
  budgetReferences,
  endpointSliceReferences,
  ingressReferences,
  networkPolicyReferences,
  serviceReferences,
} from "./references/network-references.ts";
import { ownerReferences } from "./references/owner-references.ts";
import { claimReferences } from "./references/storage-references.ts";
import { autoscalerReferences, cronJobReferences, podReferences, templateReferences } from "./references/workload-references.ts";

type ReferenceReader = (object: KubeObject) => Reference[];

const READERS: ReadonlyMap<string, ReferenceReader> = new Map(
  Object.entries({
    "/Pod": podReferences,
    "apps/Deployment": templateReferences,
    "apps/StatefulSet": templateReferences,
    "apps/DaemonSet": templateReferences,
    "batch/Job": templateReferences,
    "batch/CronJob": cronJobReferences,
    "autoscaling/HorizontalPodAutoscaler": autoscalerReferences,
    "/Service": serviceReferences,
    "discovery.k8s.io/EndpointSlice": endpointSliceReferences,
    "networking.k8s.io/Ingress": ingressReferences,
    "networking.k8s.io/NetworkPolicy": networkPolicyReferences,
    "policy/PodDisruptionBudget": budgetReferences,
    "/PersistentVolumeClaim": claimReferences,
    "gateway.networking.k8s.io/Gateway": gatewayReferences,
    "gateway.networking.k8s.io/HTTPRoute": routeReferences,
    "gateway.networking.k8s.io/GRPCRoute": routeReferences,
    "gateway.networking.k8s.io/TLSRoute": routeReferences,
    "gateway.networking.k8s.io/TCPRoute": routeReferences,
    "gateway.networking.k8s.io/UDPRoute": routeReferences,
    "rbac.authorization.k8s.io/RoleBinding": bindingReferences,
    "rbac.authorization.k8s.io/ClusterRoleBinding": bindingReferences,
    "cert-manager.io/Certificate": certificateReferences,
  }),
);

/** Everything an object refers to, read from its own fields; odd shapes refer to nothing. */
export function referencesOf(object: KubeObject): Reference[] {
  const reader = READERS.get(`${groupOf(object.apiVersion)}/${object.kind}`);
  const owners = ownerReferences(object);
  return reader === undefined ? owners : [...owners, ...reader(object)];
}

/** Names under which others may refer to the object. */
export function tokensOf(object: KubeObject): string[] {
  const key = keyOf(object);
  const uid = textAt(object.metadata, "uid");
  const tokens = [keyToken(key), uid === "" ? bareToken(key) : uidToken(uid)];
  const spec = fieldsAt(object, "spec");
  if (key.kind === "StatefulSet" && key.group === "apps") {
    for (const template of listAt(spec, "volumeClaimTemplates")) {
      const name = textAt(fieldsAt(template, "metadata"), "name");
      if (name !== "") tokens.push(claimToken(key.namespace, `${name}-${key.name}`));
    }
  }
  if (key.kind === "CustomResourceDefinition" && key.group === "apiextensions.k8s.io") {
    tokens.push(definitionToken(textAt(spec, "group"), textAt(fieldsAt(spec, "names"), "kind")));
  }
  return tokens;
}
