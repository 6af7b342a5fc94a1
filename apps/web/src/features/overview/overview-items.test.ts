import { EnvironmentRowSchema, EnvironmentSchema, HealthStatus, ProblemKind, RowGap, type EnvironmentRow } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { NOT_KNOWN_YET, NOT_VISIBLE } from "@binnacle/presentation/environments/row-order";
import { groupItems, matrixOf } from "./overview-groups.ts";
import { changedSinceMs, filteredItems, itemsOf, numbersOf, type OverviewItem } from "./overview-items.ts";
import { driftOf, productionsOf, tagOf } from "./versions.ts";

const NOW_MS = Date.parse("2026-11-29T12:00:00Z");
const HOUR_MS = 3_600_000;
const NO_FILTER = { q: "", status: undefined, only: undefined };
const [OLD, NEW] = ["a".repeat(40), "b".repeat(40)];

interface Init {
  readonly path: string;
  readonly tier?: string;
  readonly sha?: string;
  readonly agent?: bigint;
  readonly row?: MessageInitShape<typeof EnvironmentRowSchema>;
}

/** @param at `<project>/<name>`; a name has no slash here */
function rowOf({ path, tier = "", sha, agent = 1n, row = {} }: Init): EnvironmentRow {
  const cut = path.lastIndexOf(":");
  const delivery = sha === undefined ? {} : { delivery: { lastDeployment: { value: { sha, at: timestampFromMs(NOW_MS - 2 * HOUR_MS) } } } };
  const environment: MessageInitShape<typeof EnvironmentSchema> = {
    projectPath: path.slice(0, cut),
    name: path.slice(cut + 1),
    tier,
    agentId: agent,
    agentName: `agent-${agent}`,
    ...delivery,
  };
  return create(EnvironmentRowSchema, { ...row, environment: create(EnvironmentSchema, environment) });
}

function items(...rows: readonly Init[]): readonly OverviewItem[] {
  return itemsOf(new Map(rows.map((init, index) => [String(index), rowOf(init)])), changedSinceMs(NOW_MS));
}

const WELL = { health: { status: HealthStatus.HEALTHY } };
const BAD = { health: { status: HealthStatus.DEGRADED } };

test("the worst come first, then what is not known, and last what may not be seen", () => {
  const all = items(
    { path: "g/a:locked", row: { problem: { kind: ProblemKind.AGENT_FORBIDDEN } } },
    { path: "g/a:unknown", row: { gap: RowGap.NOT_LOOKED_AT } },
    { path: "g/a:well", row: WELL },
    { path: "g/b:bad", row: BAD },
  );
  expect(all.map(({ name }) => name)).toEqual(["bad", "well", "unknown", "locked"]);
});

test("T76: totals count nothing that is not known: neither as known nor as well", () => {
  const numbers = numbersOf(
    items(
      { path: "g/a:locked", row: { problem: { kind: ProblemKind.AGENT_FORBIDDEN } } },
      { path: "g/a:unknown", row: { gap: RowGap.NOT_LOOKED_AT } },
      { path: "g/a:well", row: WELL },
      { path: "g/b:bad", row: { ...BAD, lastChange: timestampFromMs(NOW_MS - 25 * HOUR_MS) } },
      { path: "g/b:fresh", row: { ...WELL, lastChange: timestampFromMs(NOW_MS - HOUR_MS) } },
    ),
  );
  expect(numbers).toMatchObject({ all: 5, visible: 4, known: 4, attention: 1, changed: 1 });
  expect(Object.fromEntries(numbers.byStatus)).toEqual({
    [HealthStatus.HEALTHY]: 2,
    [HealthStatus.DEGRADED]: 1,
    [NOT_KNOWN_YET]: 1,
    [NOT_VISIBLE]: 1,
  });
});

