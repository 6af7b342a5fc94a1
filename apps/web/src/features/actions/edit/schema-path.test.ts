import { describe, expect, test } from "vitest";

import { ITEM, optionsAt, placeOf, schemaAt, type KindSchema } from "./schema-path.ts";

const YAML = `apiVersion: apps/v1
kind: Deployment
metadata:
  labels:
    app.kubernetes.io/name: web
spec:
  replicas: 1
  template:
    spec:
      containers:
        - name: web
          image: a:1
          ports:
            - containerPort: 80
              protocol: TCP
        - name: side
      volumes:
      - name: data
        emptyDir: {}
`.split("\n");

const KIND: KindSchema = {
  root: "Deployment",
  schemas: {
    Deployment: {
      properties: { kind: { type: "string" }, spec: { ref: "Spec", description: "what is wanted" }, status: { type: "object" } },
    },
    Spec: {
      description: "a spec",
      properties: { replicas: { type: "integer" }, paused: { type: "boolean" }, template: { ref: "Template" } },
    },
    Template: { properties: { spec: { properties: { containers: { type: "array", items: { ref: "Container" } } } } } },
    Container: { properties: { name: { type: "string" }, imagePullPolicy: { enum: ["Always", "Never"] }, ports: { type: "array" } } },
  },
};

function placeAt(text: string, above: string): ReturnType<typeof placeOf> {
  const at = YAML.findIndex((line) => line.includes(above));
  return placeOf([...YAML.slice(0, at + 1), text]);
}

describe("placeOf", () => {
  test.each<readonly [string, string, string, readonly unknown[], string]>([
    ["at the root", "st", "kind: Deployment", [], "st"],
    ["in a map", "  pau", "replicas", ["spec"], "pau"],
    ["in an item", "          imageP", "image: a:1", ["spec", "template", "spec", "containers", ITEM], "imageP"],
    ["in an item's list", "              na", "protocol", ["spec", "template", "spec", "containers", ITEM, "ports", ITEM], "na"],
    ["in a new item", "        - na", "name: side", ["spec", "template", "spec", "containers", ITEM], "na"],
    ["behind a list that is not indented", "        sec", "name: data", ["spec", "template", "spec", "volumes", ITEM], "sec"],
    ["in a map of labels", "    team", "app.kubernetes.io/name", ["metadata", "labels"], "team"],
    ["on an empty line", "      ", "volumes:", ["spec", "template", "spec"], ""],
  ])("finds the map %s", (...[, text, above, path, key]) => {
    expect(placeAt(text, above)).toMatchObject({ path, key, column: text.length - key.length });
  });

  test("finds the value of a key", () => {
    expect(placeAt("          imagePullPolicy: Al", "image: a:1")).toMatchObject({ key: "imagePullPolicy", valueColumn: 27 });
  });
});

describe("optionsAt", () => {
  const labels = (text: string, above: string) => {
    const place = placeAt(text, above);
    return place && optionsAt(KIND, place).map(({ label }) => label);
  };

  test("has the keys of a map, also behind references, and no status", () => {
    expect(labels("s", "kind: Deployment")).toEqual(["kind", "spec"]);
    expect(labels("          i", "image: a:1")).toEqual(["name", "imagePullPolicy", "ports"]);
  });

  test("has the values of a field", () => {
    expect(labels("          imagePullPolicy: ", "image: a:1")).toEqual(["Always", "Never"]);
    expect(labels("  paused: ", "replicas")).toEqual(["true", "false"]);
  });

  test("is empty where nothing is known", () => {
    expect(labels("    x", "app.kubernetes.io/name")).toEqual([]);
  });

  test("a field's own description is before that of its type", () => {
    expect(schemaAt(KIND, ["spec"])?.description).toBe("what is wanted");
  });
});
