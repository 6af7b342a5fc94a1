import { describe, expect, test } from "vitest";

import { parsed } from "../testing/parsed.ts";
import { placeManifests, type PlacedManifests } from "./place-manifests.ts";
import { Turns } from "./turns.ts";
import { wavesOf } from "./waves.ts";

const KINDS: Readonly<Record<string, string>> = {
  Namespace: "namespaces",
  ConfigMap: "configmaps",
  CustomResourceDefinition: "customresourcedefinitions",
};

async function place(text: string): Promise<PlacedManifests> {
  const { manifests } = await parsed({ source: "a.yaml", data: Buffer.from(text) });
  return placeManifests(manifests, {
    defaultNamespace: "shop",
    turns: new Turns(),
    served: ({ apiVersion, kind }) => {
      const resource = KINDS[kind];
      const [group = "", version = ""] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
      return resource === undefined ? undefined : { group, version, resource, namespaced: kind === "ConfigMap" };
    },
  });
}

const config = (name: string, dependsOn = "", namespace = ""): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${namespace && `  namespace: ${namespace}\n`}${dependsOn && `  annotations: {config.kubernetes.io/depends-on: "${dependsOn}"}\n`}---\n`;
const NAMESPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: made}\n---\n";
const CRD = `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boats.sea}\nspec: {group: sea, scope: Namespaced, names: {kind: Boat, plural: boats}, versions: [{name: v1, served: true}, {name: v0, served: false}]}\n---\n`;
const boat = (version: string): string => `apiVersion: sea/${version}\nkind: Boat\nmetadata: {name: b}\n---\n`;

describe("where a manifest belongs", () => {
  test("a namespaced object without a namespace gets the default, a cluster-wide one gets none", async () => {
    const { placed } = await place(
      `${config("a")}${config("b", "", "other")}apiVersion: v1\nkind: Namespace\nmetadata: {name: made, namespace: x}\n`,
    );
    expect(placed.map(({ key, object }) => [key.namespace, object.metadata.namespace])).toEqual([
      ["shop", "shop"],
      ["other", "other"],
      ["", undefined],
    ]);
  });

  test("a kind that is not served yet is the one that a definition beside it defines, in its served versions", async () => {
    const { placed, errors } = await place(`${boat("v1")}${CRD}${boat("v0")}`);
    expect(placed.map(({ kind }) => kind.resource)).toEqual(["boats", "customresourcedefinitions"]);
    const object = { group: "sea", kind: "Boat", namespace: "", name: "b" };
    expect(errors).toEqual([{ source: "a.yaml", line: 10, message: "the cluster does not serve Boat of sea/v0", object }]);
  });

  test("an object that stands twice, once by the default namespace, is not placed, and both lines are named", async () => {
    const { placed, errors } = await place(`${config("a")}${config("a", "", "shop")}${config("b")}`);
    expect(placed.map(({ key }) => key.name)).toEqual(["b"]);
    const object = { group: "", kind: "ConfigMap", namespace: "shop", name: "a" };
    const other = { source: "a.yaml", line: 1 };
    expect(errors).toEqual([{ source: "a.yaml", line: 6, message: "ConfigMap shop/a stands in the manifests already", other, object }]);
  });

  test("an object that no inventory can list is an error", async () => {
    expect((await place(config('"a_b"'))).errors[0]?.message).toMatch(/no inventory can list ConfigMap shop\/a_b/);
  });
});

async function order(text: string): Promise<{ readonly waves: string[]; readonly errors: string[] }> {
  const { waves, errors } = await wavesOf((await place(text)).placed, new Turns());
  return {
    waves: waves.map((wave) => wave.map(({ key }) => key.name).join(" ")),
    errors: errors.map(({ line, message }) => `${line}: ${message}`),
  };
}

describe("waves", () => {
  test("Namespaces, definitions, the rest", async () => {
    expect(await order(`${config("a")}${boat("v1")}${CRD}${NAMESPACE}`)).toEqual({ waves: ["made", "boats.sea", "a b"], errors: [] });
  });

  test("what an object depends on comes before it, over several steps", async () => {
    const text = `${config("c", "/namespaces/shop/ConfigMap/b")}${config("b", "/namespaces/shop/ConfigMap/a, /Namespace/made")}${config("a")}${NAMESPACE}`;
    expect(await order(text)).toEqual({ waves: ["made", "a", "b", "c"], errors: [] });
  });

  test("a definition that waits for an object takes its own objects with it", async () => {
    const crd = CRD.replace(
      "{name: boats.sea}",
      `{name: boats.sea, annotations: {config.kubernetes.io/depends-on: /namespaces/shop/ConfigMap/a}}`,
    );
    expect((await order(`${boat("v1")}${crd}${config("a")}`)).waves).toEqual(["a", "boats.sea", "b"]);
  });

  test("a dependency that no manifest has is an error, and so is what depends on that", async () => {
    const text = `${config("a", "apps/namespaces/shop/Deployment/x")}${config("b", "/namespaces/shop/ConfigMap/a")}${config("c")}`;
    expect(await order(text)).toEqual({
      waves: ["c"],
      errors: [
        "1: ConfigMap shop/a depends on apps/Deployment shop/x, which no manifest has",
        "7: ConfigMap shop/b depends on ConfigMap shop/a, which cannot be applied",
      ],
    });
  });

  test("a circle names two of it, and what waits behind it names the one before it", async () => {
    const text = `${config("a", "/namespaces/shop/ConfigMap/b")}${config("b", "/namespaces/shop/ConfigMap/a")}${config("c", "/namespaces/shop/ConfigMap/b")}${config("d", "/namespaces/shop/ConfigMap/d")}`;
    expect(await order(text)).toEqual({
      waves: [],
      errors: [
        "1: ConfigMap shop/a and ConfigMap shop/b depend on each other",
        "7: ConfigMap shop/b and ConfigMap shop/a depend on each other",
        "13: ConfigMap shop/c depends on ConfigMap shop/b, which cannot be applied",
        "19: ConfigMap shop/d and ConfigMap shop/d depend on each other",
      ],
    });
  });

  test.each(["x", "/namespaces//ConfigMap/a", "a/b/c/d", "/namespaces/shop/ConfigMap/", "/elsewhere/shop/ConfigMap/a"])(
    "%s names no object",
    async (dependency) => {
      expect((await order(config("a", dependency))).errors).toEqual([
        `1: ConfigMap shop/a depends on "${dependency}", which names no object`,
      ]);
    },
  );

  test("two thousand objects in a row are put in order", async () => {
    const text = Array.from({ length: 2_000 }, (_, index) =>
      config(`c${index}`, index === 0 ? "" : `/namespaces/shop/ConfigMap/c${index - 1}`),
    ).join("");
    expect((await order(text)).waves).toHaveLength(2_000);
  });
});
