import type { Fields, KubeObject } from "@binnacle/kube";

import { readPackFiles } from "../../dev/pack-file.ts";

/** An object of a pack's world, written in short: see `PackWorld`. */
export function packObject(short: Fields): KubeObject {
  const { is, name, ns = "env", labels, annotations, ...fields } = short;
  const type = String(is);
  const slash = type.lastIndexOf("/");
  const metadata = { name, ...(ns === "" ? {} : { namespace: ns }), uid: `${type}.${String(ns)}.${String(name)}`.replaceAll("/", ".") };
  const marks = { ...(labels === undefined ? {} : { labels }), ...(annotations === undefined ? {} : { annotations }) };
  // Names, labels and fields stand in the file as a cluster has them.
  return { apiVersion: type.slice(0, slash), kind: type.slice(slash + 1), metadata: { ...metadata, ...marks }, ...fields } as KubeObject;
}

/** Objects of the worlds of all packs, one of each name. */
export function packObjects(): readonly KubeObject[] {
  const objects = readPackFiles().flatMap(({ worlds }) => worlds.flatMap((world) => world.objects.map(packObject)));
  return [
    ...new Map(
      objects.map((each) => [`${each.apiVersion.replace(/\/.*/, "")}/${each.kind}/${each.metadata.namespace}/${each.metadata.name}`, each]),
    ).values(),
  ];
}
