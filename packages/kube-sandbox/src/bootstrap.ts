import type { ApiObject } from "./api-object.ts";
import { timestampOf } from "./api-object.ts";
import { readDataLines } from "./data-files.ts";
import type { ObjectWriter } from "./object-writer.ts";
import { splitGroupVersion } from "./resource-registry.ts";

/** What a fresh cluster holds: namespaces, nodes, roles, a default StorageClass, the `kubernetes` Service. */
export function bootstrapCluster(writer: ObjectWriter, nodes: number): void {
  const add = (object: Readonly<Record<string, unknown>>): void => addObject(writer, object);
  for (const name of ["default", "kube-system", "kube-public", "kube-node-lease"])
    add({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const line of readDataLines("cluster-roles.jsonl")) add({ apiVersion: "rbac.authorization.k8s.io/v1", ...line });
  add({
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "sandbox.local/memory",
  });
  for (const [name, value] of [
    ["system-cluster-critical", 2_000_000_000],
    ["system-node-critical", 2_000_001_000],
  ]) {
    add({ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value, preemptionPolicy: "PreemptLowerPriority" });
  }
  for (let index = 1; index <= nodes; index += 1) add(nodeOf(`sandbox-${index}`, timestampOf(writer.clock.now())));
  const labels = { component: "apiserver", provider: "kubernetes" };
  add({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kubernetes", namespace: "default", labels },
    spec: { clusterIP: "10.96.0.1", ports: [{ name: "https", port: 443, targetPort: 6443, protocol: "TCP" }] },
  });
}

/** Creates an object that this program brings along. @throws for one whose kind is not served */
export function addObject(writer: ObjectWriter, object: Readonly<Record<string, unknown>>): void {
  // The objects of this program and data/cluster-roles.jsonl are API objects.
  const typed = object as unknown as ApiObject;
  const [group, version] = splitGroupVersion(typed.apiVersion);
  const of = writer.registry.findKind(group, typed.kind, version);
  if (!of) throw new Error(`no resource for ${typed.apiVersion} ${typed.kind}`);
  writer.create(of, typed);
}

function nodeOf(name: string, now: string): Record<string, unknown> {
  const condition = (type: string, status: string, reason: string): Record<string, string> => ({
    type,
    status,
    reason,
    message: "",
    lastHeartbeatTime: now,
    lastTransitionTime: now,
  });
  const capacity = { cpu: "64", memory: "256Gi", pods: "2000", "ephemeral-storage": "1Ti" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "node-role.kubernetes.io/worker": "",
      },
    },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      addresses: [
        { type: "InternalIP", address: "127.0.0.1" },
        { type: "Hostname", address: name },
      ],
      conditions: [
        condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
        condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
        condition("PIDPressure", "False", "KubeletHasSufficientPID"),
        condition("Ready", "True", "KubeletReady"),
      ],
      nodeInfo: {
        architecture: "amd64",
        operatingSystem: "linux",
        kubeletVersion: "v1.36.3",
        kubeProxyVersion: "",
        containerRuntimeVersion: "sandbox://1.0.0",
        kernelVersion: "6.12.0",
        osImage: "Sandbox OS",
        bootID: "",
        machineID: "",
        systemUUID: "",
      },
    },
  };
}
