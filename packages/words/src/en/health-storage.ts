import type { Catalogue } from "../catalogue.ts";

/** Messages about volumes, claims, and references to objects that do not exist. */
export const HEALTH_STORAGE = {
  // Health of volumes and of claims to them. Facts: phase.
  "persistent-volume-claim/bound": "The claim is bound",
  "persistent-volume-claim/lost": "The volume of the claim is lost",
  "persistent-volume-claim/waits-for-consumer": "The claim waits for its first consumer",
  "persistent-volume-claim/pending": "The claim is not bound yet",
  "persistent-volume/there": "The volume is there",
  "persistent-volume/pending": "The volume is pending",
  "persistent-volume/available": "The volume is available",
  "persistent-volume/bound": "The volume is bound",
  "persistent-volume/released": "The volume is released",
  "persistent-volume/phase": "The volume is {phase}",
  "persistent-volume/failed": "The volume could not be reclaimed",
  // Claims, volumes and mounts. Facts: name, pod, node, volume, class, size, said, reason.
  "storage/provisioning-failed": "No volume can be made for PersistentVolumeClaim {name}{has_said, select, no {} other {: {said}}}",
  "storage/provisioning-failed/next":
    "Correct what the provisioner names: quota, zone, size or parameters of the storage class{has_class, select, no {} other { {class}}}.",
  "storage/no-volume":
    "No volume fits PersistentVolumeClaim {name}{has_size, select, no {} other { ({size})}}, and no storage class makes one",
  "storage/no-volume/next": "Set a storageClassName that makes volumes, or create a PersistentVolume that fits.",
  "storage/waits-for-provisioner": "PersistentVolumeClaim {name} waits for its provisioner{has_said, select, no {} other {: {said}}}",
  "storage/waits-for-provisioner/next": "Check that the provisioner{has_class, select, no {} other { of storage class {class}}} runs.",
  "storage/pending": "PersistentVolumeClaim {name} is not bound yet",
  "storage/pending/next": "Read the events of the claim, and check its storage class{has_class, select, no {} other { {class}}}.",
  "storage/waits-for-consumer": "PersistentVolumeClaim {name} waits for the first pod that mounts it",
  "storage/waits-for-consumer/next": "Start a pod that mounts the claim, or delete the claim if it is not needed.",
  "storage/lost": "PersistentVolumeClaim {name} has lost its volume{has_volume, select, no {} other { {volume}}}",
  "storage/lost/next":
    "Restore the volume{has_volume, select, no {} other { {volume}}} or the data from a backup, then create the claim anew.",
  "storage/volume-failed": "PersistentVolume {name} could not be reclaimed{has_said, select, no {} other {: {said}}}",
  "storage/volume-failed/next": "Remove the storage behind volume {name} by hand, then delete the volume.",
  "storage/resize-failed": "The volume of PersistentVolumeClaim {name} could not be enlarged{has_said, select, no {} other {: {said}}}",
  "storage/resize-failed/next": "Correct what the message names, or request a size that the storage supports.",
  "storage/resize-waits-for-pod": "The file system of PersistentVolumeClaim {name} gets its new size when a pod mounts it",
  "storage/resize-waits-for-pod/next": "Start a pod that mounts the claim, or restart the one that does.",
  "storage/modify-failed":
    "The volume of PersistentVolumeClaim {name} could not get its new attributes{has_said, select, no {} other {: {said}}}",
  "storage/modify-failed/next": "Correct volumeAttributesClassName of the claim, or the class that it names.",
  "storage/mount-failed": "A volume of pod {pod} cannot be mounted{has_said, select, no {} other {: {said}}}",
  "storage/mount-failed/next":
    "Check the volume that the message names, and the storage driver on the node{has_node, select, no {} other { {node}}}.",
  "storage/multi-attach": "A volume of pod {pod} is still attached to another node{has_said, select, no {} other {: {said}}}",
  "storage/multi-attach/next": "Delete the pod that still uses the volume, or use a volume that several nodes may mount.",
  // References to objects that do not exist. Facts: kind, name, namespace, key, by, maker.
  "reference/config-map": "ConfigMap {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/config-map/next": "Create ConfigMap {name} in namespace {namespace}, or correct the name where it is used.",
  "reference/secret": "Secret {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/secret/next": "Create Secret {name} in namespace {namespace}, or correct the name where it is used.",
  "reference/key": "{kind} {name} has no key {key}{has_by, select, no {} other {; {by} needs it}}",
  "reference/key/next": "Add key {key} to {kind} {name}, or correct the key where it is used.",
  "reference/claim": "PersistentVolumeClaim {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/claim/next": "Create PersistentVolumeClaim {name} in namespace {namespace}, or correct claimName where it is used.",
  "reference/service-account": "ServiceAccount {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/service-account/next": "Create ServiceAccount {name} in namespace {namespace}, or correct serviceAccountName.",
  "reference/service": "Service {name} does not exist{has_by, select, no {} other {; {by} sends its traffic there}}",
  "reference/service/next":
    "Create Service {name} in namespace {namespace}, or correct the backend{has_by, select, no {} other { of {by}}}.",
  "reference/storage-class": "StorageClass {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/storage-class/next": "Create StorageClass {name}, or make the claim anew with a class that exists.",
  "reference/priority-class": "PriorityClass {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/priority-class/next": "Create PriorityClass {name}, or correct priorityClassName in the pod template.",
  "reference/runtime-class": "RuntimeClass {name} does not exist{has_by, select, no {} other {; {by} needs it}}",
  "reference/runtime-class/next": "Create RuntimeClass {name}, or correct runtimeClassName in the pod template.",
  "reference/made": "{kind} {name} does not exist yet; {maker} makes it{has_by, select, no {} other {, and {by} needs it}}",
  "reference/made/next": "Find out why {maker} has not made {kind} {name}; do not create it by hand.",
  "reference/other": "{kind} {name} does not exist{has_by, select, no {} other {; {by} refers to it}}",
  "reference/other/next": "Create {kind} {name}{has_namespace, select, no {} other { in namespace {namespace}}}, or correct the reference.",
} as const satisfies Catalogue;
