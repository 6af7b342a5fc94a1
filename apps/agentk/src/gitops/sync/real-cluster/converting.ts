import { fieldsAt, INVENTORY_LABEL, OWNING_INVENTORY, textAt } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { OwnWrites } from "../own-writes.ts";
import { dyingApi } from "./dying-api.ts";
import { syncAsGo } from "./go-agent.ts";
import { commit, failures, map, maps, outcomes } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

const NAME = "inventory-5-7";
/** The id that earlier releases of ours gave. */
const FORMER = "inventory-5-7";
const ID = "5-7";

/** Objects and an inventory as earlier releases of ours left them. */
async function leaveFormer(...names: string[]): Promise<void> {
  await bench.call("POST", `/api/v1/namespaces/${bench.namespace}/configmaps`, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: NAME, labels: { [INVENTORY_LABEL]: FORMER } },
    data: Object.fromEntries(bench.lines(...names).map((line) => [line, ""])),
  });
  for (const name of names) {
    const metadata = { name, annotations: { [OWNING_INVENTORY]: FORMER } };
    await bench.patch(`${bench.mapPath(name)}?fieldManager=agentk&force=true`, { apiVersion: "v1", kind: "ConfigMap", metadata });
  }
}

async function metadataOf(name: string): Promise<unknown> {
  return fieldsAt((await bench.call("GET", bench.mapPath(name))).value, "metadata");
}

const labelNow = async (): Promise<string> => textAt(fieldsAt(await metadataOf(NAME), "labels"), INVENTORY_LABEL);
const markOf = async (name: string): Promise<string> => textAt(fieldsAt(await metadataOf(name), "annotations"), OWNING_INVENTORY);

