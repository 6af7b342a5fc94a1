import type { KubeObject } from "@binnacle/kube";

/** 32-bit FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
const FNV_OFFSET = 0x81_1c_9d_c5;
const FNV_PRIME = 0x01_00_01_93;

/**
 * A number for the versions of an object and of the Events about it: another one means that there is something else to read. It is
 * made of what is there and of nothing that was before, so that every view of the same cluster has the same.
 *
 * @param events in any order
 * @returns an unsigned number of 32 bits
 */
export function revisionOf(object: KubeObject, events: readonly KubeObject[]): number {
  let revision = hashOf(versionOf(object));
  for (const event of events) revision ^= hashOf(`${event.metadata.name} ${versionOf(event)}`);
  return revision >>> 0;
}

function versionOf(object: KubeObject): string {
  return object.metadata.resourceVersion ?? "";
}

function hashOf(text: string): number {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), FNV_PRIME);
  return hash;
}
