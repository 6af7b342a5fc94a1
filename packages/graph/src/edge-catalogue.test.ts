import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import type { KubeObject } from "@binnacle/kube";

import { buildGraph } from "./build-graph.ts";
import { EDGE_CATALOGUE } from "./edge-catalogue.ts";
import type { GraphEdge, GraphNode } from "./graph-model.ts";
import { kindIdOf } from "./kind-id.ts";
import { READ_KINDS } from "./references-of.ts";
import type { ResourceGraph } from "./resource-graph.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/edges/", import.meta.url));

/** One world and all lines of the row in it. */
interface Case {
  readonly title: string;
  /** Kinds of which everything is seen, as `group/kind`. */
  readonly synced?: readonly string[];
  readonly objects: readonly KubeObject[];
  readonly edges: readonly string[];
  /** Parent in the tree by child; null = none. */
  readonly owners?: Readonly<Record<string, string | null>>;
}

interface Row {
  readonly row: string;
  readonly positive: readonly Case[];
  readonly traps: readonly Case[];
}

const files = readdirSync(FOLDER);
// The files are part of this package; a field that is not there fails its test.
const rows = files.map((file) => JSON.parse(readFileSync(`${FOLDER}${file}`, "utf8")) as Row);

/** `Kind/name`, with the namespace in between where it is another than "env". */
function labelOf(node: GraphNode | undefined): string {
  const namespace = node === undefined || node.namespace === "env" || node.namespace === "" ? "" : `${node.namespace}/`;
  return `${node?.kind}/${namespace}${node?.name}`;
}

/** Line, its paths where the case names them, and whatever is special about it. */
function textOf(edge: GraphEdge, graph: ResourceGraph, withPaths: boolean): string {
  const to = graph.node(edge.to);
  const words = [labelOf(graph.node(edge.from)), edge.kind, labelOf(to)];
  if (withPaths) words.push(...edge.fieldPaths);
  if (to?.presence !== "present") words.push(String(to?.presence));
  for (const flag of ["optional", "refused"] as const) if (edge[flag]) words.push(flag);
  if (edge.portMissing) words.push("port-missing");
  if (edge.ready !== undefined) words.push(edge.ready ? "ready" : "not-ready");
  if (edge.weight !== undefined) words.push(`weight=${edge.weight}`);
  return words.join(" ");
}

function graphOf({ objects, synced = [] }: Case): ResourceGraph {
  const access = synced.map((id) => ({
    group: id.slice(0, id.indexOf("/")),
    kind: id.slice(id.indexOf("/") + 1),
    access: "synced" as const,
  }));
  return buildGraph(objects, access);
}

/** Names along a field path: `spec.rules[0].host` and `metadata.labels[kubernetes.io/service-name]` have three. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/\[([^\]]+)\]|[^.[\]]+/g)].map(([step, inside]) => inside ?? step);
}

function valueAt(object: unknown, path: string): unknown {
  return namesIn(path).reduce((value: unknown, name) => (value === null || value === undefined ? undefined : Object(value)[name]), object);
}

/** Lines whose field is not there: it stands for the default, or in the object at the other end. */
const ELSEWHERE = ["ing-class: spec.ingressClassName", "pvc-pv: spec.claimRef", "pvc-sc: spec.storageClassName"];

test("every field path of every line leads to something in the object that holds the reference", () => {
  const wrong: string[] = [];
  for (const { positive, traps } of rows) {
    for (const each of [...positive, ...traps]) {
      const graph = graphOf(each);
      for (const { kind, from, fieldPaths } of graph.edges()) {
        expect(fieldPaths.length).toBeGreaterThan(0);
        for (const path of fieldPaths) if (valueAt(graph.node(from)?.object, path) === undefined) wrong.push(`${kind}: ${path}`);
      }
    }
  }
  expect([...new Set(wrong)].toSorted()).toEqual(ELSEWHERE);
});

test("a file is called by its row", () => {
  expect(rows.map(({ row }) => `${row}.json`)).toEqual(files);
});

test("every row of the catalogue has a case where it draws a line, and a trap", () => {
  const proven = rows.filter(({ positive, traps }) => positive.some(({ edges }) => edges.length > 0) && traps.length > 0);
  expect(proven.map(({ row }) => row).toSorted()).toEqual(Object.keys(EDGE_CATALOGUE).toSorted());
});

/** Rows that objects of any kind may hold. */
const OF_ANY_KIND: ReadonlySet<string> = new Set(["owner", "helm", "gitops", "connects-to"]);

test("reading (d)3: every kind whose references are read holds a line in a positive case", () => {
  const holders = rows.flatMap(({ row, positive }) =>
    positive.flatMap((each) => {
      const graph = graphOf(each);
      const lines = graph.edges().filter(({ kind }) => kind === row && !OF_ANY_KIND.has(kind));
      return lines.flatMap(({ from }) => graph.node(from)?.object ?? []).map(kindIdOf);
    }),
  );
  expect(READ_KINDS.filter((kind) => !holders.includes(kind))).toEqual([]);
});

describe.each(rows)("$row", ({ row, positive, traps }) => {
  test.each([...positive, ...traps])("$title", (each) => {
    const graph = graphOf(each);
    const withPaths = each.edges.some((line) => /(metadata|spec)\./.test(line));
    const lines = graph.edges().filter(({ kind }) => kind === row);
    expect(lines.map((edge) => textOf(edge, graph, withPaths)).toSorted()).toEqual([...each.edges].toSorted());
    for (const edge of lines) expect(edge.missing).toBe(graph.node(edge.to)?.presence === "missing");
    for (const [child, parent] of Object.entries(each.owners ?? {})) {
      const node = graph.nodes().find((one) => labelOf(one) === child);
      const ownerId = node?.ownerId;
      expect([child, ownerId === undefined ? null : labelOf(graph.node(ownerId))]).toEqual([child, parent]);
    }
  });
});
