import type { WordTable } from "./words.ts";

/** Claims, volumes and mounts. Facts: name, pod, node, volume, class, size, said, reason. */
export const STORAGE_WORDS = {
  "provisioning-failed": {
    reason: "ProvisioningFailed",
    message: "No volume can be made for PersistentVolumeClaim {name}[: {said}]",
    nextStep: "Correct what the provisioner names: quota, zone, size or parameters of the storage class[ {class}].",
  },
  "no-volume": {
    reason: "NoMatchingVolume",
    message: "No volume fits PersistentVolumeClaim {name}[ ({size})], and no storage class makes one",
    nextStep: "Set a storageClassName that makes volumes, or create a PersistentVolume that fits.",
  },
  "waits-for-provisioner": {
    reason: "ExternalProvisioning",
    message: "PersistentVolumeClaim {name} waits for its provisioner[: {said}]",
    nextStep: "Check that the provisioner of storage class {class} runs.",
  },
  pending: {
    reason: "Pending",
    message: "PersistentVolumeClaim {name} is not bound yet",
    nextStep: "Read the events of the claim, and check its storage class[ {class}].",
  },
  "waits-for-consumer": {
    reason: "WaitForFirstConsumer",
    message: "PersistentVolumeClaim {name} waits for the first pod that mounts it",
    nextStep: "Start a pod that mounts the claim, or delete the claim if nobody needs it.",
  },
  lost: {
    reason: "Lost",
    message: "PersistentVolumeClaim {name} has lost its volume[ {volume}]",
    nextStep: "Restore volume {volume} or the data from a backup, then create the claim anew.",
  },
  "volume-failed": {
    message: "PersistentVolume {name} could not be reclaimed[: {said}]",
    nextStep: "Remove the storage behind volume {name} by hand, then delete the volume.",
  },
  "mount-failed": {
    message: "A volume of pod {pod} cannot be mounted[: {said}]",
    nextStep: "Check the volume that the message names, and the storage driver on the node[ {node}].",
  },
  "multi-attach": {
    message: "A volume of pod {pod} is still attached to another node[: {said}]",
    nextStep: "Delete the pod that still uses the volume, or use a volume that several nodes may mount.",
  },
} as const satisfies WordTable;
