import { fieldsAt, fieldsOf, isFields, listAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { Item } from "./details.ts";
import { link } from "./rows.ts";

/** What a container finds where in its files. */
export function mountItems(container: Fields, pod: { readonly spec: Fields; readonly namespace: string }): Item[] {
  const volumes = new Map(listAt(pod.spec, "volumes").map((volume) => [textAt(volume, "name"), fieldsOf(volume)]));
  return [...listAt(container, "volumeMounts"), ...listAt(container, "volumeDevices")].map((mount) => {
    const volume = volumes.get(textAt(mount, "name")) ?? {};
    const target = targetOf(volume, pod.namespace);
    const said = mountWords(fieldsOf(mount), target === undefined ? sourceText(volume, textAt(mount, "name")) : "");
    return { ...target, words: said };
  });
}

function targetOf(volume: Fields, namespace: string): Item | undefined {
  return (
    link({ kind: "ConfigMap", name: fieldsAt(volume, "configMap")["name"], namespace }) ??
    link({ kind: "Secret", name: fieldsAt(volume, "secret")["secretName"], namespace }) ??
    link({ kind: "PersistentVolumeClaim", name: fieldsAt(volume, "persistentVolumeClaim")["claimName"], namespace })
  );
}

/** The source of a volume that is no resource: "emptyDir cache". */
function sourceText(volume: Fields, name: string): string {
  const source = Object.keys(volume).find((key) => key !== "name" && isFields(volume[key]));
  return source === undefined ? name : `${source} ${name}`;
}

function mountWords(mount: Fields, what: string): Words {
  const path = textAt(mount, "mountPath") || textAt(mount, "devicePath");
  const id = mount["readOnly"] === true ? "detail/mount-read-only" : "detail/mount";
  return words(id, { what, path, part: textAt(mount, "subPath") || textAt(mount, "subPathExpr") });
}
