// needs: control-plane
import { ActionKind, ActionOutcome, ActionRight, MetadataEntrySchema, type MetadataEntry } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parse } from "yaml";

import { featuresSchema } from "../../config/features.ts";
import { ActionBench, CLUSTERS, NAMESPACE, podSpec, sentenceOf, workloadSpec, type BenchObject } from "../../testing/action-bench.ts";
import { answerRules } from "../../testing/cluster-behind-kas.ts";
import { NAMES } from "../../testing/dashboard-tab.ts";

const ALL = featuresSchema.parse({ actions: "all" });
const RBAC = "/apis/rbac.authorization.k8s.io/v1";

const label = (key: string, value?: string): MetadataEntry => create(MetadataEntrySchema, { key, ...(value !== undefined && { value }) });
const annotation = (key: string, value: string): MetadataEntry => create(MetadataEntrySchema, { annotation: true, key, value });
const edit = (...entries: MetadataEntry[]) => ({ kind: ActionKind.EDIT_LABELS, parameters: { entries } });
const notesOf = (shown: { readonly notes: Parameters<typeof sentenceOf>[0][] }) => shown.notes.map(sentenceOf);

describe.each(CLUSTERS)("labels and objects of the cluster on %s", (_, start) => {
  let bench: ActionBench;
  beforeAll(async () => {
    bench = await ActionBench.start(start);
  });
  afterAll(() => bench.stop());
  beforeEach(() => bench.open({ features: ALL }));
  afterEach(() => bench.close());

  test("labels and annotations are set, added and removed, and the reverse restores them; the level safe has it", async () => {
    await bench.close();
    await bench.open({ features: featuresSchema.parse({}) });
    const map = await bench.create("/configmaps", "ConfigMap", { metadata: { labels: { tier: "front", old: "1" } } });
    const present = await bench.preview(map.target, edit());
    expect(present.entries).toMatchObject([{ key: "old" }, { key: "tier", value: "front" }]);
    const action = edit(label("tier", "back"), label("old"), annotation("example.com/note", "of the shop"));
    const shown = await bench.preview(map.target, action);
    expect(shown.changes).toMatchObject([
      { path: "metadata.labels[tier]", before: "front", after: "back" },
      { path: "metadata.labels[old]", before: "1", after: "" },
      { path: "metadata.annotations[example.com/note]", after: "of the shop" },
    ]);
    expect(await map.read(), "a dry run changes nothing").toMatchObject({ metadata: { labels: { tier: "front", old: "1" } } });
    const done = await bench.perform(map.target, action, shown);
    expect(done).toMatchObject({ outcome: ActionOutcome.DONE, undo: ActionKind.EDIT_LABELS });
    const { metadata } = await map.read();
    expect(metadata).toMatchObject({
      labels: { tier: "back" },
      annotations: { "example.com/note": "of the shop" },
    });
    expect(metadata).toHaveProperty("managedFields", expect.arrayContaining([expect.objectContaining({ manager: "binnacle" })]));
    expect(metadata).not.toHaveProperty("labels.old");
    expect(bench.world.audit).toContainEqual(
      expect.objectContaining({ purpose: expect.objectContaining({ action: "edit-labels" }), dryRun: false, outcome: "done" }),
    );
    const reverse = edit(...(done.undoParameters?.entries ?? []));
    await bench.perform(map.target, reverse, await bench.preview(map.target, reverse));
    expect(await map.read()).toMatchObject({ metadata: { labels: { tier: "front", old: "1" } } });
  });

  test("a review reads the object once; identity and rights of the viewer are requested once for all objects of a namespace", async () => {
    const [one, other] = [await bench.create("/configmaps", "ConfigMap", {}), await bench.create("/configmaps", "ConfigMap", {})];
    const sent: string[] = [];
    bench.cluster.intercept = ({ method = "", url = "" }) => {
      sent.push(`${method} ${url.slice(url.lastIndexOf("/") + 1)}`);
      return undefined;
    };
    const requestsOf = async (target: BenchObject["target"]): Promise<readonly string[]> => {
      sent.length = 0;
      await bench.dashboard.reviewActions({ target });
      return sent.toSorted();
    };
    const read = ({ target }: BenchObject): string => `GET ${target.ref.name}`;
    expect(await requestsOf(one.target)).toEqual([read(one), "POST selfsubjectreviews", "POST selfsubjectrulesreviews"]);
    expect(await requestsOf(one.target)).toEqual([read(one)]);
    expect(await requestsOf(other.target)).toEqual([read(other)]);
  });

  test("a label that has changed meanwhile is not overwritten, another one does not matter", async () => {
    const map = await bench.create("/configmaps", "ConfigMap", { metadata: { labels: { tier: "front" } } });
    const action = edit(label("tier", "back"), label("added", "1"));
    const shown = await bench.preview(map.target, action);
    await bench.cluster.merge(map.path, { metadata: { labels: { tier: "other" } } });
    const lost = await bench.perform(map.target, action, shown);
    expect([lost.outcome, sentenceOf(lost.words)]).toEqual([ActionOutcome.CONFLICT, expect.stringContaining("labels[tier]=other")]);
    const again = await bench.preview(map.target, action);
    await bench.cluster.merge(map.path, { metadata: { labels: { unrelated: "1" } } });
    expect(await bench.perform(map.target, action, again)).toMatchObject({ outcome: ActionOutcome.DONE });
    expect(await map.read()).toMatchObject({ metadata: { labels: { tier: "back", added: "1", unrelated: "1" } } });
  });

  test("a key or value that Kubernetes does not accept is rejected with its reason, without a request", async () => {
    const map = await bench.create("/configmaps", "ConfigMap", {});
    const refusal = async (entry: MetadataEntry) => sentenceOf((await bench.preview(map.target, edit(entry))).refused);
    expect(await refusal(label("a b", "1"))).toContain("key a b is not valid");
    expect(await refusal(label("tier", "a b"))).toContain("the value of label tier");
  });

  test("a label that the controller's or a Service's selector needs is named", async () => {
    const labels = { app: "chosen" };
    const spec = { ...workloadSpec(), selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec() } };
    const owner = await bench.create("apps/replicasets", "ReplicaSet", { spec: { ...spec, replicas: 0 } });
    const { apiVersion, kind, metadata } = await owner.read();
    const { name, uid } = metadata as { readonly name: string; readonly uid: string };
    const pod = await bench.create("/pods", "Pod", {
      // Its controller may delete it at once, since it wants none.
      metadata: { labels, finalizers: ["example.test/wait"], ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
      spec: podSpec(),
    });
    const service = await bench.create("/services", "Service", { spec: { selector: labels, ports: [{ port: 80 }] } });
    await bench.create("/services", "Service", { spec: { selector: { app: "another" }, ports: [{ port: 80 }] } });
    const leaves = (what: string) => `label app is in the selector of ${what}, which no longer selects this object then`;
    expect(notesOf(await bench.preview(pod.target, edit(label("app"))))).toEqual([
      leaves(`ReplicaSet ${name}`),
      leaves(`Service ${service.target.ref.name}`),
    ]);
    expect(notesOf(await bench.preview(pod.target, edit(label("other", "1"))))).toEqual([]);
  });

  /** An object of no namespace. */
  const clusterRole = async (name: string): Promise<BenchObject> => {
    const path = `${RBAC}/clusterroles/${name}`;
    await bench.cluster.send("POST", `${RBAC}/clusterroles`, { body: { metadata: { name, labels: { team: "shop" } }, rules: [] } });
    const ref = { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", resource: "clusterroles", namespace: "", name };
    return { path, target: { ...NAMES, ref }, read: () => bench.cluster.send("GET", path) };
  };
  const ofWholeCluster = (tier = "PRODUCTION"): void => {
    const [environment] = bench.world.main.environments;
    if (environment === undefined) throw new Error("there is an environment");
    bench.world.main.environments = [{ ...environment, namespace: "", tier }];
  };

  test("an object of the cluster is edited, labelled and deleted where the environment is all of the cluster; its name is always typed", async () => {
    ofWholeCluster();
    const role = await clusterRole("shared-role");
    bench.cluster.intercept = answerRules([]);
    const { actions } = await bench.dashboard.reviewActions({ target: role.target });
    expect(
      actions.map(({ kind, right }) => [kind, right]),
      "rules of a namespace do not answer for it",
    ).toEqual([
      [ActionKind.EDIT_LABELS, ActionRight.ALLOWED],
      [ActionKind.EDIT, ActionRight.ALLOWED],
      [ActionKind.DELETE, ActionRight.ALLOWED],
    ]);
    const { yaml: base, resourceVersion } = await bench.dashboard.openEditor({ target: role.target });
    const parameters = { base, edited: base.replace("team: shop", "team: other"), resourceVersion };
    const typedName = role.target.ref.name;
    const change = { kind: ActionKind.EDIT, parameters, request: { typedName } };
    expect(await bench.perform(role.target, change, await bench.preview(role.target, change))).toMatchObject({
      outcome: ActionOutcome.DONE,
    });
    const labels = edit(label("team", "third"));
    expect(await bench.perform(role.target, labels, await bench.preview(role.target, labels))).toMatchObject({
      outcome: ActionOutcome.DONE,
    });
    expect(await role.read()).toMatchObject({ metadata: { labels: { team: "third" } } });

    await bench.close();
    await bench.open({ features: featuresSchema.parse({ actions: "all" }) });
    ofWholeCluster("DEVELOPMENT");
    const shown = await bench.preview(role.target, { kind: ActionKind.DELETE });
    expect(shown, "whatever the tier is").toMatchObject({ needsName: true });
    const untyped = await bench.perform(role.target, { kind: ActionKind.DELETE, request: { requestId: "dialog-0001" } }, shown);
    expect(untyped).toMatchObject({ outcome: ActionOutcome.REFUSED });
    expect(await bench.perform(role.target, { kind: ActionKind.DELETE, request: { typedName } }, shown)).toMatchObject({
      outcome: ActionOutcome.DONE,
    });
    await expect(role.read()).rejects.toThrow("not found");
  });

  test("a Namespace says what is deleted with it; the level safe has nothing for objects of the cluster", async () => {
    ofWholeCluster();
    const ref = { group: "", version: "v1", kind: "Namespace", resource: "namespaces", namespace: "", name: NAMESPACE };
    const shown = await bench.preview({ ...NAMES, ref }, { kind: ActionKind.DELETE });
    expect(shown).toMatchObject({ needsName: true });
    expect(notesOf(shown)).toContain("everything in the namespace is deleted with it");
    await bench.close();
    await bench.open({ features: featuresSchema.parse({}) });
    ofWholeCluster();
    expect((await bench.dashboard.reviewActions({ target: { ...NAMES, ref } })).actions).toEqual([]);
    expect(sentenceOf((await bench.preview({ ...NAMES, ref }, edit(label("a", "1")))).refused)).toContain("switched off");
  });

  test("an object of the cluster is not of an environment of one namespace, and a missing right is that of a ClusterRole", async () => {
    const role = await clusterRole("other-role");
    await expect(bench.dashboard.reviewActions({ target: role.target })).rejects.toThrow("not in a namespace of production");
    ofWholeCluster();
    bench.cluster.intercept = (request, response) => {
      if (!request.url?.endsWith("/selfsubjectaccessreviews")) return undefined;
      const review = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: {}, status: { allowed: false } };
      request.resume().on("end", () => response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(review)));
      return "handled";
    };
    const { actions } = await bench.dashboard.reviewActions({ target: role.target });
    const removal = actions.find(({ kind }) => kind === ActionKind.DELETE);
    expect(sentenceOf(removal?.words)).toBe("you may not delete clusterroles");
    expect(parse(removal?.roleYaml ?? "")).toMatchObject({
      kind: "ClusterRole",
      rules: [{ resources: ["clusterroles"], verbs: ["delete"] }],
    });
  });
});
