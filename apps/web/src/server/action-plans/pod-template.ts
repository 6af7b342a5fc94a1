import { fieldsAt, listAt, textAt, type KubeObject, type ResourceKind } from "@binnacle/kube";

/** A container of a pod template, and where it stands. */
export interface TemplateImage {
  readonly name: string;
  readonly image: string;
  readonly list: "containers" | "initContainers";
  readonly index: number;
}

/** JSON pointer of the pod template of a kind. */
export function templatePathOf({ resource }: Pick<ResourceKind, "resource">): string {
  return resource === "cronjobs" ? "/spec/jobTemplate/spec/template" : "/spec/template";
}

/** Containers of a workload with their images, init containers last; a Job's template cannot be changed and has none here. */
export function imagesOf(kind: Pick<ResourceKind, "resource">, object: KubeObject): readonly TemplateImage[] {
  if (kind.resource === "jobs") return [];
  const template = templatePathOf(kind)
    .slice(1)
    .split("/")
    .reduce<unknown>((value, name) => fieldsAt(value, name), object);
  return (["containers", "initContainers"] as const).flatMap((list) =>
    listAt(fieldsAt(template, "spec"), list).map((container, index) => ({
      name: textAt(container, "name"),
      image: textAt(container, "image"),
      list,
      index,
    })),
  );
}
