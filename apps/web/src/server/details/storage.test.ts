import { expect, test } from "vitest";

import { madeObject, detailLines } from "./testing/detail-lines.ts";

const VALUE = "canary-5f2e";

test("a ConfigMap tells its keys with the sizes of their values", () => {
  const data = { "app.yaml": "é", big: "x".repeat(3_000) };
  const binaryData = { logo: btoa("x".repeat(2 * 1024 * 1024)) };
  expect(detailLines(madeObject("v1 ConfigMap", { data, binaryData, immutable: true }))).toEqual([
    "Immutable: yes",
    "# Keys",
    "app.yaml: 2 B",
    "big: 2.9 KiB",
    "logo: 2 MiB",
  ]);
});

test("a Secret tells its type and its keys with the sizes of their values, and nothing else of them", () => {
  const secret = madeObject("v1 Secret", { type: "Opaque", data: { password: btoa(VALUE), odd: 7 }, stringData: { password: VALUE } });
  const lines = detailLines(secret, { isSecret: true });
  expect(lines).toEqual(["Type: Opaque", "# Keys", `password: ${VALUE.length} B`, "odd: 0 B"]);
});

test("an object that was requested as a Secret shows its keys only, whatever kind it states", () => {
  const liar = madeObject("v1 Pod", { data: { password: btoa(VALUE) }, spec: { nodeName: VALUE, containers: [{ name: VALUE }] } });
  expect(detailLines(liar, { isSecret: true })).toEqual(["# Keys", `password: ${VALUE.length} B`]);
});

test("a claim tells what it asks for and was given, a volume who claims it, a class who makes its volumes", () => {
  const spec = {
    resources: { requests: { storage: "10Gi" } },
    accessModes: ["ReadWriteOnce"],
    storageClassName: "fast",
    volumeName: "pv-1",
  };
  const claim = madeObject("v1 PersistentVolumeClaim", { spec, status: { phase: "Bound", capacity: { storage: "16Gi" } } });
  expect(detailLines(claim)).toEqual([
    "Phase: Bound !good",
    "Claimed: 10Gi",
    "Capacity: 16Gi",
    "Access modes: ReadWriteOnce",
    "Storage class: →storage.k8s.io/StorageClass//fast",
    "Volume: →/PersistentVolume//pv-1",
  ]);
  const volume = madeObject("v1 PersistentVolume", {
    metadata: { namespace: undefined },
    spec: {
      capacity: { storage: "16Gi" },
      claimRef: { name: "data", namespace: "shop" },
      persistentVolumeReclaimPolicy: "Retain",
      csi: { driver: "d.io" },
    },
    status: { phase: "Released" },
  });
  expect(detailLines(volume)).toEqual([
    "Phase: Released !busy",
    "Capacity: 16Gi",
    "Claimed by: →/PersistentVolumeClaim/shop/data",
    "When released: Retain",
    "Driver: d.io",
  ]);
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  const storage = madeObject("storage.k8s.io/v1 StorageClass", {
    metadata: { annotations },
    provisioner: "d.io",
    parameters: { type: "ssd" },
  });
  expect(detailLines(storage)).toEqual([
    "Provisioner: d.io",
    "Default class: yes",
    "When released: Delete",
    "Volumes are bound: Immediate",
    "Volumes may grow: no",
    "# Parameters",
    "Parameters: type=ssd",
  ]);
});
