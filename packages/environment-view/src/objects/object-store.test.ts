import type { KubeObject } from "@binnacle/kube";
import { beforeEach, describe, expect, test } from "vitest";

import { ObjectStore } from "./object-store.ts";

let received: string[];
let store: ObjectStore;

beforeEach(() => {
  received = [];
  store = new ObjectStore({
    upsert: ({ metadata }) => void received.push(`+${metadata.name}/${metadata.uid}@${metadata.resourceVersion}`),
    remove: ({ metadata }) => void received.push(`-${metadata.name}/${metadata.uid}`),
  });
});

function object(name: string, resourceVersion: string, uid = `uid-${name}`): KubeObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "app", name, uid, resourceVersion } };
}

function taken(): string[] {
  return received.splice(0);
}

describe("ObjectStore", () => {
  test("a list becomes what came, changed and left", () => {
    store.replace("pods", [object("a", "1"), object("b", "1"), object("c", "1")]);
    expect(taken()).toEqual(["+a/uid-a@1", "+b/uid-b@1", "+c/uid-c@1"]);
    store.replace("pods", [object("a", "1"), object("b", "2")]);
    expect(taken()).toEqual(["-c/uid-c", "+b/uid-b@2"]);
    expect(store.count("pods")).toBe(2);
    expect(store.count("others")).toBe(0);
  });

  test("after versions were forgotten the next list is taken whole, and only that one", () => {
    store.replace("pods", [object("a", "1")]);
    store.forgetVersions("pods");
    taken();
    store.replace("pods", [object("a", "1")]);
    expect(taken()).toEqual(["+a/uid-a@1"]);
    store.replace("pods", [object("a", "1")]);
    expect(taken()).toEqual([]);
  });

  test("an object that was made again under its name replaces the one before, and its late deletion has no effect", () => {
    store.upsert("pods", object("a", "1", "first"));
    store.upsert("pods", object("a", "2", "second"));
    expect(taken()).toEqual(["+a/first@1", "-a/first", "+a/second@2"]);
    store.remove("pods", object("a", "1", "first"));
    expect(taken()).toEqual([]);
    store.upsert("pods", object("a", "3", "third"));
    expect(taken()).toEqual(["-a/second", "+a/third@3"]);
    expect(store.count("pods")).toBe(1);
  });

  test("a name that is free again belongs to the next object", () => {
    store.upsert("pods", object("a", "1", "first"));
    store.remove("pods", object("a", "1", "first"));
    store.upsert("pods", object("a", "2", "second"));
    store.remove("pods", object("a", "2", "second"));
    expect(taken()).toEqual(["+a/first@1", "-a/first", "+a/second@2", "-a/second"]);
  });

  test("what is not known cannot leave", () => {
    store.remove("pods", object("a", "1"));
    expect(taken()).toEqual([]);
  });

  test("an object without a version is taken every time", () => {
    const plain: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "app", name: "a", uid: "u" } };
    store.replace("pods", [plain]);
    store.replace("pods", [plain]);
    expect(taken()).toHaveLength(2);
  });
});
