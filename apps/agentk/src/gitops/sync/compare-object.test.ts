import { OWNING_INVENTORY, type Fields } from "@binnacle/kube";
import { expect, test } from "vitest";

import type { ApiAnswer, ApiCall, ClusterApi } from "../../cluster-access/cluster-api.ts";
import type { PlacedManifest } from "../manifests/placed-manifest.ts";
import { applyObject, type Applying } from "./apply-object.ts";
import { compareObject } from "./drift.ts";
import type { ObjectResult } from "./object-result.ts";
import { OwnWrites } from "./own-writes.ts";

const OBJECT = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "shop" }, data: { k: "wanted" } };
const MANIFEST: PlacedManifest = {
  object: OBJECT,
  source: "a.yaml",
  line: 1,
  text: "",
  key: { group: "", kind: "ConfigMap", namespace: "shop", name: "a" },
  kind: { group: "", version: "v1", resource: "configmaps", namespaced: true },
};

const live = (data: Fields, version = "1"): Fields => ({
  ...OBJECT,
  data,
  metadata: { ...OBJECT.metadata, resourceVersion: version, generation: Number(version), annotations: { [OWNING_INVENTORY]: "i" } },
});

/** The result for the manifest, and the queries of the PATCH requests that the API server received. */
async function outcomeOf(
  act: (manifest: PlacedManifest, by: Applying) => Promise<ObjectResult>,
  answers: { readonly before?: Fields; readonly after?: Fields; readonly refusal?: ApiAnswer },
  force = false,
) {
  const patches: string[] = [];
  const api: ClusterApi = {
    async call({ method, target }: ApiCall): Promise<ApiAnswer> {
      if (method === "PATCH") patches.push(target.slice(target.indexOf("?")));
      if (method === "PATCH") return answers.refusal ?? { statusCode: 200, value: answers.after };
      return answers.before === undefined ? { statusCode: 404, value: {} } : { statusCode: 200, value: answers.before };
    },
  };
  const inventory = { id: "i", formerId: "former" };
  const signal = new AbortController().signal;
  const by = {
    api,
    inventory,
    policy: "must_match",
    force,
    dryRun: false,
    ownWrites: new OwnWrites(),
    kept: () => new Set<string>(),
    signal,
  } as const;
  const { outcome, reason } = await act(MANIFEST, by);
  return { outcome, reason, patches };
}

const COMPARED = ["?fieldManager=agentk&force=true&dryRun=All"];

test("an object that is as its manifest says is unchanged, whatever else it has", async () => {
  const same = { k: "wanted", more: "1" };
  expect(await outcomeOf(compareObject, { before: live(same), after: live(same, "2") })).toEqual({
    outcome: "unchanged",
    reason: "",
    patches: COMPARED,
  });
});

test("one that a user has changed has drifted: its fields are reported, not their values", async () => {
  const [before, after] = [live({ k: "by hand" }), live({ k: "wanted" })];
  const reason = "other than in the manifest: .data.k";
  expect(await outcomeOf(compareObject, { before, after })).toEqual({ outcome: "drifted", reason, patches: COMPARED });
});

test("at most five fields are reported", async () => {
  const many = (value: string): Fields => live(Object.fromEntries(["a", "b", "c", "d", "e", "f"].map((name) => [name, value])));
  expect(await outcomeOf(compareObject, { before: many("1"), after: many("2") })).toMatchObject({
    reason: "other than in the manifest: .data.a, .data.b, .data.c, .data.d, .data.e and more",
  });
});

test("one that was deleted has drifted", async () => {
  expect(await outcomeOf(compareObject, { after: live({ k: "wanted" }) })).toMatchObject({
    outcome: "drifted",
    reason: "it is not there any more",
  });
});

test("what the API server refuses to compare, or belongs to others, has failed", async () => {
  const refusal = { statusCode: 403, value: { kind: "Status", message: "no", reason: "Forbidden" } };
  expect(await outcomeOf(compareObject, { before: live({}), refusal })).toMatchObject({ outcome: "failed" });
  const foreign = { ...OBJECT, metadata: { ...OBJECT.metadata, annotations: { [OWNING_INVENTORY]: "other" } } };
  expect(await outcomeOf(compareObject, { before: foreign })).toEqual({
    outcome: "failed",
    reason: "the object belongs to inventory other",
    patches: [],
  });
});

test("an apply takes fields of other managers only with force", async () => {
  const answers = { before: live({}), after: live({ k: "wanted" }, "2") };
  expect((await outcomeOf(applyObject, answers)).patches).toEqual(["?fieldManager=agentk&force=false"]);
  expect(await outcomeOf(applyObject, answers, true)).toEqual({
    outcome: "applied",
    reason: "",
    patches: ["?fieldManager=agentk&force=true"],
  });
});
