import {
  fieldsAt,
  INVENTORY_LABEL,
  KEPT_FIELDS,
  listAt,
  listPath,
  objectPath,
  parseInventoryId,
  parseKeptFields,
  PAUSED,
  PAUSED_REASON,
  PRUNE_CONSENT,
  TAKE_OVER,
  textAt,
  type Fields,
  type KindPath,
  type ObjectKey,
  GITOPS_FIELD_MANAGER,
  OWNING_INVENTORY,
} from "@binnacle/kube";
import { Fault } from "@binnacle/rpc";

import { isOk, reasonOf, refusal, type ApiAnswer, type ClusterApi } from "../../cluster-access/cluster-api.ts";
import type { Turns } from "../manifests/turns.ts";
import type { ServedKinds } from "../cluster/served-kinds.ts";
import { nameOf } from "../manifests/depends-on.ts";
import { concurrently } from "../sync/concurrently.ts";
import { FRESH, requestsOf, wordOf, type Inventory, type InventoryRef } from "./inventory.ts";
import { APPLIED, lastAppliedAnnotations, lastAppliedOf, type AppliedCommit } from "./last-applied.ts";
import { ownerOf } from "./ownership.ts";

/** Where inventories are. */
export const CONFIG_MAPS: KindPath = { group: "", version: "v1", resource: "configmaps", namespaced: true };

/** A reason in an annotation may be any text; a report has one line. */
const MAX_REASON = 200;
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;

/** What a write changes: keys as `formatInventoryId` writes them. */
export interface InventoryChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** Whether there are objects that left the manifests and are not pruned: what is added is `FRESH` then, otherwise nothing is any more. */
  readonly someLeft: boolean;
  /** What was applied as a whole; empty for nothing. */
  readonly applied: string;
  /** Recorded when it is another commit than the inventory has. */
  readonly lastApplied?: AppliedCommit | undefined;
}

/** What a write gives a ConfigMap; null takes away. */
interface Written {
  readonly data: Fields;
  readonly annotations: Fields;
}

/** What a store needs. */
export interface InventoryStoreOptions {
  readonly api: ClusterApi;
  readonly signal: AbortSignal;
  readonly turns: Turns;
}

/** Reads and writes an inventory. Each write says which version it was made from, so that two writers cannot take lines from each other. */
export class InventoryStore {
  readonly #options: InventoryStoreOptions;

  constructor(options: InventoryStoreOptions) {
    this.#options = options;
  }

  /**
   * The inventory as it is now; an empty one when there is none. One that is there keeps the id it has, whatever `ref` says, unless that is the
   * former one of `ref`.
   *
   * @throws Fault `conflict` when a ConfigMap of that name is no inventory, or a second one has its id; `cluster_unavailable` when it cannot be read
   */
  async load(ref: InventoryRef): Promise<Inventory> {
    const answer = await this.#call("GET", objectPath(CONFIG_MAPS, ref));
    if (answer.statusCode !== 404 && !isOk(answer)) throw refusal("the inventory cannot be read", answer);
    const found = answer.statusCode === 404 ? undefined : answer.value;
    const metadata = fieldsAt(found, "metadata");
    const label = found === undefined ? ref.id : textAt(fieldsAt(metadata, "labels"), INVENTORY_LABEL);
    if (label === "") throw new Fault("conflict", `ConfigMap ${ref.namespace}/${ref.name} is there and is no inventory`);
    const isOurs = label === ref.id || label === ref.formerId;
    const ids = isOurs ? { id: ref.id, formerId: ref.formerId } : { id: label, formerId: "" };
    await this.#refuseOthers({ ...ref, ...ids });
    const annotations = fieldsAt(metadata, "annotations");
    const objects = new Map<string, ObjectKey>();
    const data = fieldsAt(found, "data");
    const fresh = new Set<string>();
    for await (const line of this.#options.turns.over(Object.keys(data))) {
      const key = parseInventoryId(line);
      // What cannot be read is left as it is, and nothing is pruned for it.
      if (key === undefined) continue;
      objects.set(line, key);
      if (data[line] === FRESH) fresh.add(line);
    }
    return {
      ...ref,
      ...ids,
      label,
      resourceVersion: found === undefined ? undefined : textAt(metadata, "resourceVersion"),
      objects,
      consent: textAt(annotations, PRUNE_CONSENT),
      paused: textAt(annotations, PAUSED) === "true",
      pausedReason: textAt(annotations, PAUSED_REASON).replaceAll(BREAKS, " ").slice(0, MAX_REASON),
      fresh,
      applied: textAt(annotations, APPLIED),
      lastApplied: lastAppliedOf(found),
      takeOver: textAt(annotations, TAKE_OVER),
      kept: Map.groupBy(parseKeptFields(textAt(annotations, KEPT_FIELDS)), ({ object }) => object),
      word: wordOf(found),
      requests: requestsOf(found),
    };
  }

