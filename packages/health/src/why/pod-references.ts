import { fieldsAt, listAt, textAt, type Fields } from "@binnacle/kube";

import type { RuleInput } from "../verdict.ts";

/** Something that a pod cannot do without. */
export interface PodReference {
  readonly kind: "ConfigMap" | "Secret" | "PersistentVolumeClaim" | "ServiceAccount";
  readonly name: string;
}

/** The pod spec of a Pod, of a workload's template or of a CronJob's; empty for other kinds. */
export function podSpecOf(input: RuleInput): Fields {
  if (input.group === "" && input.kind === "Pod") return input.spec;
  const job = input.kind === "CronJob" ? fieldsAt(fieldsAt(input.spec, "jobTemplate"), "spec") : input.spec;
  return fieldsAt(fieldsAt(job, "template"), "spec");
}

/** What a pod spec refers to by name and does not call optional; names only, never values. */
export function podReferencesOf(spec: Fields): PodReference[] {
  const found: PodReference[] = [];
  const add = (kind: PodReference["kind"], holder: Fields, field: string) => {
    const name = textAt(holder, field);
    if (name !== "" && holder["optional"] !== true) found.push({ kind, name });
  };
  for (const container of containerSpecsOf(spec)) {
    for (const entry of listAt(container, "env")) {
      const from = fieldsAt(entry, "valueFrom");
      add("ConfigMap", fieldsAt(from, "configMapKeyRef"), "name");
      add("Secret", fieldsAt(from, "secretKeyRef"), "name");
    }
    for (const entry of listAt(container, "envFrom")) {
      add("ConfigMap", fieldsAt(entry, "configMapRef"), "name");
      add("Secret", fieldsAt(entry, "secretRef"), "name");
    }
  }
  for (const volume of listAt(spec, "volumes")) {
    add("ConfigMap", fieldsAt(volume, "configMap"), "name");
    add("Secret", fieldsAt(volume, "secret"), "secretName");
    add("PersistentVolumeClaim", fieldsAt(volume, "persistentVolumeClaim"), "claimName");
    for (const source of listAt(fieldsAt(volume, "projected"), "sources")) {
      add("ConfigMap", fieldsAt(source, "configMap"), "name");
      add("Secret", fieldsAt(source, "secret"), "name");
    }
  }
  for (const entry of listAt(spec, "imagePullSecrets")) add("Secret", { name: textAt(entry, "name") }, "name");
  add("ServiceAccount", spec, "serviceAccountName");
  return found;
}

/** Containers of every sort, as the spec has them. */
function containerSpecsOf(spec: Fields): readonly unknown[] {
  return [...listAt(spec, "initContainers"), ...listAt(spec, "containers"), ...listAt(spec, "ephemeralContainers")];
}

/** The container of this name in a pod spec; empty when it is not there. */
export function containerSpecOf(spec: Fields, name: string): Fields {
  return containerSpecsOf(spec).find((each): each is Fields => textAt(each, "name") === name) ?? {};
}