describe("interop-3 finding 4: the id of an inventory is the one that Go's agentk looks for", () => {
  test("ours, Go's, ours again: nothing is pruned, nothing is rejected", async () => {
    expect(outcomes(await bench.sync(commit(maps("a", "b"))))).toEqual(["a applied", "b applied"]);
    expect(await syncAsGo({ a: {}, b: {} })).toEqual({ applied: ["a", "b"], pruned: [], failed: [] });
    expect(outcomes(await bench.sync(commit(maps("a", "b"), "c2")))).toEqual(["a unchanged", "b unchanged"]);
    expect(await syncAsGo({ a: {}, b: { k: "go" } })).toMatchObject({ pruned: [], failed: [] });
    expect(outcomes(await bench.sync(commit(map("b", "data: {k: ours}\n"), "c3")))).toEqual(["a pruned", "b applied"]);
    expect(await syncAsGo({ b: { k: "ours" }, c: {} })).toEqual({ applied: ["b", "c"], pruned: [], failed: [] });
  });

  test("an inventory of an earlier release is converted by a sync that is complete, and Go's agentk goes on with it", async () => {
    await leaveFormer("a", "b");
    await expect(syncAsGo({ a: {} })).rejects.toThrow(/already exists/);
    const report = await bench.sync(commit(maps("a", "b")));
    expect(outcomes(report)).toEqual(["a applied", "b applied"]);
    expect(report.inventory).toMatchObject({ name: NAME, label: ID });
    expect([await labelNow(), await markOf("a"), await markOf("b")]).toEqual([ID, ID, ID]);
    expect(await syncAsGo({ a: {}, b: {} })).toEqual({ applied: ["a", "b"], pruned: [], failed: [] });
    expect(outcomes(await bench.sync(commit(maps("a", "b"), "c2")))).toEqual(["a unchanged", "b unchanged"]);
  });

  test("a sync in which anything failed leaves the label, and objects with either id stay ours", async () => {
    await leaveFormer("a", "b");
    const bad = "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {ports: [{port: 70000}]}\n";
    const report = await bench.sync(commit(`${maps("a", "b")}---\n${bad}`));
    expect(failures(report)).toEqual([expect.stringMatching(/^bad /)]);
    expect([await labelNow(), await markOf("a")]).toEqual([FORMER, ID]);
    expect(report.inventory).toMatchObject({ label: FORMER });
    expect(outcomes(await bench.sync(commit(maps("a"), "c2")))).toEqual(["a unchanged", "b pruned"]);
    expect(await labelNow()).toBe(ID);
  });

  test("what left the manifests and waits for consent is converted too", async () => {
    await leaveFormer("a", "b");
    expect(await bench.sync(commit(maps("c")))).toMatchObject({ state: "synced", pruneHeld: expect.stringMatching(/would be pruned/) });
    expect([await labelNow(), await markOf("a"), await markOf("b"), await markOf("c")]).toEqual([ID, ID, ID, ID]);
    expect(failures(await bench.sync(commit(maps("a", "b", "c"), "c2")))).toEqual([]);
  });

  test("where drift is shown, a look converts without putting anything right", async () => {
    await leaveFormer("a");
    const show = { drift: "show" } as const;
    await bench.sync(commit(map("a", "data: {k: wanted}\n")), show);
    // As an earlier release left them, after the commit was applied.
    await bench.annotate("a", { [OWNING_INVENTORY]: FORMER });
    await bench.patch(bench.mapPath(NAME), { metadata: { labels: { [INVENTORY_LABEL]: FORMER } } }, "application/merge-patch+json");
    expect(outcomes(await bench.sync(commit(map("a", "data: {k: wanted}\n")), show))).toEqual(["a unchanged"]);
    expect([await labelNow(), await markOf("a")]).toEqual([ID, ID]);
  });

  test("a template that has the former id keeps it", async () => {
    await leaveFormer("a");
    const template = map(NAME, `  labels: {${INVENTORY_LABEL}: ${FORMER}}\n`);
    expect(outcomes(await bench.sync(commit(`${map("a")}---\n${template}`)))).toEqual(["a unchanged"]);
    expect([await labelNow(), await markOf("a")]).toEqual([FORMER, FORMER]);
  });

  test("a second inventory with the former id stops the sync", async () => {
    await bench.sync(commit(map("a")));
    const twin = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "twin", labels: { [INVENTORY_LABEL]: FORMER } } };
    await bench.call("POST", `/api/v1/namespaces/${bench.namespace}/configmaps`, twin);
    await expect(bench.sync(commit(map("a")))).rejects.toMatchObject({ reason: "conflict" });
  });

  test.each([true, false])("broken off at any step, the next sync converts the rest (the last request arrived: %s)", async (reaches) => {
    let steps = 0;
    for (let alive = true; alive;) {
      steps += 1;
      await bench.enter(`converted-${String(reaches)}-${steps}`);
      await leaveFormer("a", "b", "c", "d");
      alive = await bench.sync(commit(maps("b", "c", "d")), { prune: false }, dyingApi(steps, reaches)).then(
        () => false,
        () => true,
      );
      const marks = await Promise.all(["a", "b", "c", "d"].map(markOf));
      // The label is the last that changes.
      const allowed = (await labelNow()) === ID ? [ID] : [ID, FORMER];
      expect(marks.filter((mark) => !allowed.includes(mark))).toEqual([]);
      const report = await bench.sync(commit(maps("b", "c", "d")), { prune: false });
      expect(report).toMatchObject({ state: "synced", reason: "", inventory: { label: ID } });
      expect(await Promise.all([labelNow(), ...["a", "b", "c", "d"].map(markOf)])).toEqual([ID, ID, ID, ID, ID]);
      expect(await syncAsGo({ a: {}, b: {}, c: {}, d: {} })).toMatchObject({ pruned: [], failed: [] });
    }
    expect(steps).toBeGreaterThan(15);
  });
});

describe("interop-3 finding 4: another agent that takes no Lease", () => {
  test("is noticed when it has changed what this replica applied, and not before", async () => {
    const ownWrites = new OwnWrites();
    const ours = (commitId: string) => bench.sync(commit(map("a", "data: {k: ours}\n"), commitId), {}, { ownWrites });
    expect((await ours("c1")).foreign).toEqual([]);
    expect((await ours("c1")).foreign).toEqual([]);
    // The API server notes whole seconds.
    const noted = textAt((await managedBy("a"))[0], "time");
    do await syncAsGo({ a: { k: `go-${Date.now()}` } });
    while (textAt((await managedBy("a"))[0], "time") === noted);
    const report = await ours("c1");
    expect(report.foreign).toMatchObject([{ kind: "ConfigMap", name: "a" }]);
    expect(outcomes(report)).toEqual(["a applied"]);
    expect((await ours("c1")).foreign).toEqual([]);
    // A replica that begins knows nothing of what was before.
    expect((await bench.sync(commit(map("a"), "c2"), {}, { ownWrites: new OwnWrites() })).foreign).toEqual([]);
  });
});

async function managedBy(name: string): Promise<readonly unknown[]> {
  const entries = fieldsAt((await bench.call("GET", bench.mapPath(name))).value, "metadata")["managedFields"];
  return Array.isArray(entries) ? entries : [];
}
