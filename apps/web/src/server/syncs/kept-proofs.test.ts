import type { KeptField } from "@binnacle/kube";
import { parseKeptFields } from "@binnacle/kube";
import { GitopsWish } from "@binnacle/proto/dashboard";
import { Secret } from "@binnacle/telemetry";
import { describe, expect, test } from "vitest";

import { KeptProofs } from "./kept-proofs.ts";
import { annotationOf, objectIntentOf, type ObjectIntentContext } from "./object-intent.ts";

const SECRET = new Secret(Buffer.alloc(32, 7).toString("base64"));
const proofs = new KeptProofs(SECRET);
const OBJECT = { group: "apps", kind: "Deployment", namespace: "prod", name: "web", field: "spec.replicas" };
const NOW = Date.parse("2026-11-26T10:00:00Z");
const CONTEXT: ObjectIntentContext = { user: "jo", nowMs: NOW, inventory: "prod/inventory-3-9", kept: "", proofs };

function intent(kind: GitopsWish, over: object = {}, commit = "") {
  return objectIntentOf({ wish: kind, commit, object: { ...OBJECT, ...over, $typeName: "dashboard.v1.GitopsObjectTarget" } });
}

function kept(field: string, context: Partial<ObjectIntentContext> = {}): string {
  const found = intent(GitopsWish.KEEP, { field });
  const annotations = found && annotationOf(found, { ...CONTEXT, ...context });
  return annotations?.["gitops.binnacle/kept-fields"] ?? "";
}

const first = (text: string): KeptField => parseKeptFields(text)[0] as KeptField;

describe("kept fields (T51)", () => {
  test("an entry that was written for a viewer is proven, and nothing else is", () => {
    const { proof, ...entry } = first(kept("spec.replicas"));
    const proven = { ...entry, inventory: "prod/inventory-3-9" };
    expect(proofs.isProven(proven, proof)).toBe(true);
    expect(new KeptProofs(SECRET).isProven(proven, proof)).toBe(true);
    for (const other of [
      { user: "mara" },
      { field: "spec.paused" },
      { object: "prod_api_apps_Deployment" },
      { atMs: NOW + 1 },
      { inventory: "prod/inventory-3-8" },
    ]) {
      expect(proofs.isProven({ ...proven, ...other }, proof)).toBe(false);
    }
    for (const forged of ["", "x", `${proof}A`, "ß"]) expect(proofs.isProven(proven, forged)).toBe(false);
    expect(new KeptProofs(new Secret(Buffer.alloc(32, 8).toString("base64"))).isProven(proven, proof)).toBe(false);
  });

  test("without a secret nothing is proven, not even an empty proof", () => {
    const without = new KeptProofs(undefined);
    const { proof, ...entry } = first(kept("spec.replicas", { proofs: without }));
    expect(proof).toBe("");
    expect(without.isProven({ ...entry, inventory: "prod/inventory-3-9" }, "")).toBe(false);
  });

  test("a field is added beside the others, once, and taken out again", () => {
    const one = kept("spec.replicas");
    const two = kept("spec.paused", { kept: one });
    expect(parseKeptFields(two).map(({ field }) => field)).toEqual(["spec.replicas", "spec.paused"]);
    const again = kept("spec.replicas", { kept: two, user: "mara" });
    expect(parseKeptFields(again).map(({ field, user }) => `${field} ${user}`)).toEqual(["spec.paused jo", "spec.replicas mara"]);
    const undo = intent(GitopsWish.UNDO_KEEP, { field: "spec.replicas" });
    expect(undo && annotationOf(undo, { ...CONTEXT, kept: one })).toEqual({ "gitops.binnacle/kept-fields": null });
  });

  test("at most a hundred fields are kept", () => {
    const full = Array.from({ length: 100 }, (_, index) => index).reduce((text, index) => kept(`spec.a${index}`, { kept: text }), "");
    expect(parseKeptFields(full)).toHaveLength(100);
    const more = intent(GitopsWish.KEEP, { field: "spec.more" });
    expect(more && annotationOf(more, { ...CONTEXT, kept: full })).toBeUndefined();
  });
});

describe("requests for one object (T50)", () => {
  test("a take-over writes the object's line", () => {
    const found = intent(GitopsWish.TAKE_OVER, { field: "" });
    expect(found && annotationOf(found, CONTEXT)).toEqual({ "gitops.binnacle/take-over": "prod_web_apps_Deployment" });
  });

  test.each([
    [GitopsWish.TAKE_OVER, {}, ""],
    [GitopsWish.TAKE_OVER, { field: "", name: "we_b" }, ""],
    [GitopsWish.TAKE_OVER, { field: "" }, "1".repeat(40)],
    [GitopsWish.KEEP, { field: "" }, ""],
    [GitopsWish.KEEP, { field: "f".repeat(513) }, ""],
    [GitopsWish.UNDO_KEEP, { name: "x".repeat(300) }, ""],
    [GitopsWish.SYNC, {}, ""],
  ])("request %i with %j is invalid", (kind, over, commit) => {
    expect(intent(kind, over, commit)).toBeUndefined();
  });
});
