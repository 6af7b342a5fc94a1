import { globSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { describe, expect, test } from "vitest";

import { applyFault, readPlantedFaults } from "./planted-fault.ts";

const root = join(import.meta.dirname, "..", "..");
const packages = join(root, "packages");

function packageWith(...faults: unknown[]): string {
  const directory = mkdtempSync(join(tmpdir(), "binnacle-faults-"));
  mkdirSync(join(directory, "faults"));
  for (const [index, content] of faults.entries()) writeFileSync(join(directory, "faults", `${index}.json`), JSON.stringify(content));
  return directory;
}

const entry = { id: "a", file: "src/a.ts", find: "x", replace: "y", what: "X is taken for Y." };

describe("the faults of a package", () => {
  test("are those of all its files, in the order of their names", () => {
    const directory = packageWith([entry], [{ ...entry, id: "b", argo: "row 1" }]);
    expect(readPlantedFaults(directory)).toEqual([entry, { ...entry, id: "b", argo: "row 1" }]);
  });

  test.each([
    ["an id that occurs twice", [entry, entry]],
    ["an entry without a sentence", [{ ...entry, what: undefined }]],
    ["no list", entry],
  ])("with %s are refused", (_name, content) => {
    expect(() => readPlantedFaults(packageWith(content))).toThrow(/0\.json/);
  });
});

describe("planting", () => {
  test("changes the one place", () => {
    expect(applyFault("a > b; // $&", { find: "a > b", replace: "$& < $1" })).toEqual({ kind: "applied", source: "$& < $1; // $&" });
  });

  test.each([
    ["that is not there", "c", "d"],
    ["that is there twice", "a", "d"],
    ["of nothing", "", "d"],
    ["that stays as it is", "b", "b"],
  ])("refuses a text %s", (_name, find, replace) => {
    expect(applyFault("a b a", { find, replace }).kind).toBe("refused");
  });
});

describe("our planted faults", () => {
  // The run that plants them takes minutes; this test finds a snippet that its source no longer has.
  test("fit their sources", () => {
    const directories = new Set(
      globSync("{packages,apps,e2e}/**/faults/*.json", { cwd: root, exclude: ["**/node_modules"] }).map((name) =>
        join(root, dirname(dirname(name))),
      ),
    );
    const misfits = [...directories].flatMap((directory) =>
      readPlantedFaults(directory).flatMap((fault) =>
        [fault, ...(fault.also ?? [])].flatMap((edit) => {
          const applied = applyFault(readFileSync(join(directory, edit.file), "utf8"), edit);
          return applied.kind === "applied" ? [] : [`${fault.id}: ${applied.reason}`];
        }),
      ),
    );
    expect(directories.size).toBeGreaterThan(5);
    expect(misfits).toEqual([]);
  });

  test("are at least sixty in health and graph", () => {
    expect(readPlantedFaults(join(packages, "health")).length).toBeGreaterThanOrEqual(45);
    expect(readPlantedFaults(join(packages, "graph")).length).toBeGreaterThanOrEqual(35);
  });

  test("contain each of the 13 defects of Argo CD's built-in rules", () => {
    const defects = new Set(readPlantedFaults(join(packages, "health")).flatMap(({ argo }) => argo ?? []));
    expect([...defects].sort()).toEqual([
      "Deployment ReplicaFailure",
      "HPA without grace",
      "Ingress without published addresses",
      "PVC WaitForFirstConsumer",
      "absent replicas",
      "row 1",
      "row 13, InvalidImageName",
      "row 13, init containers",
      "row 14",
      "row 15",
      "row 2",
      "row 5",
      "row 7",
    ]);
  });
});
