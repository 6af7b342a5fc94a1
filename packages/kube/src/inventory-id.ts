import type { ObjectKey } from "./object-key.ts";

/** Label of an inventory of cli-utils; its value is the id of the inventory. */
export const INVENTORY_LABEL = "cli-utils.sigs.k8s.io/inventory-id";

/** Annotation of an object that an inventory of cli-utils lists; its value is the id of the inventory. */
export const OWNING_INVENTORY = "config.k8s.io/owning-inventory";

/** What a key of a ConfigMap may be. */
const DATA_KEY = /^[-._A-Za-z0-9]{1,253}$/;

/**
 * Reads `namespace_name_group_kind`, as cli-utils and Flux write it: no field has an underscore, and a colon in the name of a role
 * is written as two.
 *
 * @returns `undefined` for anything else
 */
export function parseInventoryId(id: string): ObjectKey | undefined {
  const [, namespace, encoded, group, kind] = /^([^_]*)_(.+)_([^_]*)_([^_]+)$/.exec(id) ?? [];
  if (namespace === undefined || encoded === undefined || group === undefined || kind === undefined) return undefined;
  const name = encoded.replaceAll("__", ":");
  return name.includes("_") ? undefined : { group, kind, namespace, name };
}

/**
 * Writes what `parseInventoryId` reads.
 *
 * @returns `undefined` for an object that no ConfigMap can list: its name has an underscore or another sign that keys may not have, or
 * all together is too long
 */
export function formatInventoryId(key: ObjectKey): string | undefined {
  if (key.name.includes("_")) return undefined;
  const id = `${key.namespace}_${key.name.replaceAll(":", "__")}_${key.group}_${key.kind}`;
  return DATA_KEY.test(id) ? id : undefined;
}
