import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { encodeUrlState, parseUrlState } from "../../features/address/url-state.ts";
import { parseTeamFile } from "./parse-team-file.ts";
import { TeamEnvironments } from "./team-file.ts";
import { MAX_TEAM_FILE_BYTES, PAGE_KEYS } from "./team-file-schema.ts";

const GOOD = `environments:
  production:
    namespaces: [shop, shop-jobs]
    labels:
      app.kubernetes.io/part-of: shop
      tier: [web, api]
  review/*:
    inventoryId: inv-1
edges:
  - id: widget-config
    from: { group: example.com, kind: Widget }
    class: mount
    path: $.spec.configName
    to: { group: "", kind: ConfigMap }
health:
  healthCheckExprs:
    - { apiVersion: example.com/v1, kind: Widget, current: status.ok == true }
  resourceCustomizations:
    example.com/Gadget:
      health.lua: return { status = "Healthy" }
hidden: [apps/ControllerRevision, ConfigMap]
weights: { batch/Job: ignore }
views:
  Jobs: { query: view=list&kind=Job }
`;

/** "line path: message" of every problem. */
function problemsOf(text: string): string[] {
  return parseTeamFile(text).problems.map(({ line, path, message }) => `${line} ${path}: ${message}`);
}

test("a file in which everything is right is read whole, and says what has no effect yet", () => {
  const file = parseTeamFile(GOOD);
  expect(file.problems).toEqual([]);
  expect(file.environments).toEqual([
    {
      name: "production",
      line: 2,
      entry: { namespaces: ["shop", "shop-jobs"], labels: { "app.kubernetes.io/part-of": "shop", tier: ["web", "api"] } },
    },
    { name: "review/*", line: 7, entry: { inventoryId: "inv-1" } },
  ]);
  expect(file.edges.map(({ id }) => id)).toEqual(["widget-config"]);
  expect(file.health.map(({ pattern, source }) => `${pattern} ${source}`)).toEqual([
    "example.com/Widget .gitlab/binnacle.yaml, line 17",
    "example.com/Gadget .gitlab/binnacle.yaml, line 19, example.com/Gadget",
  ]);
  expect(file.hidden).toEqual(["apps/ControllerRevision", "ConfigMap"]);
  expect([...file.weights]).toEqual([["batch/Job", "ignore"]]);
  expect([...file.views]).toEqual([["Jobs", "view=list&kind=Job"]]);
});

test("an entry that is wrong is left out and named with line, path and remedy; the others hold", () => {
  const text = `environments:
  production: { namespaces: [shop] }
  staging:
    namespace: [shop]
  canary:
    labels: { version: 1.0 }
  empty: {}
  nothing:
  wide: { namespaces: ["*"] }
  none: { namespaces: [] }
weights: { batch/Job: heavy, job: ignore }
hidden: [Pod, {}]
`;
  expect(parseTeamFile(text).environments.map(({ name }) => name)).toEqual(["production"]);
  expect(parseTeamFile(text).hidden).toEqual(["Pod"]);
  expect(problemsOf(text)).toEqual([
    "4 environments.staging.namespace: is not known; did you mean namespaces? known: namespaces, labels, inventoryId",
    '6 environments.canary.labels.version: must be a value as text, or a list of values of which one fits; write numbers, true and false in quotes, "1.0"',
    "7 environments.empty: says nothing; give it namespaces, labels or inventoryId",
    "8 environments.nothing: an environment must be a map with namespaces, labels or inventoryId",
    "9 environments.wide.namespaces[0]: must be the name of one namespace: lower-case letters, digits and dashes, no patterns",
    "10 environments.none.namespaces: names no namespace; leave the key out to keep the environment's own",
    "11 weights.batch/Job: must be count or ignore",
    "11 weights.job: must be a kind with its group, apps/Deployment; of the core group the kind alone, ConfigMap",
    "12 hidden[1]: must be a kind as text, apps/Deployment or ConfigMap",
  ]);
});

test("a section that is not known is named with the nearest that is", () => {
  expect(problemsOf("enviroments: {}\nfoo: 1\n")).toEqual([
    "1 enviroments: is not known; did you mean environments? known: environments, edges, health, hidden, weights, views",
    "2 foo: is not known; known: environments, edges, health, hidden, weights, views",
  ]);
});

test("a section of another shape is named, the other sections hold", () => {
  const text = "environments: [production]\nedges: {}\nhealth: 7\nhidden: [Pod]\n";
  expect(parseTeamFile(text).hidden).toEqual(["Pod"]);
  expect(problemsOf(text)).toEqual(["1 environments: must be a map", "2 edges: must be a list", "3 health: must be a map"]);
});

