import { fieldsAt, type KubeObject } from "@binnacle/kube";

import type { FaultWorld } from "./fault-world.ts";
import { BY_HAND } from "./made.ts";

/** The objects that a user applies to create the world: the cluster makes the rest of it, children, statuses and Events. */
export function rootObjects<T extends FaultWorld>(world: T): T {
  const roots = world.objects.filter(({ kind, metadata }) => kind !== "Event" && metadata.ownerReferences === undefined);
  return { ...world, objects: roots.map(withoutHand) };
}

/** Without its status, and without what keeps kubelets from its pods. */
function withoutHand(written: KubeObject): KubeObject {
  const { status: _status, ...object } = written;
  const [spec, template] = [fieldsAt(object, "spec"), fieldsAt(fieldsAt(object, "spec"), "template")];
  const labels = Object.entries(fieldsAt(fieldsAt(template, "metadata"), "labels")).filter(([name]) => !(name in BY_HAND));
  if (labels.length === 0) return object;
  return { ...object, spec: { ...spec, template: { ...template, metadata: { labels: Object.fromEntries(labels) } } } };
}
