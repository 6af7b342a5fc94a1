import { fieldsAt, PRUNE_CONSENT, SYNC_REQUESTED, textAt, type Fields } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { APPLIED, LAST_APPLIED } from "../../inventory/last-applied.ts";
import type { SyncOptions } from "../sync-options.ts";
import { commit, failures, map, maps, outcomes } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

const INVENTORY = "inventory-5-7";
const WANTED_TEXT = map("a", "data: {k: wanted, other: wanted}\n");
const WANTED = commit(WANTED_TEXT);
const BROKEN = `${map("b")}---\nkind: Pod\n`;

/** As a user with `kubectl edit`. */
const edit = (data: unknown) =>
  bench.api.call({
    method: "PATCH",
    target: `${bench.mapPath("a")}?fieldManager=kubectl-edit`,
    body: { data },
    contentType: "application/merge-patch+json",
    signal: new AbortController().signal,
  });

const dataOf = async (): Promise<Fields> => fieldsAt((await bench.call("GET", bench.mapPath("a"))).value, "data");

describe("force_conflicts", () => {
  test("B3, B4: without it an edit by hand is out of sync, with its manager, line of object and field, and stays", async () => {
    await bench.sync(WANTED);
    await edit({ k: "by hand" });
    const reason = expect.stringMatching(/^other managers own fields of the manifest: \.data\.k \(conflict with "kubectl-edit"/);
    for (const drift of ["correct", "show"] as const) {
      expect(await bench.sync(commit(WANTED_TEXT, "c2"), { drift })).toMatchObject({
        state: "conflicting",
        reason: "1 of 1 objects are out of sync: other field managers own fields of their manifests",
        results: [{ outcome: "drifted", reason, source: "all.yaml", line: 1, fieldLine: 5 }],
        inventory: { lastApplied: { commitId: "c1" } },
        live: [],
      });
    }
    expect(await dataOf()).toEqual({ k: "by hand", other: "wanted" });
  });

  test("with it the edit is put right, and the next sync finds nothing to do", async () => {
    await bench.sync(WANTED);
    await edit({ k: "by hand" });
    const force = { forceConflicts: true };
    expect(outcomes(await bench.sync(WANTED, force))).toEqual(["a applied"]);
    expect(await dataOf()).toEqual({ k: "wanted", other: "wanted" });
    expect(outcomes(await bench.sync(WANTED, force))).toEqual(["a unchanged"]);
  });

  test("it takes no object of another inventory", async () => {
    await bench.sync(WANTED);
    const other = await bench.sync(
      commit(map("a", "data: {k: theirs}\n")),
      { forceConflicts: true, inventoryPolicy: "adopt_if_no_inventory" },
      { agentId: 6n },
    );
    expect(failures(other)).toEqual([`a all.yaml:1 the object belongs to inventory 5-7`]);
  });
});

describe("features-3 fault 2: what was applied last", () => {
  const recorded = async (): Promise<string> => {
    const { value } = await bench.call("GET", bench.mapPath(INVENTORY));
    return textAt(fieldsAt(fieldsAt(value, "metadata"), "annotations"), LAST_APPLIED);
  };

  test("is recorded once per commit, with the time of the sync that applied it as a whole", async () => {
    const beforeMs = Date.now();
    const { inventory } = await bench.sync(WANTED);
    const first = await recorded();
    expect(first).toMatch(/^c1 \d{4}-\d\d-\d\dT\S+Z$/);
    expect(inventory?.lastApplied).toEqual({ commitId: "c1", atMs: Date.parse(first.slice(3)), objects: 1 });
    expect(inventory?.lastApplied?.atMs).toBeGreaterThanOrEqual(beforeMs);
    const version = async (): Promise<string> =>
      textAt(fieldsAt((await bench.call("GET", bench.mapPath(INVENTORY))).value, "metadata"), "resourceVersion");
    const written = await version();
    await edit({ other: "by hand" });
    await bench.sync(WANTED, { forceConflicts: true });
    expect([await recorded(), await version()]).toEqual([first, written]);
    const bad = "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {ports: [{port: 70000}]}\n";
    expect((await bench.sync(commit(`${WANTED_TEXT}---\n${bad}`, "c2"))).inventory?.lastApplied?.commitId).toBe("c1");
    expect(await recorded()).toBe(first);
    await bench.sync(commit(WANTED_TEXT, "c3"), { forceConflicts: true });
    expect(await recorded()).toMatch(/^c3 \d{4}/);
  });

  test("has no time in an inventory that records no commit, such as Go's, where everything is as it should be", async () => {
    await bench.sync(WANTED);
    await bench.annotate(INVENTORY, { [LAST_APPLIED]: "not of ours" });
    expect((await bench.sync(WANTED)).inventory?.lastApplied).toEqual({ commitId: "c1", atMs: undefined, objects: 1 });
    expect(await recorded()).toBe("c1");
  });
});

describe("stop_on", () => {
  const files = (broken: string, commitId = "c2") => ({
    commitId,
    projectId: 7n,
    files: [
      { source: "good.yaml", data: Buffer.from(maps("a", "c")) },
      { source: "broken.yaml", data: Buffer.from(broken) },
    ],
  });

  test("nothing: the other files are applied, nothing of the broken one, and nothing is pruned", async () => {
    await bench.sync(commit(maps("a", "b", "gone")));
    const report = await bench.sync(files(BROKEN), { stopOn: "nothing" });
    expect(outcomes(report)).toEqual(["a unchanged", "c applied"]);
    expect(report).toMatchObject({
      state: "failed",
      errors: [{ source: "broken.yaml", line: 6, message: "the object has no apiVersion" }],
      pruneHeld: "not everything was applied",
    });
    expect((await bench.seen()).live).toEqual(["a", "b", "c", "gone"]);
    expect(outcomes(await bench.sync(files(map("b"), "c3"), { stopOn: "nothing" }))).toEqual([
      "a unchanged",
      "b unchanged",
      "c unchanged",
      "gone pruned",
    ]);
  });

  test("a file without one readable manifest prunes nothing either", async () => {
    await bench.sync(commit(maps("a", "c")));
    const empty = { commitId: "c2", projectId: 7n, files: [{ source: "all.yaml", data: Buffer.from("a: [") }] };
    expect(await bench.sync(empty, { stopOn: "nothing" })).toMatchObject({ state: "failed", pruneHeld: "not everything was applied" });
    expect((await bench.seen()).live).toEqual(["a", "c"]);
  });

  test("any_error: an object of a kind that is not served keeps all others from being applied", async () => {
    const text = `${maps("a")}---\napiVersion: sea.example.com/v1\nkind: Boat\nmetadata: {name: b}\n`;
    expect(await bench.sync(commit(text), { stopOn: "any_error" })).toMatchObject({ state: "invalid", results: [], errors: [{ line: 6 }] });
    expect(await bench.seen()).toEqual({ live: [], listed: [] });
    expect(outcomes(await bench.sync(commit(text)))).toEqual(["a applied"]);
  });
});

describe("drift: show", () => {
  const SHOW: Partial<SyncOptions> = { drift: "show" };

  test("what was changed or deleted is reported and left, a new commit corrects it", async () => {
    const text = `${map("a", "data: {k: wanted}\n")}---\n${maps("b", "c")}`;
    await bench.sync(commit(text), SHOW);
    expect(await bench.sync(commit(text), SHOW)).toMatchObject({ state: "synced", pruneHeld: "" });
    await edit({ k: "by hand", more: "1" });
    await bench.call("DELETE", bench.mapPath("b"));
    const report = await bench.sync(commit(text), SHOW);
    expect(report.state).toBe("drifted");
    expect(report.results.map(({ key, outcome, reason }) => [key.name, outcome, reason])).toEqual([
      ["a", "drifted", "other than in the manifest: .data.k"],
      ["b", "drifted", "it is not there any more"],
      ["c", "unchanged", ""],
    ]);
    expect(report.live.map(({ key }) => key.name)).toEqual(["c"]);
    expect(await dataOf()).toEqual({ k: "by hand", more: "1" });
    expect((await bench.seen()).live).toEqual(["a", "c"]);
    const next = await bench.sync(commit(text, "c2"), { ...SHOW, forceConflicts: true });
    expect(outcomes(next)).toEqual(["a applied", "b applied", "c unchanged"]);
    expect(await dataOf()).toEqual({ k: "wanted", more: "1" });
  });

  test("a requested sync corrects it, once", async () => {
    await bench.sync(WANTED, SHOW);
    await bench.call("DELETE", bench.mapPath("a"));
    await bench.annotate(INVENTORY, { [SYNC_REQUESTED]: "1" });
    expect(outcomes(await bench.sync(WANTED, SHOW))).toEqual(["a applied"]);
    await bench.call("DELETE", bench.mapPath("a"));
    expect(outcomes(await bench.sync(WANTED, SHOW))).toEqual(["a drifted"]);
  });

  test("a commit that was not applied as a whole is tried again", async () => {
    const bad = "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec: {ports: [{port: 70000}]}\n";
    await bench.sync(commit(`${maps("a")}---\n${bad}`), SHOW);
    await bench.call("DELETE", bench.mapPath("a"));
    expect(outcomes(await bench.sync(commit(`${maps("a")}---\n${bad}`), SHOW))).toEqual(["a applied", "bad failed"]);
  });

  test("a prune that is held stays reported, and happens with consent", async () => {
    await bench.sync(commit(maps("a")), SHOW);
    const other = commit(maps("b"), "c2");
    const held = { state: "synced", pruneHeld: "all 1 objects of the inventory would be pruned" };
    expect(await bench.sync(other, SHOW)).toMatchObject(held);
    expect((await bench.sync(other, SHOW)).pruneHeld).not.toBe("");
    await bench.annotate(INVENTORY, { [PRUNE_CONSENT]: "c2" });
    expect(outcomes(await bench.sync(other, SHOW))).toEqual(["a pruned", "b unchanged"]);
  });

  test("of a Secret the field is reported, not the value", async () => {
    const secret = commit("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {password: canary-wanted}\n");
    const path = `/api/v1/namespaces/${bench.namespace}/secrets/s`;
    await bench.sync(secret, SHOW);
    await bench.patch(path, { stringData: { password: "canary-by-hand" } }, "application/merge-patch+json");
    const report = await bench.sync(secret, SHOW);
    expect(report.results).toMatchObject([{ outcome: "drifted", reason: "other than in the manifest: .data.password" }]);
    expect(JSON.stringify(report.results)).not.toMatch(/canary|Y2FuYXJ5/);
  });

  test("where drift is corrected no mark is written, and an old one is taken away", async () => {
    const mark = async (): Promise<string> => {
      const { value } = await bench.call("GET", bench.mapPath(INVENTORY));
      return textAt(fieldsAt(fieldsAt(value, "metadata"), "annotations"), APPLIED);
    };
    await bench.sync(WANTED);
    expect(await mark()).toBe("");
    await bench.sync(WANTED, SHOW);
    expect(await mark()).toMatch(/^c1 [0-9a-f]{16}$/);
    await bench.sync(WANTED);
    expect(await mark()).toBe("");
  });

  test("what was applied before a commit that was broken off is no measure of drift", async () => {
    await bench.sync(WANTED, SHOW);
    const leave = new AbortController();
    const api = {
      call: (call: Parameters<typeof bench.api.call>[0]) =>
        call.target.includes("fieldManager=agentk") ? Promise.reject(new Error("killed")) : bench.api.call(call),
    };
    await expect(bench.sync(commit(map("a", "data: {k: newer}\n"), "c2"), SHOW, { api, signal: leave.signal })).rejects.toThrow("killed");
    await bench.call("DELETE", bench.mapPath("a"));
    expect(outcomes(await bench.sync(WANTED, SHOW))).toEqual(["a applied"]);
  });
});
