import { StringPool, type KubeObject } from "@binnacle/kube";
import { describe, expect, test } from "vitest";

import { kindOf } from "../testing/fake-cluster.ts";
import { ObjectKeeper } from "./object-keeper.ts";

const PODS = kindOf("/v1/pods/Pod");
const DEPLOYMENTS = kindOf("apps/v1/deployments/Deployment");
const SECRETS = kindOf("/v1/secrets/Secret");
const SERVICES = kindOf("/v1/services/Service");

/** A keeper for rules of these kinds ("apiVersion/Kind"), and edges from those ("group/Kind"). */
function keeperFor({ rules = [], edges = [] }: { readonly rules?: readonly string[]; readonly edges?: readonly string[] }): ObjectKeeper {
  const to = { group: "", kind: "ConfigMap" };
  return new ObjectKeeper({
    rules: {
      ruleFor: (apiVersion, kind) => (rules.includes(`${apiVersion}/${kind}`) ? { source: "test" } : undefined),
      lookup: () => ({ kind: "none" }),
      onChange: () => () => {},
    },
    customEdges: edges.map((edge, index) => {
      const [group = "", kind = ""] = edge.split("/");
      return { id: `edge-${index}`, from: { group, kind }, class: "target", path: "$.spec.x", to };
    }),
  });
}

function pod(kind = "Pod"): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name: "p" }, spec: { containers: [{ name: "c", command: ["run"] }] } };
}

describe("ObjectKeeper", () => {
  test.each([
    ["a rule for a core kind", { rules: ["v1/Pod"] }, [true, false]],
    ["a rule for a kind of a group", { rules: ["apps/v1/Deployment"] }, [false, true]],
    ["an edge from a core kind", { edges: ["/Pod"] }, [true, false]],
    ["an edge from a kind of a group", { edges: ["apps/Deployment"] }, [false, true]],
    ["neither", {}, [false, false]],
  ])("%s decides what is wanted whole", (_what, reads, wanted) => {
    const keeper = keeperFor(reads);
    expect([PODS, DEPLOYMENTS].map((kind) => keeper.wantsWhole(kind))).toEqual(wanted);
  });

  test("a pack does not: it reads only what is kept", () => {
    const from = { group: "", kind: "Pod" };
    const keeper = new ObjectKeeper({ customEdges: [{ id: "x", pack: "tool", from, podTemplate: "$.spec" }] });
    expect(keeper.wantsWhole(PODS)).toBe(false);
  });

  test("objects that are never cut are not read again, and of a Secret only the metadata is read", () => {
    const keeper = keeperFor({ rules: ["v1/Secret", "v1/Service"], edges: ["/Secret", "/Service"] });
    expect([SECRETS, SERVICES].map((kind) => keeper.wantsWhole(kind))).toEqual([false, false]);
    expect(keeper.isWhole(pod("Secret"))).toBe(true);
    expect(keeper.isWhole(pod("Service"))).toBe(true);
  });

  test("a Secret of another group is an object like others", () => {
    expect(keeperFor({}).isWhole({ ...pod("Secret"), apiVersion: "x.io/v1" })).toBe(true);
  });

  test("it knows which objects it kept whole", () => {
    const keeper = keeperFor({});
    const [whole, cut] = [true, false].map((each) => keeper.keep(pod(), each, new StringPool()));
    expect(whole).toEqual(pod());
    expect(cut?.["spec"]).toEqual({ containers: [{ name: "c" }] });
    expect([whole, cut].map((each) => each && keeper.isWhole(each))).toEqual([true, false]);
  });

  test("without rules nothing is wanted whole", () => {
    expect(new ObjectKeeper({ customEdges: [] }).wantsWhole(PODS)).toBe(false);
  });
});
