import { fieldsAt, fieldsOf, listAt, textAt, type Fields } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import type { Subject } from "../root.ts";
import { relatedNamed, type World } from "../world.ts";

/** So many containers are named. */
const MAX_NAMED = 5;

/**
 * Containers of an autoscaler's target that ask for nothing of what it reckons with, so that there is nothing to reckon with; absent when
 * there is none, or the target is not known.
 */
export function unrequestedOf({ input, ref }: Subject, world: World): Words | undefined {
  const target = fieldsAt(input.spec, "scaleTargetRef");
  const [group = "", version] = textAt(target, "apiVersion").split("/");
  const known = relatedNamed(
    { group: version === undefined ? "" : group, kind: textAt(target, "kind"), namespace: ref.namespace, name: textAt(target, "name") },
    world,
  );
  const template = fieldsAt(fieldsAt(fieldsAt(known, "spec"), "template"), "spec");
  for (const resource of ratiosOf(input.spec)) {
    const lacking = listAt(template, "containers").filter((container) => !hasRequest(fieldsOf(container), resource));
    const containers = lacking.map((container) => textAt(container, "name")).slice(0, MAX_NAMED);
    if (containers.length > 0) return words("autoscaling/unrequested", { count: containers.length, containers, resource });
  }
  return undefined;
}

/** Resources of which a part of what was asked for is aimed at. The first version knows the CPU alone. */
function ratiosOf(spec: Fields): string[] {
  const metrics = listAt(spec, "metrics").map((metric) => fieldsAt(metric, "resource"));
  const ratios = metrics
    .filter((metric) => textAt(fieldsAt(metric, "target"), "type") === "Utilization")
    .map((metric) => textAt(metric, "name"));
  return spec["targetCPUUtilizationPercentage"] === undefined ? ratios : ["cpu", ...ratios];
}

/** A limit is a request where no other is stated. */
function hasRequest(container: Fields, resource: string): boolean {
  const resources = fieldsAt(container, "resources");
  return [fieldsAt(resources, "requests"), fieldsAt(resources, "limits")].some((stated) => stated[resource] !== undefined);
}
