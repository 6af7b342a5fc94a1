import { describe, expect, test } from "vitest";

import { chooseSources, type KindChoice, type KindSituation } from "./source-choice.ts";

const SITUATION = { all: false, namespaces: 1, access: "unknown", clusterObjects: 0, wanted: 0, isWide: false } as const;
const OWN = { wide: false, ask: false, namespaces: "own" } as const;
const WIDE = { wide: true, ask: false, namespaces: "wide" } as const;
const ASK = { wide: false, ask: true, namespaces: "wait" } as const;

type Row = Partial<Omit<KindSituation, "wantedObjects">> & { readonly wanted?: number };

describe("W1: chooseSources", () => {
  test.each<[string, Row, KindChoice]>([
    ["one namespace is read by itself", {}, OWN],
    ["two as well", { namespaces: 2 }, OWN],
    ["three are worth a question", { namespaces: 3 }, ASK],
    ["a list of all that is refused leaves each to itself", { namespaces: 100, access: "refused" }, OWN],
    ["a small cluster is read whole", { namespaces: 3, access: "allowed", clusterObjects: 1_000 }, WIDE],
    ["a large one is not, for three of its namespaces", { namespaces: 3, access: "allowed", clusterObjects: 1_001, wanted: 60 }, OWN],
    ["it is when most of it is wanted", { namespaces: 3, access: "allowed", clusterObjects: 8_000, wanted: 2_000 }, WIDE],
    ["it is when that saves many watches", { namespaces: 40, access: "allowed", clusterObjects: 10_000, wanted: 40 }, WIDE],
    ["what is in use stays with two", { namespaces: 2, access: "allowed", isWide: true }, WIDE],
    ["and ends with one", { namespaces: 1, access: "allowed", isWide: true }, OWN],
    ["it may grow to twice of what made it worth while", { namespaces: 3, access: "allowed", clusterObjects: 2_000, isWide: true }, WIDE],
    ["and no further", { namespaces: 3, access: "allowed", clusterObjects: 2_001, wanted: 9, isWide: true }, OWN],
    ["a reader of all namespaces gets all, whatever it costs", { all: true, namespaces: 0, clusterObjects: 1e6 }, WIDE],
    ["and it serves every namespace", { all: true, namespaces: 1, access: "allowed", clusterObjects: 1e6 }, WIDE],
    ["but where all is refused", { all: true, access: "refused" }, { ...WIDE, namespaces: "own" }],
  ])("%s", (_title, row, choice) => {
    const { wanted, ...situation } = { ...SITUATION, ...row };
    expect(chooseSources({ ...situation, wantedObjects: () => wanted })).toEqual(choice);
  });

  test("what is wanted is counted only where it matters", () => {
    const { wanted: _, ...situation } = { ...SITUATION, namespaces: 5, access: "allowed" as const };
    const wantedObjects = (): number => {
      throw new Error("counted");
    };
    expect(chooseSources({ ...situation, wantedObjects })).toEqual(WIDE);
  });
});