test("edges and health rules are read by the readers of the operator's, and named by line", () => {
  const text = `edges:
  - { id: good, from: { group: "", kind: Pod }, class: mount, path: $.spec.x, to: { group: "", kind: ConfigMap } }
  - { id: good, from: { group: "", kind: Pod }, class: mount, path: $.spec.x, to: { group: "", kind: ConfigMap } }
  - { id: secret, from: { group: "", kind: Secret }, class: mount, path: $.data.x, to: { group: "", kind: ConfigMap } }
  - id: bad
    from: { group: "", kind: Pod }
    class: nonsense
    path: $.spec.x
    to: { group: "", kind: ConfigMap }
health:
  healthChecks: []
  healthCheckExprs:
    - { kind: Widget }
    - { apiVersion: example.com/v1, kind: Widget, current: "status.ok ==" }
  resourceCustomizations:
    example.com/Gadget: { health: x }
`;
  const file = parseTeamFile(text);
  expect(file.edges.map(({ id }) => id)).toEqual(["good"]);
  expect(file.health).toEqual([]);
  expect(file.problems.map(({ line, path }) => `${line} ${path}`)).toEqual([
    "3 edges[1].id",
    "4 edges[2].path",
    "7 edges[3].class",
    "11 health.healthChecks",
    "13 health.healthCheckExprs[0]",
    "14 health.healthCheckExprs[1]",
    "16 health.resourceCustomizations.example.com/Gadget",
  ]);
});

test("an environment that is named wins over patterns, of patterns the first in the file", () => {
  const { environments } = parseTeamFile(
    `environments:\n  "*": { namespaces: [all] }\n  review/*: { namespaces: [review] }\n  "7": { namespaces: [seven] }\n  review/x: { namespaces: [x] }\n`,
  );
  const of = (name: string): unknown => new TeamEnvironments(environments).of(name)?.entry.namespaces;
  expect([of("review/x"), of("review/y"), of("7"), of("production")]).toEqual([["x"], ["all"], ["seven"], ["all"]]);
});