  /**
   * Adds and removes lines, and says what was applied; annotations of others stay as they are.
   *
   * @returns the inventory as it is now
   * @throws Fault `not_found` when its namespace is not there, `conflict` when another client has changed it since it was read, `over_budget` when a
   * ConfigMap cannot hold so many lines
   */
  async save(inventory: Inventory, change: InventoryChange): Promise<Inventory> {
    const add = change.add.filter((line) => !inventory.objects.has(line));
    const remove = change.remove.filter((line) => inventory.objects.has(line));
    const { resourceVersion } = inventory;
    const { someLeft, applied } = change;
    const leaving = new Set(remove);
    const stale = someLeft ? [] : [...inventory.fresh].filter((line) => !leaving.has(line));
    const lastApplied = change.lastApplied ?? inventory.lastApplied;
    const annotations = {
      ...(applied !== inventory.applied && { [APPLIED]: applied === "" ? null : applied }),
      ...(lastApplied && lastApplied !== inventory.lastApplied && lastAppliedAnnotations(lastApplied)),
    };
    const isSame = add.length + remove.length + stale.length + Object.keys(annotations).length === 0;
    if (resourceVersion !== undefined && isSame) return inventory;
    const data = Object.fromEntries([
      ...add.map((line) => [line, someLeft ? FRESH : ""]),
      ...stale.map((line) => [line, ""]),
      ...remove.map((line) => [line, null]),
    ]);
    const objects = new Map(inventory.objects);
    for (const line of remove) objects.delete(line);
    for await (const line of this.#options.turns.over(add)) {
      const key = parseInventoryId(line);
      if (key !== undefined) objects.set(line, key);
    }
    const answer = await (resourceVersion === undefined
      ? this.#create(inventory, { data, annotations })
      : this.#patch(inventory, { data, annotations }));
    if (answer.statusCode === 409) throw new Fault("conflict", `another client has changed the inventory: ${reasonOf(answer)}`);
    if (answer.statusCode === 404) throw new Fault("not_found", `the inventory cannot be written: ${reasonOf(answer)}`);
    if (isTooLarge(answer))
      throw new Fault(
        "over_budget",
        `nothing is applied: a ConfigMap cannot hold an inventory of ${objects.size} objects (${reasonOf(answer)})`,
      );
    if (!isOk(answer)) throw refusal("the inventory cannot be written", answer);
    const fresh = new Set(someLeft ? [...inventory.fresh, ...add].filter((line) => objects.has(line)) : []);
    const written = textAt(fieldsAt(answer.value, "metadata"), "resourceVersion");
    return { ...inventory, objects, fresh, applied, lastApplied, resourceVersion: written };
  }

  /**
   * Gives the ConfigMap the id that its objects bear by now.
   *
   * @throws Fault `conflict` when another client has changed it since it was read
   */
  async relabel(inventory: Inventory): Promise<Inventory> {
    const { id, resourceVersion } = inventory;
    const metadata = { resourceVersion, labels: { [INVENTORY_LABEL]: id } };
    const answer = await this.#call("PATCH", objectPath(CONFIG_MAPS, inventory), { metadata });
    if (answer.statusCode === 409) throw new Fault("conflict", `another client has changed the inventory: ${reasonOf(answer)}`);
    if (!isOk(answer)) throw refusal("the inventory cannot be given its new id", answer);
    return { ...inventory, label: id, resourceVersion: textAt(fieldsAt(answer.value, "metadata"), "resourceVersion") };
  }

  /**
   * Removes the request to take an object over.
   *
   * @throws Fault `conflict` when another client has changed the inventory since it was read
   */
  async withoutTakeOver(inventory: Inventory): Promise<Inventory> {
    const metadata = { resourceVersion: inventory.resourceVersion, annotations: { [TAKE_OVER]: null } };
    const answer = await this.#call("PATCH", objectPath(CONFIG_MAPS, inventory), { metadata });
    if (answer.statusCode === 409) throw new Fault("conflict", `another client has changed the inventory: ${reasonOf(answer)}`);
    if (!isOk(answer)) throw refusal("the request to take an object over cannot be removed", answer);
    const resourceVersion = textAt(fieldsAt(answer.value, "metadata"), "resourceVersion");
    return { ...inventory, takeOver: "", requests: requestsOf(answer.value), resourceVersion };
  }

  #create({ namespace, name, id }: Inventory, { data, annotations }: Written): Promise<ApiAnswer> {
    return this.#call("POST", listPath(CONFIG_MAPS, { namespace }), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace, labels: { [INVENTORY_LABEL]: id }, ...(Object.keys(annotations).length > 0 && { annotations }) },
      data,
    });
  }

  #patch(inventory: Inventory, { data, annotations }: Written): Promise<ApiAnswer> {
    return this.#call("PATCH", objectPath(CONFIG_MAPS, inventory), {
      metadata: { resourceVersion: inventory.resourceVersion, annotations },
      data,
    });
  }

  async #refuseOthers({ namespace, name, id, formerId }: InventoryRef): Promise<void> {
    const ids = formerId === "" ? id : `${id},${formerId}`;
    const labelSelector = `${INVENTORY_LABEL} in (${ids})`;
    const answer = await this.#call("GET", listPath(CONFIG_MAPS, { namespace, labelSelector, limit: 3 }));
    if (!isOk(answer)) throw refusal("inventories cannot be listed", answer);
    const names = listAt(answer.value, "items").map((item) => textAt(fieldsAt(item, "metadata"), "name"));
    const others = names.filter((other) => other !== name);
    if (others.length > 0)
      throw new Fault("conflict", `more than one ConfigMap of namespace ${namespace} is inventory ${id}: ${[name, ...others].join(", ")}`);
  }

  #call(method: "GET" | "POST" | "PATCH", target: string, body?: unknown): Promise<ApiAnswer> {
    const contentType = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const { api, signal } = this.#options;
    return api.call({ method, target, signal, contentType, ...(body === undefined ? {} : { body }) });
  }
}

