import { INVENTORY_LABEL } from "@binnacle/kube";
import { ActionKind, ActionOutcome, ActionRight, GitopsAskOutcome, GitopsRight, GitopsWish } from "@binnacle/proto/dashboard";
import { Code } from "@connectrpc/connect";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";

import { featuresSchema } from "../../config/features.ts";
import { ActionBench, CLUSTERS, NAMESPACE, sentenceOf, type RequestedAction } from "../../testing/action-bench.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";

const COMMIT = "abcdef12".padEnd(40, "0");
/** Not a namespace of the environment: agentk keeps inventories where its configuration says. */
const ELSEWHERE = "gitops";
const ID = "inventory-3-9";
const KINDS = [ActionKind.SYNC, ActionKind.PAUSE_SYNCS, ActionKind.RESUME_SYNCS, ActionKind.CONSENT_PRUNE];

let bench: ActionBench;
beforeAll(async () => {
  const [, start] = CLUSTERS[0] ?? [];
  if (start === undefined) throw new Error("there is no embedded cluster");
  bench = await ActionBench.start(start);
  await bench.cluster.send("POST", "/api/v1/namespaces", {
    body: { apiVersion: "v1", kind: "Namespace", metadata: { name: ELSEWHERE } },
  });
});
afterAll(() => bench.stop());
beforeEach(() => bench.open());
afterEach(() => bench.close());

let serial = 0;

/** An inventory, and a sync of the environment that kas says has it. */
async function inventory(namespace = NAMESPACE, labels: Record<string, string> = { [INVENTORY_LABEL]: ID }) {
  const name = `inventory-${(serial += 1)}`;
  const maps = `/api/v1/namespaces/${namespace}/configmaps`;
  await bench.cluster.send("POST", maps, { body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels } } });
  const sync = {
    project: "group/manifests",
    commitId: COMMIT.slice(0, 8),
    state: "GITOPS_SYNC_STATE_SYNCED",
    pruneHeld: "all 3 objects of the inventory would be pruned",
    objects: 3,
    namespaces: [NAMESPACE],
    inventoryId: ID,
    inventoryNamespace: namespace,
    inventoryName: name,
  };
  bench.world.kas.gitops = (_project, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ syncs: [sync] }));
  };
  const ref = { group: "", version: "v1", kind: "ConfigMap", resource: "configmaps", namespace, name };
  const annotations = async () => {
    const { metadata } = await bench.cluster.send("GET", `${maps}/${name}`);
    return (metadata as { readonly annotations?: Readonly<Record<string, string>> }).annotations ?? {};
  };
  return { target: { ...NAMES, ref }, annotations, gitops: { ...NAMES, inventoryNamespace: namespace, inventoryName: name } };
}

async function perform(target: Awaited<ReturnType<typeof inventory>>["target"], action: RequestedAction) {
  const shown = await bench.preview(target, action);
  expect(shown.refused, sentenceOf(shown.refused)).toBeUndefined();
  return { shown, done: await bench.perform(target, action, shown) };
}

test.each([NAMESPACE, ELSEWHERE])(
  "an inventory in namespace %s is synced, paused with a reason and resumed, each undone",
  async (namespace) => {
    const { target, annotations } = await inventory(namespace);
    const offered = async () => (await bench.dashboard.reviewActions({ target })).actions;
    expect(await offered()).toMatchObject(
      [ActionKind.SYNC, ActionKind.PAUSE_SYNCS, ActionKind.CONSENT_PRUNE].map((kind) => ({ kind, right: ActionRight.ALLOWED })),
    );
    const synced = await perform(target, { kind: ActionKind.SYNC });
    expect(synced.done).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.UNSPECIFIED });
    expect(await annotations()).toEqual({ "gitops.binnacle/sync-requested": synced.shown.field?.after });
    // The same request once more, as after a break, at another process.
    await bench.restart();
    expect(await bench.perform(target, { kind: ActionKind.SYNC }, synced.shown)).toMatchObject({ outcome: ActionOutcome.DONE });

    const paused = await perform(target, { kind: ActionKind.PAUSE_SYNCS, parameters: { reason: "database migration" } });
    expect(paused.done).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.RESUME_SYNCS });
    expect(await annotations()).toMatchObject({
      "gitops.binnacle/paused": "true",
      "gitops.binnacle/paused-reason": "database migration",
    });
    expect((await offered()).map(({ kind }) => kind)).toEqual([ActionKind.RESUME_SYNCS, ActionKind.CONSENT_PRUNE]);
    expect(sentenceOf((await bench.preview(target, { kind: ActionKind.SYNC })).refused)).toBe("syncs are paused: resume them");

    const { done } = await perform(target, { kind: paused.done.undo });
    expect(done).toMatchObject({ undo: ActionKind.PAUSE_SYNCS, undoParameters: { reason: "database migration" } });
    expect(Object.keys(await annotations())).toEqual(["gitops.binnacle/sync-requested"]);
  },
);

