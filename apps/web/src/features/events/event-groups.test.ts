import { DeliveryEventKind, DeliveryEventSchema, GitopsState } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { words } from "@binnacle/words";
import { expect, test } from "vitest";
import { AGENT, eventFacets, eventGroups, type EventsQuery } from "./event-groups.ts";
import { countNew, eventRows, FEW } from "./event-rows.ts";
import { byId, madeEvent, madeMoment } from "./made-events.ts";

const ALL: EventsQuery = { q: "", namespaces: [], kinds: [], reasons: [], type: "", order: "" };
const PICTURE = {
  events: byId(
    madeEvent("a", 10),
    madeEvent("b", 30, { type: "Warning", reason: "Failed", workload: "api", about: "api-1-y" }),
    madeEvent("c", 20, { type: "Warning", reason: "BackOff" }),
    madeEvent("d", 5, { type: "Warning", reason: "Failed" }),
  ),
  life: new Map([[1, madeMoment(1, 25, words("life/connected"))]]),
};
const shown = (query: Partial<EventsQuery> = {}) =>
  eventGroups(PICTURE, { ...ALL, ...query }).map(({ key, happenings, warnings }) => [
    key,
    happenings.map(({ id }) => id.replace(`${AGENT} `, "")).join(""),
    warnings,
  ]);

test("events stand by workload, the newest first within and among them, with the agent's life as one of them", () => {
  expect(shown()).toEqual([
    ["apps/Deployment/env/api", "b", 1],
    [AGENT, "1", 0],
    ["apps/Deployment/env/web", "cad", 2],
  ]);
  expect(shown({ order: "warnings" }).map(([key]) => key)).toEqual(["apps/Deployment/env/web", "apps/Deployment/env/api", AGENT]);
});

test.each<[Partial<EventsQuery>, string]>([
  [{ type: "Warning" }, "bcd"],
  [{ type: "Normal" }, "1a"],
  [{ reasons: ["Failed"] }, "bd"],
  [{ kinds: ["Pod"] }, "bcad"],
  [{ kinds: ["Deployment"] }, "bcad"],
  [{ kinds: ["Job"] }, ""],
  [{ namespaces: ["other"] }, ""],
  [{ q: "API-1" }, "b"],
  [{ q: "message of c" }, "c"],
  [{ q: "agent server" }, "1"],
])("%j shows %s", (query, expected) => {
  expect(
    shown(query)
      .map(([, ids]) => ids)
      .join(""),
  ).toBe(expected);
});

test("what can be chosen is what there is", () => {
  expect(eventFacets(PICTURE)).toEqual({
    kinds: ["Deployment", "Pod"],
    namespaces: ["env"],
    reasons: ["BackOff", "Failed", "Pulled"],
    warnings: 3,
  });
});

test("of a group with many its newest are shown, and all when it is opened", () => {
  const events = byId(...Array.from({ length: FEW + 3 }, (_, index) => madeEvent(`e${index}`, index)));
  const groups = eventGroups({ events, life: new Map() }, ALL);
  const typesOf = (opened: readonly string[]) => eventRows(groups, new Set(opened)).map(({ type }) => type[0]);
  expect(typesOf([]).join("")).toBe(`h${"h".repeat(FEW)}m`);
  expect(typesOf([groups[0]?.key ?? ""])).toHaveLength(1 + FEW + 3 + 1);
  expect(eventRows(groups, new Set()).at(-1)).toMatchObject({ hidden: 3 });
  // On paper is everything, and nothing to press.
  expect(new Set(eventRows(groups, "all").map(({ type }) => type))).toEqual(new Set(["head", "happening"]));
  expect(eventRows(groups, "all").filter(({ type }) => type === "happening")).toHaveLength(FEW + 3);
});

test("what has come, and what has happened again, is new; what has left is not", () => {
  const before = eventGroups(PICTURE, ALL);
  expect(countNew(before, before)).toBe(0);
  const events = new Map([...PICTURE.events, ["a", madeEvent("a", 40, { count: 2 })], ["x", madeEvent("x", 41)]]);
  events.delete("d");
  expect(countNew(before, eventGroups({ ...PICTURE, events }, ALL))).toBe(2);
});

test("S6: deployments and syncs are a group of their own, and a failed sync is a warning", () => {
  const at = (ms: number) => timestampFromMs(ms);
  const history = [
    create(DeliveryEventSchema, { kind: DeliveryEventKind.SYNC_ENDED, project: "a/b", at: at(2_000), result: GitopsState.FAILED }),
    create(DeliveryEventSchema, { kind: DeliveryEventKind.SYNC_STARTED, project: "a/b", at: at(1_000) }),
  ];
  const empty = { events: new Map(), life: new Map() };
  const [group, ...others] = eventGroups(empty, ALL, history);
  expect(others).toEqual([]);
  expect([group?.key, group?.warnings, group?.happenings.map(({ atMs }) => atMs)]).toEqual(["delivery", 1, [2_000, 1_000]]);
  expect(eventGroups(empty, { ...ALL, kinds: ["Pod"] }, history)).toEqual([]);
});