/** Whether the API server (limit of a request) or etcd (limit of an object) has no room for the object: no retry helps. */
function isTooLarge(answer: ApiAnswer): boolean {
  return answer.statusCode === 413 || (!isOk(answer) && reasonOf(answer).includes("request is too large"));
}

/** What an inventory is converted with. */
export interface Converting {
  readonly api: ClusterApi;
  readonly kinds: ServedKinds;
  readonly store: InventoryStore;
  readonly signal: AbortSignal;
}

/** How a conversion went. */
export interface Converted {
  readonly inventory: Inventory;
  /** Why it is not finished; empty when it is. The next sync goes on. */
  readonly reason: string;
}

/**
 * Gives an inventory of an earlier release, which has the id `inventory-<agent>-<project>`, the id that Go's agentk looks for. Objects first, the
 * label of the ConfigMap last: a break in between leaves objects with either id under the former label, and the next call goes on from there.
 *
 * @throws Fault `conflict` when another client has changed the inventory meanwhile, `cluster_unavailable`
 */
export async function convertInventory(inventory: Inventory, by: Converting): Promise<Converted> {
  if (inventory.label === inventory.id) return { inventory, reason: "" };
  const reasons = await concurrently([...inventory.objects.values()], (key) => convertObject(key, inventory, by));
  const reason = reasons.find((one) => one !== "");
  return reason === undefined ? { inventory: await by.store.relabel(inventory), reason: "" } : { inventory, reason };
}

/** @returns why the object bears the former id still; empty when it does not */
async function convertObject(key: ObjectKey, { id, formerId }: Inventory, { api, kinds, signal }: Converting): Promise<string> {
  const kind = await kinds.findAny(key, signal);
  if (kind === undefined) return "";
  const target = objectPath(kind, key);
  const live = await api.call({ method: "GET", target, signal });
  if (live.statusCode === 404) return "";
  if (!isOk(live)) return `${nameOf(key)}: ${reasonOf(live)}`;
  if (ownerOf(live.value) !== formerId) return "";
  const resourceVersion = textAt(fieldsAt(live.value, "metadata"), "resourceVersion");
  const answer = await api.call({
    method: "PATCH",
    target: `${target}?fieldManager=${GITOPS_FIELD_MANAGER}`,
    // Of the object that was read: another one that got the name meanwhile is not meant.
    body: { metadata: { resourceVersion, annotations: { [OWNING_INVENTORY]: id } } },
    contentType: "application/merge-patch+json",
    signal,
  });
  return isOk(answer) || answer.statusCode === 404 ? "" : `${nameOf(key)}: ${reasonOf(answer)}`;
}
