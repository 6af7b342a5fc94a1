import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";

import type { Details, DetailInput, Item } from "../detail-parts/details.ts";
import { link, pairsOf, plain, row, saying, scalarText, section } from "../detail-parts/rows.ts";

const GROUP = "storage.k8s.io";

/** What is claimed, what was given for it, and from where. */
export function claimDetails({ spec, status, namespace }: DetailInput): Partial<Details> {
  const [wanted, given] = [fieldsAt(fieldsAt(spec, "resources"), "requests"), fieldsAt(status, "capacity")];
  const phase = textAt(status, "phase");
  const facts = [
    ...row("detail/phase", plain(phase, phase === "Bound" ? "good" : phase === "Lost" ? "bad" : "busy")),
    ...row("detail/claimed", plain(wanted["storage"])),
    ...row("detail/capacity", plain(given["storage"])),
    ...row("detail/access-modes", ...listAt(spec, "accessModes").map((mode) => plain(mode))),
    ...row("detail/storage-class", classItem(spec, namespace)),
    ...row("detail/volume", link({ kind: "PersistentVolume", name: spec["volumeName"], namespace })),
    ...row("detail/volume-mode", plain(spec["volumeMode"])),
    ...row(
      "detail/made-from",
      sourceItem(fieldsAt(spec, "dataSourceRef"), namespace) ?? sourceItem(fieldsAt(spec, "dataSource"), namespace),
    ),
  ];
  return { facts };
}

/** A volume, who claims it, and what becomes of it. */
export function volumeDetails({ spec, status, namespace }: DetailInput): Partial<Details> {
  const claim = fieldsAt(spec, "claimRef");
  const phase = textAt(status, "phase");
  const facts = [
    ...row("detail/phase", plain(phase, phase === "Failed" ? "bad" : phase === "Released" ? "busy" : undefined)),
    ...row("detail/capacity", plain(fieldsAt(spec, "capacity")["storage"])),
    ...row("detail/claim", link({ kind: "PersistentVolumeClaim", name: claim["name"], namespace: textAt(claim, "namespace") })),
    ...row("detail/access-modes", ...listAt(spec, "accessModes").map((mode) => plain(mode))),
    ...row("detail/reclaim-policy", plain(spec["persistentVolumeReclaimPolicy"])),
    ...row("detail/storage-class", classItem(spec, namespace)),
    ...row("detail/volume-mode", plain(spec["volumeMode"])),
    ...row("detail/driver", plain(fieldsAt(spec, "csi")["driver"])),
  ];
  return { facts };
}

/** Who makes volumes of a class, and how. */
export function storageClassDetails({ object, metadata }: DetailInput): Partial<Details> {
  const isDefault = fieldsAt(metadata, "annotations")["storageclass.kubernetes.io/is-default-class"] === "true";
  const facts = [
    ...row("detail/provisioner", plain(object["provisioner"])),
    ...row("detail/is-default", saying(isDefault ? "detail/yes" : "detail/no")),
    ...row("detail/reclaim-policy", plain(textAt(object, "reclaimPolicy") || "Delete")),
    ...row("detail/binding", plain(textAt(object, "volumeBindingMode") || "Immediate")),
    ...row("detail/may-grow", saying(object["allowVolumeExpansion"] === true ? "detail/yes" : "detail/no")),
    ...row("detail/mount-options", ...listAt(object, "mountOptions").map((option) => plain(option))),
  ];
  const rows = pairsOf(fieldsAt(object, "parameters")).map((pair) => plain(pair));
  return { facts, sections: section("detail/parameters", { rows: row("detail/parameters", ...rows) }) };
}

function classItem(spec: Fields, namespace: string): Item | undefined {
  return link({ group: GROUP, kind: "StorageClass", name: scalarText(spec["storageClassName"]), namespace });
}

function sourceItem(source: Fields, namespace: string): Item | undefined {
  return link({ group: textAt(source, "apiGroup"), kind: textAt(source, "kind"), name: source["name"], namespace });
}
