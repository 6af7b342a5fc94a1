import {
  driftOf,
  fieldsAt,
  fromDigest,
  KEPT_FIELDS,
  listAt,
  ownershipOf,
  shownPath,
  SYNC_REQUESTED,
  TAKE_OVER,
  textAt,
  type FieldDrift,
} from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import type { SyncOptions } from "../sync-options.ts";
import type { SyncReport } from "../sync-report.ts";
import { commit, map, outcomes } from "./manifest-texts.ts";
import { bench } from "./sync-bench.ts";

const INVENTORY = "inventory-5-7";
const IMAGE = "spec.template.spec.containers[web].image";

/** A Deployment that nothing starts, and a ConfigMap. */
const APP = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, labels: { app: web } }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: registry.example.test/web:1, ports: [{ containerPort: 80 }] }] }
---
${map("a", "data: {k: wanted}\n")}`;

const deployment = (): string => `/apis/apps/v1/namespaces/${bench.namespace}/deployments/web`;
const line = (): string => `${bench.namespace}_web_apps_Deployment`;

/** As `kubectl set image` does it. */
const setImage = (image: string) =>
  bench.api.call({
    method: "PATCH",
    target: `${deployment()}?fieldManager=kubectl-set`,
    body: { spec: { template: { spec: { containers: [{ name: "web", image }] } } } },
    contentType: "application/strategic-merge-patch+json",
    signal: new AbortController().signal,
  });

async function image(): Promise<string> {
  const spec = fieldsAt((await bench.call("GET", deployment())).value, "spec");
  const [container] = listAt(fieldsAt(fieldsAt(spec, "template"), "spec"), "containers");
  return textAt(container, "image");
}

/** How the Deployment stands by a report, as views compare it. */
async function driftBy(report: SyncReport): Promise<FieldDrift> {
  const digest = report.results.find(({ key }) => key.name === "web")?.appliedDigest;
  const applied = digest && fromDigest(digest);
  if (applied === undefined) throw new Error("no digest was reported");
  const { value } = await bench.call("GET", deployment());
  return driftOf(applied, ownershipOf(fieldsAt(value, "metadata")["managedFields"], { share: (text) => text }), false);
}

const shown = (drift: FieldDrift): readonly string[] =>
  drift.kind === "changed" ? drift.taken.map(({ path, manager }) => `${shownPath(path)} ${manager}`) : [];

const keep = (field: string, over: object = {}) =>
  bench.annotate(INVENTORY, {
    [KEPT_FIELDS]: JSON.stringify([{ object: line(), field, user: "jo", at: "2026-11-26T10:00:00Z", ...over }]),
  });

async function annotationsOf(name: string): Promise<string[]> {
  return Object.keys(fieldsAt(fieldsAt((await bench.call("GET", bench.mapPath(name))).value, "metadata"), "annotations"));
}

const OPTIONS: readonly Partial<SyncOptions>[] = [{ drift: "correct" }, { drift: "show" }];

describe.each(OPTIONS)("drift of an image with %j (B3)", (options) => {
  test("the digest of the report names field and manager, keeping it makes it none, and a request takes that object over alone", async () => {
    const first = await bench.sync(commit(APP), options);
    expect(outcomes(first)).toEqual(["a applied", "web applied"]);
    expect(await driftBy(first)).toEqual({ kind: "none" });
    await setImage("registry.example.test/web:2");
    await bench.call("PATCH", `${bench.mapPath("a")}?fieldManager=kubectl-edit`);
    expect(shown(await driftBy(first))).toEqual([`${IMAGE} kubectl-set`]);

    const drifted = await bench.sync(commit(APP), options);
    expect(outcomes(drifted)).toEqual(["a unchanged", "web drifted"]);
    expect(shown(await driftBy(drifted))).toEqual([`${IMAGE} kubectl-set`]);

    await keep(IMAGE);
    const kept = await bench.sync(commit(APP), options);
    expect(outcomes(kept)).toEqual(["a unchanged", "web unchanged"]);
    expect(kept.state).toBe("synced");
    expect(kept.results.find(({ key }) => key.name === "web")?.keptFields).toMatchObject([{ field: IMAGE, user: "jo" }]);
    expect(await driftBy(kept)).toEqual({ kind: "none" });
    expect(await image()).toBe("registry.example.test/web:2");

    await bench.patch(bench.mapPath(INVENTORY), { metadata: { annotations: { [KEPT_FIELDS]: null } } }, "application/merge-patch+json");
    const undone = await bench.sync(commit(APP), options);
    expect(outcomes(undone)).toEqual(["a unchanged", "web drifted"]);
    expect(shown(await driftBy(undone))).toEqual([`${IMAGE} kubectl-set`]);

    await bench.annotate(INVENTORY, { [TAKE_OVER]: line() });
    const taken = await bench.sync(commit(APP), options);
    expect(outcomes(taken)).toEqual(["a unchanged", "web unchanged"]);
    expect(taken).toMatchObject({ state: "synced", reason: "" });
    expect(await driftBy(taken)).toEqual({ kind: "none" });
    expect(await image()).toBe("registry.example.test/web:1");
    expect(await annotationsOf(INVENTORY)).not.toContain(TAKE_OVER);
    expect(outcomes(await bench.sync(commit(APP), options))).toEqual(["a unchanged", "web unchanged"]);
  });
});

describe("requests of an inventory's annotations (T50, T51)", () => {
  test.each([
    ["an object of another namespace", () => "kube-system_web_apps_Deployment"],
    ["an object that is in no manifest", () => `${bench.namespace}_kube-root-ca.crt__ConfigMap`],
    ["the inventory itself", () => `${bench.namespace}_${INVENTORY}__ConfigMap`],
    ["any text", () => `${"x".repeat(200_000)}\n{"a":1}`],
  ])("%s is not taken over, and the request is removed", async (_, value) => {
    await bench.sync(commit(APP), { drift: "show" });
    await setImage("registry.example.test/web:2");
    await bench.annotate(INVENTORY, { [TAKE_OVER]: value() });
    const report = await bench.sync(commit(APP), { drift: "show" });
    expect(report.reason).toBe("a request to take an object over names none of this commit and inventory");
    expect(outcomes(report)).toEqual(["a unchanged", "web drifted"]);
    expect(await image()).toBe("registry.example.test/web:2");
    expect(await annotationsOf(INVENTORY)).not.toContain(TAKE_OVER);
  });

  test("nothing is taken over while the project is paused; afterwards it is", async () => {
    await bench.sync(commit(APP), { drift: "show" });
    await setImage("registry.example.test/web:2");
    await bench.annotate(INVENTORY, { [TAKE_OVER]: line(), "gitops.binnacle/paused": "true" });
    expect((await bench.sync(commit(APP), { drift: "show" })).state).toBe("paused");
    expect(await image()).toBe("registry.example.test/web:2");
    await bench.annotate(INVENTORY, { "gitops.binnacle/paused": "false" });
    await bench.sync(commit(APP), { drift: "show" });
    expect(await image()).toBe("registry.example.test/web:1");
  });

  test.each([["spec.template.spec.containers[web].image"], ["spec"], ["metadata.labels.app"], ["metadata"], ["apiVersion"]])(
    "an entry for %s, which no other manager owns, removes nothing and hides nothing",
    async (field) => {
      await bench.sync(commit(APP));
      await keep(field);
      expect(outcomes(await bench.sync(commit(APP)))).toEqual(["a unchanged", "web unchanged"]);
      const { value } = await bench.call("GET", deployment());
      expect(fieldsAt(fieldsAt(value, "metadata"), "labels")).toEqual({ app: "web" });
      expect(await image()).toBe("registry.example.test/web:1");
    },
  );

  test("an entry that is none changes nothing", async () => {
    await bench.sync(commit(APP), { drift: "show" });
    await setImage("registry.example.test/web:2");
    await keep(IMAGE, { at: "some day" });
    expect(outcomes(await bench.sync(commit(APP), { drift: "show" }))).toEqual(["a unchanged", "web drifted"]);
  });
});

describe("replicas that an autoscaler writes", () => {
  test.each([{ drift: "correct" }, { drift: "show" }] as const)("are left to it with %j, and are no drift", async (options) => {
    await bench.sync(commit(APP), options);
    const scale = {
      apiVersion: "autoscaling/v1",
      kind: "Scale",
      metadata: { name: "web", namespace: bench.namespace },
      spec: { replicas: 4 },
    };
    await bench.call("PUT", `${deployment()}/scale?fieldManager=kube-controller-manager`, scale);
    const report = await bench.sync(commit(APP), options);
    expect(outcomes(report)).toEqual(["a unchanged", "web unchanged"]);
    expect(await driftBy(report)).toEqual({ kind: "none" });
    expect(fieldsAt((await bench.call("GET", deployment())).value, "spec")["replicas"]).toBe(4);
  });
});

describe("drift: ignore", () => {
  test("a commit is applied once; what was changed stays and is not compared until a sync is requested", async () => {
    const options = { drift: "ignore", forceConflicts: true } as const;
    await bench.sync(commit(APP), options);
    await setImage("registry.example.test/web:2");
    expect(await bench.sync(commit(APP), options)).toMatchObject({ state: "synced", results: [] });
    expect(await image()).toBe("registry.example.test/web:2");
    await bench.annotate(INVENTORY, { [SYNC_REQUESTED]: "1" });
    expect(outcomes(await bench.sync(commit(APP), options))).toEqual(["a unchanged", "web applied"]);
    expect(await image()).toBe("registry.example.test/web:1");
  });
});
