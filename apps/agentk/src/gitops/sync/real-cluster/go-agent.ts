import { fieldsAt, INVENTORY_LABEL, listAt, OWNING_INVENTORY, textAt, type Fields } from "@binnacle/kube";

import { bench } from "./sync-bench.ts";

/** What became of one sync of Go's agent. */
export interface GoSync {
  readonly applied: readonly string[];
  readonly pruned: readonly string[];
  readonly failed: readonly string[];
}

/**
 * A sync of ConfigMaps as Go's agentk 14.1 to 16.5 makes it by cli-utils, of agent 5 and project 7: the inventory is looked up by its label, made
 * when there is none, objects of another inventory are refused (must_match), applied by force as `agentk`, and those that left are pruned.
 *
 * @throws Error when the inventory cannot be made
 */
export async function syncAsGo(objects: Readonly<Record<string, Fields>>): Promise<GoSync> {
  const maps = `/api/v1/namespaces/${bench.namespace}/configmaps`;
  const id = "5-7";
  const { value } = await bench.call("GET", `${maps}?labelSelector=${encodeURIComponent(`${INVENTORY_LABEL}=${id}`)}`);
  let [inventory] = listAt(value, "items");
  if (inventory === undefined) {
    const metadata = { name: `inventory-${id}`, labels: { [INVENTORY_LABEL]: id } };
    const made = await bench.call("POST", maps, { apiVersion: "v1", kind: "ConfigMap", metadata });
    if (made.statusCode !== 201) throw new Error(textAt(made.value, "message"));
    inventory = made.value;
  }
  const listed = Object.keys(fieldsAt(inventory, "data")).map((line) => line.split("_")[1] ?? "");
  const done = { applied: [] as string[], pruned: [] as string[], failed: [] as string[] };
  for (const [name, data] of Object.entries(objects)) {
    const live = await bench.call("GET", bench.mapPath(name));
    if (live.statusCode === 200 && ownerIn(live.value) !== id) done.failed.push(name);
    else {
      const metadata = { name, annotations: { [OWNING_INVENTORY]: id } };
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata, ...(Object.keys(data).length > 0 && { data }) };
      await bench.patch(`${bench.mapPath(name)}?fieldManager=agentk&force=true`, object);
      done.applied.push(name);
    }
  }
  for (const name of listed.filter((one) => !(one in objects))) {
    const live = await bench.call("GET", bench.mapPath(name));
    if (live.statusCode !== 200 || ownerIn(live.value) !== id) continue;
    await bench.call("DELETE", bench.mapPath(name));
    done.pruned.push(name);
  }
  const data = Object.fromEntries(
    [...new Set([...listed, ...Object.keys(objects)])].map((name) => [bench.lines(name)[0], name in objects ? "" : null]),
  );
  await bench.patch(bench.mapPath(textAt(fieldsAt(inventory, "metadata"), "name")), { data }, "application/merge-patch+json");
  return done;
}

function ownerIn(live: unknown): string {
  return textAt(fieldsAt(fieldsAt(live, "metadata"), "annotations"), OWNING_INVENTORY);
}
