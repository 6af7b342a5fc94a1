import type { Catalogue } from "../catalogue.ts";

/** Messages about scheduling, nodes and the lifecycle of objects. */
export const HEALTH_SCHEDULING = {
  // Pods that no node takes. Facts: pod, requests, arithmetic, said, claims, labels, topology, volumes (volume, claim, where).
  "scheduling/resources":
    "No node has room for pod {pod}{has_requests, select, no {} other {, which requests {requests}}}{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/resources/next":
    "Add nodes or free capacity, or lower the requests of pod {pod}{has_requests, select, no {} other { ({requests})}}.",
  "scheduling/taint": "Taints keep pod {pod} off the nodes{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/taint/next": "Give the pod a toleration for the taint, remove the taint, or add nodes without it.",
  "scheduling/affinity":
    "No node matches what pod {pod} demands of nodes and neighbours{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/affinity/next": "Correct nodeSelector, affinity or topologySpreadConstraints of the pod, or label a node to match.",
  "scheduling/anti-affinity":
    "No node is left for pod {pod}, which must not run beside certain pods{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/anti-affinity/next": "Run fewer replicas than nodes, add a node, or make the anti-affinity of the pods a preference.",
  "scheduling/labels":
    "No node matches what pod {pod} demands, which is {labels} by its nodeSelector{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/labels/next": "Label a node {labels}, or correct the nodeSelector of the pod; its nodeAffinity, if it has one, counts too.",
  "scheduling/open-labels":
    "None of the nodes that are open to pod {pod} matches what it demands, which is {labels} by its nodeSelector{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/open-labels/next":
    "Label a node {labels}, or correct the nodeSelector of the pod; the scheduler does not report the labels of nodes that have a taint or are cordoned.",
  "scheduling/topology-label":
    "Nodes lack {count, plural, one {the label} other {one of the labels}} {topology} by which pod {pod} is to be spread{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/topology-label/next": "Label the nodes with {topology}, or correct topologyKey in topologySpreadConstraints of the pod.",
  "scheduling/cordoned":
    "The nodes that pod {pod} could use are cordoned or not ready{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/cordoned/next": "Uncordon a node (kubectl uncordon) or bring the nodes back.",
  "scheduling/ports": "The host ports of pod {pod} are taken on every node{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/ports/next": "Remove hostPort from the pod, or run fewer replicas than nodes.",
  "scheduling/volume-affinity":
    "No node that could run pod {pod} reaches its volume{has_volumes, select, no {} other { {volumes}}}{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/volume-affinity/next": "Add or bring back a node that reaches the volume, or restore its data into a new claim elsewhere.",
  "scheduling/volume":
    "{volume} of PersistentVolumeClaim {claim}{has_where, select, no {} other {, which only nodes with {where} reach}}{has_node, select, no {} other {, which was made for node {node}}}",
  "scheduling/unbound-claim": "Pod {pod} waits for a volume: {claims} is not bound",
  "scheduling/unbound-claim/next": "Make the claim bind: check its storage class, its size and its provisioner.",
  "scheduling/no-nodes": "There is no node that could run pod {pod}",
  "scheduling/no-nodes/next": "Add a node to the cluster.",
  "scheduling/gated":
    "Scheduling gates hold pod {pod} back{has_gates, select, no {} other {: {gates}}}{has_said, select, no {} other {: {said}}}",
  "scheduling/gated/next": "Check the controller that removes spec.schedulingGates{has_gates, select, no {} other { {gates}}} of the pod.",
  "scheduling/resize-deferred": "Pod {pod} waits for room on its node to get its new resources{has_said, select, no {} other {: {said}}}",
  "scheduling/resize-deferred/next": "Free room on its node, or delete pod {pod} so that its owner makes it anew elsewhere.",
  "scheduling/resize-infeasible": "Pod {pod} cannot get its new resources where it runs{has_said, select, no {} other {: {said}}}",
  "scheduling/resize-infeasible/next": "Ask for what the node can give, or delete pod {pod} so that its owner makes it anew.",
  "scheduling/resize-failed": "The resources of pod {pod} could not be changed{has_said, select, no {} other {: {said}}}",
  "scheduling/resize-failed/next": "Delete pod {pod} so that its owner makes it anew with its new resources.",
  "scheduling/other": "No node takes pod {pod}{has_arithmetic, select, no {} other {: {arithmetic}}}",
  "scheduling/other/next": "Compare what the pod demands with what the nodes offer.",
  "scheduling/sum": "of {total, plural, one {{total} node} other {{total} nodes}}, {parts}",
  "scheduling/part/resource": "{count, plural, one {{count} has} other {{count} have}} too little {what} free",
  "scheduling/part/pods": "{count, plural, one {{count} has} other {{count} have}} no room for one more pod",
  "scheduling/part/volumes": "{count, plural, one {{count} has} other {{count} have}} no room for one more volume",
  "scheduling/part/taint": "{count, plural, one {{count} has} other {{count} have}} the taint {what}",
  "scheduling/part/any-taint": "{count, plural, one {{count} has} other {{count} have}} a taint",
  "scheduling/part/volume-affinity": "{count, plural, one {{count} has} other {{count} have}} no way to its volume",
  "scheduling/part/no-volume": "{count, plural, one {{count} has} other {{count} have}} no volume for it",
  "scheduling/part/labels": "{count, plural, one {{count} has} other {{count} have}} other labels than it demands",
  "scheduling/part/anti-affinity": "{count, plural, one {{count} has} other {{count} have}} a pod that it must not run beside",
  "scheduling/part/affinity": "{count, plural, one {{count} has} other {{count} have}} no pod that it must run beside",
  "scheduling/part/others-anti-affinity":
    "{count, plural, one {{count} has} other {{count} have}} a pod that does not want it beside itself",
  "scheduling/part/spread": "{count, plural, one {{count} has} other {{count} have}} enough of its replicas in their zone",
  "scheduling/part/spread-label": "{count, plural, one {{count} lacks} other {{count} lack}} a label that its replicas are spread by",
  "scheduling/part/cordoned": "{count, plural, one {{count} has} other {{count} have}} been cordoned",
  "scheduling/part/not-ready": "{count, plural, one {{count} has} other {{count} have}} not reported that they are ready",
  "scheduling/part/ports": "{count, plural, one {{count} has} other {{count} have}} its host port in use",
  "scheduling/claim": "PersistentVolumeClaim {names}",
  "scheduling/its-claim": "its PersistentVolumeClaim",
  // Health of what belongs to the cluster itself. Facts: condition.
  "node/not-reported-ready": "The node does not report that it is ready",
  "node/reports": "The node reports {condition}",
  "node/takes-no-pods": "The node is cordoned: it takes no new pods",
  "node/ready": "The node is ready",
  "namespace/active": "The namespace is active",
  "namespace/terminating": "The namespace is being removed",
  "api-service/available": "The API is available",
  "api-service/waiting": "Waiting for the API to become available",
  "custom-resource-definition/terminating": "The definition is being removed",
  "custom-resource-definition/established": "The kind is served",
  "custom-resource-definition/installing": "The kind is not served yet",
  // Nodes. Facts: name, said, reason, pod.
  "node/not-ready": "Node {name} is not ready{has_said, select, no {} other {: {said}}}",
  "node/not-ready/next": "Check the machine and the kubelet of node {name}; drain it if it does not come back.",
  "node/pressure": "Node {name} runs short ({reason}){has_said, select, no {} other {: {said}}}",
  "node/pressure/next": "Free what node {name} lacks, or move pods away from it.",
  "node/cordoned": "Node {name} is cordoned and takes no new pods",
  "node/cordoned/next": "Uncordon node {name} (kubectl uncordon {name}) when its maintenance is over.",
  "node/lost": "The node{has_name, select, no {} other { {name}}} of pod {pod} is not ready{has_said, select, no {} other {: {said}}}",
  "node/lost/next":
    "Check the machine and the kubelet{has_name, select, no {} other { of node {name}}}. This is known from pods alone: the conditions of the node need the right to list and watch nodes.",
  // Objects that go, wait or are paused. Facts: kind, name, namespace, finalizers, said, node, since.
  "lifecycle/finalizers": "{kind} {name} is being deleted and waits for finalizers: {finalizers}",
  "lifecycle/finalizers/next": "Check that the controller behind {finalizers} runs; remove the finalizer by hand only when it never will.",
  "lifecycle/terminating": "{kind} {name} is being deleted",
  "lifecycle/terminating/next":
    "Wait for it to end; if it stays, look at what it owns and, for a pod, at its node{has_node, select, no {} other { {node}}}.",
  "lifecycle/overdue": "{kind} {name} is being deleted and should be gone by now",
  "lifecycle/overdue/next":
    "Look at what {kind} {name} owns and, for a pod, check that the kubelet of its node{has_node, select, no {} other { {node}}} works.",
  "lifecycle/overdue-pod":
    "Pod {name} is being deleted, its grace period ended at {time} UTC, and the kubelet{has_node, select, no {} other { of node {node}}} has not confirmed that it is gone",
  "lifecycle/overdue-pod/next":
    "Check that the kubelet{has_node, select, no {} other { of node {node}}} works; only when its node will never come back: kubectl delete pod{has_namespace, select, no {} other { -n {namespace}}} {name} --force.",
  "lifecycle/namespace": "Namespace {name} is being deleted{has_said, select, no {} other {: {said}}}",
  "lifecycle/namespace/next": "Remove what is left in namespace {name}; the conditions of the namespace name it.",
  "lifecycle/not-observed": "The controller of {kind} {name} has not processed its latest change yet",
  "lifecycle/not-observed/next": "Wait; if it stays so, check that the controller of {kind} runs.",
  "lifecycle/suspended": "{kind} {name} is paused on purpose{has_said, select, no {} other {: {said}}}",
  "lifecycle/suspended/next": "Resume {kind} {name} when it should work again.",
  "lifecycle/evicted": "Pod {pod} was evicted{has_node, select, no {} other { from node {node}}}{has_said, select, no {} other {: {said}}}",
  "lifecycle/evicted/next": "Free the resource that the node lacks, set requests that match the use, then delete the evicted pod.",
  "lifecycle/preempted": "Pod {pod} had to make room for a pod of higher priority{has_said, select, no {} other {: {said}}}",
  "lifecycle/preempted/next": "Add capacity, or give pod {pod} a higher PriorityClass.",
  "lifecycle/shutdown":
    "Pod {pod} was ended because its node{has_node, select, no {} other { {node}}} was shut down{has_said, select, no {} other {: {said}}}",
  "lifecycle/shutdown/next":
    "Delete the pod when its owner has made a new one, and check that node{has_node, select, no {} other { {node}}} comes back.",
  "lifecycle/left-behind":
    "{kind} {name} has replaced {count, plural, one {a pod that ended} other {{count} pods that ended}}{has_reasons, select, no {} other { ({reasons})}}, and what is left of {count, plural, one {it} other {them}} is still there",
  "lifecycle/left-behind/next":
    "Delete {count, plural, one {it} other {them}} when {count, plural, one {it is} other {they are}} no longer needed: kubectl delete pod{has_namespace, select, no {} other { -n {namespace}}} --field-selector status.phase=Failed{has_selector, select, no {} other { -l {selector}}}.",
} as const satisfies Catalogue;