test("a filter leaves what has all words, the status and the kind", () => {
  const all = items({ path: "shop/cart:production", sha: OLD, row: BAD }, { path: "shop/search:production", row: WELL });
  const names = (filter: object): string[] => filteredItems(all, { ...NO_FILTER, ...filter }).map(({ projectPath }) => projectPath);
  expect(names({ q: "SHOP prod" })).toHaveLength(2);
  expect(names({ q: "cart aaaaaaa" })).toEqual(["shop/cart"]);
  expect(names({ status: HealthStatus.HEALTHY })).toEqual(["shop/search"]);
  expect(names({ only: "attention" })).toEqual(["shop/cart"]);
  expect(names({ only: "changed" })).toEqual(["shop/cart"]);
});

test("the matrix has a column for each tier, and environments of one folder share a cell", () => {
  const all = items(
    { path: "g/a:production", tier: "production", row: WELL },
    { path: "g/a:review/1", tier: "development", row: WELL },
    { path: "g/a:review/2", tier: "development", row: BAD },
    { path: "g/b:edge", tier: "other", row: WELL },
  );
  const byTier = matrixOf(all, "tier");
  expect(byTier.columns.map(({ key }) => key)).toEqual(["production", "development", ""]);
  expect(byTier.rows.map(({ projectPath }) => projectPath)).toEqual(["g/a", "g/b"]);
  expect(byTier.rows[0]?.cells.get("development")?.map(({ name }) => name)).toEqual(["review/2", "review/1"]);
  expect(matrixOf(all, "name").columns.map(({ key }) => key)).toEqual(["review/*", "edge", "production"]);
});

test("groups are named as the main application names them, and in the order of their worst environment", () => {
  const all = items({ path: "shop/eu/cart:a", row: WELL, agent: 2n }, { path: "bank/pay:b", row: BAD });
  const names = new Map([["shop", "The shop"]]);
  expect(groupItems(all, "owner", names).map(({ title }) => title)).toEqual(["bank", "The shop · shop"]);
  expect(groupItems(all, "group", names).map(({ key }) => key)).toEqual(["bank", "shop/eu"]);
  expect(groupItems(all, "agent", names).map(({ key }) => key)).toEqual(["1", "2"]);
  expect(groupItems(all, "none", names)).toHaveLength(1);
});

test("drift is against production of the same project; the same commit, or none that is known, is no drift", () => {
  const all = items(
    { path: "g/a:production", tier: "production", sha: OLD, row: WELL },
    { path: "g/a:eu", tier: "production", sha: OLD, row: WELL },
    { path: "g/a:staging", tier: "staging", sha: NEW, row: WELL },
    { path: "g/a:unknown", tier: "staging", row: WELL },
    { path: "g/b:staging", tier: "staging", sha: NEW, row: WELL },
  );
  const drifts = all.map((item) => [`${item.projectPath}:${item.name}`, driftOf(item, productionsOf(all))] as const);
  expect(drifts.filter(([, { kind }]) => kind !== "none")).toEqual([
    ["g/a:staging", { kind: "commits", base: "production", pair: { projectPath: "g/a", base: OLD, head: NEW } }],
  ]);
});

test("without commits the images tell that versions differ, unless not all of them are known", () => {
  const image = (tag: string, moreImages = 0): Init["row"] => ({ ...WELL, images: [{ image: `r/web:${tag}` }], moreImages });
  const kindOf = (staging: Init["row"]): string => {
    const all = items({ path: "g/a:production", tier: "production", row: image("1") ?? {} }, { path: "g/a:staging", row: staging ?? {} });
    return all.filter(({ name }) => name === "staging").map((item) => driftOf(item, productionsOf(all)).kind)[0] ?? "";
  };
  expect([kindOf(image("2")), kindOf(image("1")), kindOf(image("2", 3)), kindOf(WELL)]).toEqual(["images", "none", "none", "none"]);
});

test.each([
  ["registry.example.com:5000/team/web:1.4.2", "1.4.2"],
  ["registry.example.com:5000/team/web", "web"],
  [`r/web:1@sha256:${"c".repeat(64)}`, "ccccccc"],
])("the version of %s is %s", (image, tag) => {
  expect(tagOf(image)).toBe(tag);
});
