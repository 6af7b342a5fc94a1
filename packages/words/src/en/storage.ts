import type { Catalogue } from "../catalogue.ts";

/** Claims, volumes and mounts. Facts: name, pod, node, volume, class, size, said, reason. */
export const STORAGE = {
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
  "storage/resize-failed/next": "Correct what the message names, or ask for a size that the storage can give.",
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
} as const satisfies Catalogue;
