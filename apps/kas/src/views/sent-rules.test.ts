import { hash } from "node:crypto";

import { create, toBinary } from "@bufbuild/protobuf";
import { HealthRulesSchema, ViewSpecSchema, type ViewSpec } from "@binnacle/proto/kas-views";
import { beforeEach, expect, test } from "vitest";

import { openViewsScene, type ViewsScene } from "./testing/views-scene.ts";
import { VIEW_BOUNDS } from "./view-bounds.ts";

const MIB = 1024 * 1024;

let scene: ViewsScene;
beforeEach(() => {
  scene = openViewsScene();
});

/** A set of rules, identified by its text. */
const setOf = (text: string): Uint8Array => {
  const rules = [{ engine: "lua", source: "a file", pattern: "example.com/A", text }];
  return toBinary(HealthRulesSchema, create(HealthRulesSchema, { origins: [{ id: "file", origin: "file", rules }] }));
};
const nameOf = (set: Uint8Array): string => hash("sha256", set, "base64");
const specOf = (namespace: string, brought: readonly Uint8Array[], names = brought.map(nameOf)): ViewSpec =>
  create(ViewSpecSchema, {
    view: {
      case: "summary",
      value: { scope: { namespaces: [namespace], rules: { healthRules: names[1] ?? "" } }, healthRules: names[0] ?? "" },
    },
    healthRules: [...brought],
  });
/** What the agent received about rules and topics, in order. */
const received = (): readonly string[] =>
  scene.agent.conversations.flatMap(({ requests }) =>
    requests.flatMap((request) => {
      if (request.case === "healthRules") return [`rules ${nameOf(request.value)}`];
      if (request.case === "healthRulesDone") return [`done ${request.value}`];
      return request.case === "subscribe" || request.case === "unsubscribe" ? [request.case] : [];
    }),
  );

test("a set is sent to the agent once, before the first topic that names it, and released after the last", async () => {
  const set = setOf("return nil");
  const readers = [await scene.readerOf("ann", specOf("a", [set])), await scene.readerOf("bob", specOf("b", [set]))];
  expect(received()).toEqual([`rules ${nameOf(set)}`, "subscribe", "subscribe"]);
  readers[0]?.leave();
  await scene.clock.elapse(11_000);
  expect(received().slice(3)).toEqual(["unsubscribe"]);
  readers[1]?.leave();
  await scene.clock.elapse(11_000);
  expect(received().slice(4)).toEqual(["unsubscribe", `done ${nameOf(set)}`]);
  await scene.clock.elapse(11_000);
  expect(scene.ledger.held()).toBe(0);
});

test("requests for views name rules without their text, and requests for rights do neither", async () => {
  const set = setOf("return nil");
  await scene.readerOf("ann", specOf("a", [set]));
  const requests = scene.agent.conversations.flatMap((each) => each.requests);
  const views = requests.flatMap((request) => (request.case === "prove" || request.case === "subscribe" ? [request.value.view] : []));
  expect(views.map((view) => [view?.healthRules.length, view?.view.case === "summary" && view.view.value.healthRules])).toEqual([
    [0, ""],
    [0, nameOf(set)],
  ]);
});

test("an agent that replaces the first receives the rules again", async () => {
  const [cluster, team] = [setOf("return 1"), setOf("return 2")];
  await scene.readerOf("ann", specOf("a", [cluster, team]));
  scene.router.breakAll();
  await scene.clock.elapse(1_000);
  const once = [`rules ${nameOf(cluster)}`, `rules ${nameOf(team)}`, "subscribe"];
  expect(received()).toEqual([...once, ...once]);
});

test("other rules are another view with the same rights: no rights are queried again", async () => {
  await scene.readerOf("ann", specOf("a", [setOf("return 1")]));
  await scene.readerOf("ann", specOf("a", [setOf("return 2")]));
  expect([scene.agent.heard("prove"), scene.agent.heard("subscribe")]).toEqual([1, 2]);
});

test.each<[string, () => ViewSpec]>([
  ["that did not come", () => specOf("a", [], ["somewhere"])],
  ["of another name than it has", () => specOf("a", [setOf("return 1")], [nameOf(setOf("return 2"))])],
  ["that is too large", () => specOf("a", [setOf("x".repeat(VIEW_BOUNDS.ruleSetBytes))])],
])("T39: a set %s is refused before the agent hears of it", async (_, spec) => {
  expect(await scene.refusalOf("ann", spec())).toMatchObject({ reason: "invalid_request" });
  expect(scene.agent.conversations).toEqual([]);
});

test("T39: one caller has so many sets at an agent, and takes no room from others", async () => {
  for (let index = 0; index < VIEW_BOUNDS.ruleSetsPerCaller; index += 1)
    await scene.readerOf("ann", specOf("a", [setOf(`return ${index}`)]));
  expect(await scene.refusalOf("ann", specOf("a", [setOf("one more")]))).toMatchObject({ reason: "share_exceeded" });
  await scene.readerOf("ann", specOf("b", [setOf("return 0")]));
  await scene.readerOf("bob", specOf("a", [setOf("one more")]));
});

test("T39: all callers together have so many bytes of them", async () => {
  const large = (index: number): Uint8Array => setOf(`${index} ${"x".repeat(VIEW_BOUNDS.ruleSetBytes - 1_000)}`);
  for (let caller = 0; caller < 16; caller += 1) await scene.readerOf(`user-${caller}`, specOf("a", [large(caller)]));
  expect(await scene.refusalOf("one more", specOf("a", [large(16)]))).toMatchObject({ reason: "queue_full" });
  await scene.readerOf("another", specOf("a", [large(0)]));
});

test("T39: sets are booked with the agent's views: what finds no room ends the view that names it", async () => {
  scene = openViewsScene(MIB);
  const [large, small] = [setOf("x".repeat(500_000)), setOf("y".repeat(400_000))];
  await scene.readerOf("ann", specOf("a", [large]));
  const other = await scene.readerOf("bob", specOf("b", [small]));
  await scene.readerOf("cleo", specOf("c", [setOf("z".repeat(450_000))]));
  expect(scene.ledger.held()).toBeLessThanOrEqual(MIB);
  expect(other.fault).toBeUndefined();
});