test("a held prune is consented to for its commit, and for no other", async () => {
  const { target, annotations } = await inventory();
  const { done, shown } = await perform(target, { kind: ActionKind.CONSENT_PRUNE, parameters: { commit: COMMIT } });
  expect(shown.notes.map(sentenceOf)).toEqual([
    "the next sync of this commit prunes what is held back: all 3 objects of the inventory would be pruned",
  ]);
  expect(done.outcome).toBe(ActionOutcome.DONE);
  expect(await annotations()).toEqual({ "gitops.binnacle/prune-consent": COMMIT });
  for (const commit of ["", COMMIT.slice(0, 8), "1".repeat(40)]) {
    const refused = await bench.preview(target, { kind: ActionKind.CONSENT_PRUNE, parameters: { commit } });
    expect(sentenceOf(refused.refused)).toBe("nothing waits for consent to this commit any more");
  }
});

test("a reason has one line", async () => {
  const { target } = await inventory();
  for (const reason of ["two\nlines", "x".repeat(201)])
    expect(sentenceOf((await bench.preview(target, { kind: ActionKind.PAUSE_SYNCS, parameters: { reason } })).refused)).toBe(
      "the reason must be one line of at most 200 characters",
    );
});

test("AskGitops writes the same", async () => {
  const { target, annotations, gitops } = await inventory();
  expect(await bench.dashboard.askGitops({ target: gitops, wish: GitopsWish.PAUSE })).toMatchObject({ outcome: GitopsAskOutcome.WRITTEN });
  expect(await annotations()).toEqual({ "gitops.binnacle/paused": "true" });
  await perform(target, { kind: ActionKind.RESUME_SYNCS });
  expect(await annotations()).toEqual({});
});

test("T33: a ConfigMap without the mark is no inventory, and one of another namespace is not reached through one", async () => {
  const unmarked = await inventory(NAMESPACE, {});
  const { actions } = await bench.dashboard.reviewActions({ target: unmarked.target });
  expect(actions.map(({ kind }) => kind)).toEqual([ActionKind.EDIT_LABELS]);
  const foreign = await inventory(ELSEWHERE, { [INVENTORY_LABEL]: "inventory-of-others" });
  await expect(bench.dashboard.reviewActions({ target: foreign.target })).rejects.toMatchObject({ code: Code.NotFound });
  for (const kind of KINDS) {
    const { refused } = await bench.preview(unmarked.target, { kind });
    expect(sentenceOf(refused)).toBe("there is no such action for ConfigMap");
    await expect(bench.preview(foreign.target, { kind })).rejects.toMatchObject({ code: Code.NotFound });
  }
  expect(await unmarked.annotations()).toEqual({});
});

test("an inventory has no other action, and none where actions are switched off, whichever call requests it", async () => {
  await bench.close();
  await bench.open({ features: featuresSchema.parse({ actions: "all" }) });
  const { target, annotations } = await inventory();
  const offered = (await bench.dashboard.reviewActions({ target })).actions.map(({ kind }) => kind);
  expect(offered).toEqual([ActionKind.SYNC, ActionKind.PAUSE_SYNCS, ActionKind.CONSENT_PRUNE]);
  expect(sentenceOf((await bench.preview(target, { kind: ActionKind.DELETE })).refused)).toBe("there is no such action for ConfigMap");
  await bench.close();
  await bench.open({ features: featuresSchema.parse({ actions: "off" }) });
  const off = await inventory();
  await expect(bench.preview(off.target, { kind: ActionKind.SYNC })).rejects.toMatchObject({ code: Code.PermissionDenied });
  expect((await bench.dashboard.reviewGitops({ target: off.gitops })).right).toBe(GitopsRight.DENIED);
  await expect(bench.dashboard.askGitops({ target: off.gitops, wish: GitopsWish.SYNC })).rejects.toMatchObject({
    code: Code.PermissionDenied,
  });
  expect([await annotations(), await off.annotations()]).toEqual([{}, {}]);
});