describe("T27: a hostile file", () => {
  test.each([
    ["a megabyte", `environments: {${"a: {namespaces: [x]},".repeat(50_000)}}`, "longer than 64 KiB"],
    ["65 KiB of two-byte characters", `# ${"ü".repeat(MAX_TEAM_FILE_BYTES / 2 + 100)}`, "longer than 64 KiB"],
    ["what is no UTF-8", new TextDecoder().decode(new Uint8Array([0x61, 0x3a, 0x20, 0xff, 0xfe])), "not text in UTF-8"],
    ["NUL", "environments:\n  a: \0\n", "not text in UTF-8"],
    ["tabs", "environments:\n\tproduction:\n\t\tnamespaces: [x]\n", "not YAML"],
    ["two documents", "environments: {}\n---\nhidden: [Pod]\n", "must be one document"],
    ["text", "hello", "must be a map"],
    ["a list", "- 1\n", "must be a map"],
    ["brackets by the thousand", "[".repeat(9_000), "nested too deeply"],
    ["commas by the ten thousand", `[${",".repeat(30_000)}]`, "says more than is read"],
    ["nested maps", `environments: ${"{a: ".repeat(1_500)}${"}".repeat(1_500)}`, "nested too deeply"],
    ["a list of lists that is well formed", `hidden: ${"[".repeat(60)}${"]".repeat(60)}`, "nested too deeply"],
  ])("%s is refused in words", (_, text, sentence) => {
    const file = parseTeamFile(text);
    expect(file.environments).toEqual([]);
    expect(file.problems[0]?.message).toContain(sentence);
  });

  test("a bomb of aliases is not followed", () => {
    const text = (lines: readonly string[]): string =>
      `${lines.join("\n")}\nenvironments:\n  good: { namespaces: [a] }\n  bad: { namespaces: *l0 }\n`;
    const bomb = Array.from(
      { length: 30 },
      (_, at) =>
        `l${at}: &l${at} [${Array(10)
          .fill(at === 0 ? "x" : `*l${at - 1}`)
          .join(", ")}]`,
    );
    const file = parseTeamFile(text(bomb));
    expect(file.environments.map(({ name }) => name)).toEqual(["good"]);
    expect(file.problems).toHaveLength(100);
    expect(parseTeamFile(text(bomb.slice(0, 1))).problems).toContainEqual({
      line: 4,
      path: "environments.bad.namespaces",
      message: "the alias *l0 is not followed; write out what it stands for",
    });
  });

  test("a merge and an unknown tag are refused where they stand", () => {
    const text = `environments:\n  a: { namespaces: [x] }\n  b: { "<<": { namespaces: [y] } }\n  c: { namespaces: !evil [z] }\n  d: !!js/function x\n`;
    expect(parseTeamFile(text).environments.map(({ name }) => name)).toEqual(["a"]);
    expect(parseTeamFile(text).problems.map(({ line, path }) => `${line} ${path}`)).toEqual([
      "3 environments.b.<<",
      "4 environments.c.namespaces",
      "5 environments.d",
    ]);
  });

  test("of a key that comes twice the first holds, and both lines are named", () => {
    const text = "environments:\n  a: { namespaces: [x] }\n  a: { namespaces: [y] }\nenvironments: {}\n";
    expect(parseTeamFile(text).environments.map(({ entry }) => entry.namespaces)).toEqual([["x"]]);
    expect(problemsOf(text)).toEqual([
      "3 environments.a: it stands twice; the one in line 2 holds, take this one away",
      "4 environments: it stands twice; the one in line 1 holds, take this one away",
    ]);
  });

  test("__proto__ and constructor are names as any other", () => {
    const text = `environments:\n  __proto__: { namespaces: [x] }\n  constructor: { namespaces: [y], __proto__: 1 }\n  ok: { labels: { __proto__: x } }\nhealth: { __proto__: {} }\n`;
    const file = parseTeamFile(text);
    expect(file.environments.map(({ name }) => name)).toEqual(["__proto__"]);
    expect(file.problems.map(({ path }) => path)).toEqual([
      "environments.constructor.__proto__",
      "environments.ok.labels",
      "health.__proto__",
    ]);
    expect(Object.hasOwn(Object.prototype, "namespaces")).toBe(false);
  });

  test("CRLF and a byte order mark change nothing, not even lines", () => {
    const { problems, ...plain } = parseTeamFile(GOOD);
    expect(parseTeamFile(`\uFEFF${GOOD.replaceAll("\n", "\r\n")}`)).toEqual({ ...plain, problems });
    expect(problemsOf("\uFEFFhidden: []\r\nfoo: 1\r\n")[0]).toMatch(/^2 foo:/);
  });

  test("entries over the limit are left out, and their number is reported", () => {
    const text = `environments:\n${Array.from({ length: 150 }, (_, at) => `  e${at}: { namespaces: [x] }`).join("\n")}\n`;
    expect(parseTeamFile(text).environments).toHaveLength(100);
    expect(problemsOf(text)).toEqual(["1 environments: has 150 entries; those after the first 100 are left out"]);
  });

  test("notices about a file are bounded, however much is wrong with it", () => {
    const { problems } = parseTeamFile(Array.from({ length: 2_000 }, (_, at) => `k${at}:`).join("\n"));
    expect(problems).toHaveLength(100);
    expect(parseTeamFile(`${"k".repeat(60_000)}: 1`).problems.every(({ message }) => message.length <= 301)).toBe(true);
  });

  test("an empty file, comments alone and empty sections say nothing, and nothing wrong", () => {
    for (const text of ["", "# hello\n", "---\n", "environments:\nedges:\nhealth:\nhidden:\nweights:\nviews:\n"])
      expect(parseTeamFile(text)).toMatchObject({ environments: [], problems: [] });
  });

  test("it never throws, whatever is written into a good file", () => {
    fc.assert(
      fc.property(fc.nat(GOOD.length), fc.nat(30), fc.string({ unit: "binary", maxLength: 30 }), (at, taken, put) => {
        const { problems, environments } = parseTeamFile(GOOD.slice(0, at) + put + GOOD.slice(at + taken));
        expect(problems.length).toBeLessThanOrEqual(100);
        expect(environments.length).toBeLessThanOrEqual(100);
      }),
    );
  });
});

test("a view that says what the page does not know is named; the page knows what its address may say", () => {
  const { views, problems } = parseTeamFile(
    "views:\n  Traffic: { query: lens=traffic&view=graph }\n  Jobs: { query: '?view=list&kind=Job' }\n",
  );
  expect([...views.keys()]).toEqual(["Jobs"]);
  expect(problems).toMatchObject([
    {
      line: 2,
      path: "views.Traffic.query",
      message: expect.stringMatching(/^has lens, which the page does not know; known are view, sel/),
    },
  ]);
  const all = Object.fromEntries(PAGE_KEYS.map((key) => [key, "1"]));
  const written = new URLSearchParams(
    encodeUrlState(parseUrlState(new URLSearchParams({ ...all, view: "list", as: "tree", tab: "yaml" }))),
  );
  expect([...written.keys()].sort()).toEqual([...PAGE_KEYS].sort());
});
