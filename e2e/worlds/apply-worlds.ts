import { numberAt, type KubeObject } from "@binnacle/kube";

import { kubectl } from "../support/kubectl.ts";
import type { FaultWorld } from "./fault-world.ts";

interface Owner {
  readonly uid: string;
}

/** Into which namespace of which cluster. */
export interface ApplyOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
}

/**
 * Makes the objects of worlds in a cluster whose controllers stand still, owners first, then writes their statuses over what the server says of
 * them, and deletes what is being deleted. When something was created the server says: no `since` is older.
 */
export async function applyWorlds(worlds: readonly FaultWorld[], { kubeconfig, namespace }: ApplyOptions): Promise<void> {
  const objects = objectsOf(worlds);
  const uids = new Map<string, string>();
  // One by one: what a List holds kubectl itself would validate, by OpenAPI v2, which the embedded cluster does not serve.
  const run = (args: readonly string[], items: readonly unknown[]): Promise<string> =>
    kubectl(kubeconfig, [...args, "-f", "-"], items.map((item) => JSON.stringify(item)).join("\n---\n"));
  for (let left = objects; left.length > 0;) {
    const ready = left.filter((object) => ownersOf(object).every(({ uid }) => uids.has(uid)) && isKnown(object, uids));
    if (ready.length === 0) throw new Error(`owners of ${left.map(nameOf).join(", ")} are missing`);
    const output = await run(
      ["create", "-o", 'jsonpath={.metadata.uid}{"\\n"}'],
      ready.map((object) => bare(object, namespace, uids)),
    );
    const made = output.split("\n");
    ready.forEach((object, index) => uids.set(object.metadata.uid ?? "", made[index] ?? ""));
    left = left.filter((object) => !ready.includes(object));
  }
  const written = objects.filter((object) => Object.keys(object["status"] ?? {}).length > 0);
  if (written.length > 0) {
    await run(
      ["apply", "--server-side", "--force-conflicts", "--subresource=status", "--validate=false"],
      written.map(({ apiVersion, kind, metadata, status }) => ({ apiVersion, kind, metadata: { name: metadata.name, namespace }, status })),
    );
  }
  const leaving = objects.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  for (const { kind, metadata } of leaving) {
    const graceSeconds = numberAt(metadata, "deletionGracePeriodSeconds") ?? 0;
    const grace = graceSeconds > 0 ? [`--grace-period=${graceSeconds}`] : [];
    await kubectl(kubeconfig, ["delete", kind, metadata.name, "-n", namespace, "--wait=false", ...grace]);
  }
}

/** All objects of some worlds, each once. */
export function objectsOf(worlds: readonly FaultWorld[]): readonly KubeObject[] {
  return [...new Map(worlds.flatMap((world) => world.objects).map((object) => [nameOf(object), object])).values()];
}

/** As it is created: without what the server writes itself, and about the objects that are there. */
function bare(object: KubeObject, namespace: string, uids: ReadonlyMap<string, string>): unknown {
  const metadata = without(object.metadata, ["uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"]);
  const ownerReferences = ownersOf(object).map((owner) => ({ ...owner, uid: uids.get(owner.uid) }));
  const about = aboutOf(object);
  const involved = about && { involvedObject: { ...about, namespace, uid: uids.get(about.uid) } };
  return { ...without(object, ["status"]), metadata: { ...metadata, namespace, ownerReferences }, ...involved };
}

function isKnown(object: KubeObject, uids: ReadonlyMap<string, string>): boolean {
  const about = aboutOf(object);
  return about === undefined || uids.has(about.uid);
}

function aboutOf(object: KubeObject): Owner | undefined {
  // Events of worlds have it.
  return (object as { readonly involvedObject?: Owner }).involvedObject;
}

function ownersOf({ metadata }: KubeObject): readonly Owner[] {
  return metadata.ownerReferences ?? [];
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name}`;
}

function without(fields: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}
