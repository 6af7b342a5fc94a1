import { parseRulesReview, type NamespaceRules, type ResourceKind } from "@binnacle/kube";
import { ManualClock } from "@binnacle/testing";
import { beforeEach, expect, test } from "vitest";

import type { AccessReviews, RequestedAccess } from "./access-reviews.ts";
import { gettableOf, mayList } from "./policy-rules.ts";
import { EVERYTHING, type ProvedRights } from "./proved-rights.ts";
import { RightsBook, type ProvedViewer } from "./rights-book.ts";

const kindOf = (group: string, resource: string): ResourceKind => ({
  group,
  resource,
  version: "v1",
  kind: resource,
  namespaced: true,
  verbs: ["get", "list", "watch"],
  subresources: [],
  shortNames: [],
});
const [PODS, SECRETS, NODES, DEPLOYMENTS] = [kindOf("", "pods"), kindOf("", "secrets"), kindOf("", "nodes"), kindOf("apps", "deployments")];

/** An API server that has these rules, and records its reviews. */
class ScriptedReviews implements AccessReviews {
  readonly questions: string[] = [];
  /** Rules by namespace, as a SelfSubjectRulesReview tells them. */
  readonly rulesOf: Record<string, NamespaceRules> = {};
  /** What single questions are answered with yes: "list pods app". */
  readonly yes = new Set<string>();
  failure: Error | undefined;

  async rules(namespace: string): Promise<NamespaceRules> {
    this.questions.push(`rules ${namespace}`);
    if (this.failure) throw this.failure;
    return this.rulesOf[namespace] ?? { rules: [], incomplete: false };
  }

  async may({ verb, kind, namespace }: RequestedAccess): Promise<boolean> {
    const question = `${verb} ${kind?.resource ?? "*"} ${namespace}`;
    this.questions.push(question);
    if (this.failure) throw this.failure;
    return this.yes.has(question);
  }
}

const allow = (
  resources: readonly string[],
  more: { names?: readonly string[]; verbs?: readonly string[]; groups?: readonly string[] } = {},
) => ({
  verbs: more.verbs ?? ["get", "list", "watch"],
  groups: more.groups ?? [""],
  resources,
  names: more.names ?? [],
});

let clock: ManualClock;
let reviews: ScriptedReviews;
let viewer: ProvedViewer;
let book: RightsBook;
let counted: number;

beforeEach(() => {
  clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  reviews = new ScriptedReviews();
  viewer = { key: "ben", reviews };
  counted = 0;
  book = new RightsBook({ clock, signal: new AbortController().signal, onReview: () => (counted += 1) });
});

async function proved(...needs: Parameters<RightsBook["prove"]>): Promise<ProvedRights> {
  return (await book.prove(...needs)).rights;
}

test("a viewer who may read everything takes two questions, whatever is requested", async () => {
  for (const question of ["list * ", "get * "]) reviews.yes.add(question);
  expect(
    await proved(viewer, [
      { kind: PODS, namespace: "app" },
      { kind: NODES, namespace: "" },
    ]),
  ).toBe(EVERYTHING);
  expect(reviews.questions.toSorted()).toEqual(["get * ", "list * "]);
});

test("to list everything is not to read everything", async () => {
  reviews.yes.add("list * ");
  reviews.rulesOf["app"] = { rules: [allow(["*"], { verbs: ["list"], groups: ["*"] })], incomplete: false };
  const rights = await proved(viewer, [{ kind: PODS, namespace: "app" }]);
  expect([rights.mayList(PODS, "app"), rights.mayGet(PODS, "app", "web")]).toEqual([true, false]);
});

test("one question tells all of a namespace", async () => {
  reviews.rulesOf["app"] = { rules: [allow(["pods"]), allow(["secrets"], { names: ["tls"], verbs: ["get"] })], incomplete: false };
  const planned = [PODS, SECRETS, DEPLOYMENTS].flatMap((kind) => ["app", "other"].map((namespace) => ({ kind, namespace })));
  const rights = await proved(viewer, planned);
  expect(planned.filter(({ kind, namespace }) => rights.mayList(kind, namespace))).toEqual([{ kind: PODS, namespace: "app" }]);
  expect([rights.mayGet(SECRETS, "app", "tls"), rights.mayGet(SECRETS, "app", "db"), rights.mayGet(SECRETS, "other", "tls")]).toEqual([
    true,
    false,
    false,
  ]);
  expect(reviews.questions.filter((question) => question.startsWith("rules"))).toEqual(["rules app", "rules other"]);
  expect(counted).toBe(4);
});

test("what was not in the question may not be read", async () => {
  reviews.rulesOf["app"] = { rules: [allow(["*"], { groups: ["*"], verbs: ["*"] })], incomplete: false };
  const rights = await proved(viewer, [{ kind: PODS, namespace: "app" }]);
  expect([rights.mayList(SECRETS, "app"), rights.mayList(PODS, "other"), rights.mayList(PODS, "")]).toEqual([false, false, false]);
});

test("a right in one namespace is none in all of them, and none for what is in none", async () => {
  reviews.rulesOf["default"] = { rules: [allow(["pods", "nodes"])], incomplete: false };
  reviews.yes.add("list nodes ");
  const rights = await proved(viewer, [
    { kind: PODS, namespace: "" },
    { kind: NODES, namespace: "" },
  ]);
  expect([rights.mayList(PODS, ""), rights.mayList(NODES, ""), rights.mayGet(NODES, "", "n1")]).toEqual([false, true, false]);
});

test("what an authorizer does not list is reviewed one by one, and nothing else is", async () => {
  reviews.rulesOf["app"] = { rules: [allow(["pods"])], incomplete: true };
  reviews.yes.add("list deployments app");
  const rights = await proved(
    viewer,
    [PODS, DEPLOYMENTS, SECRETS].map((kind) => ({ kind, namespace: "app" })),
  );
  expect([PODS, DEPLOYMENTS, SECRETS].map((kind) => rights.mayList(kind, "app"))).toEqual([true, true, false]);
  expect(reviews.questions).not.toContain("list pods app");
});

test("who may read the same has the same name, as any user and however the rules are written; who may not has another", async () => {
  const other = new ScriptedReviews();
  reviews.rulesOf["app"] = { rules: [allow(["pods", "secrets"])], incomplete: false };
  other.rulesOf["app"] = {
    rules: [allow(["secrets"]), allow(["pods"], { verbs: ["list", "get"] }), allow(["*"], { verbs: ["delete"] })],
    incomplete: false,
  };
  const planned = [PODS, SECRETS].map((kind) => ({ kind, namespace: "app" }));
  const mine = await proved(viewer, planned);
  const his = await proved({ key: "bert", reviews: other }, planned.toReversed());
  expect(his.id).toBe(mine.id);
  other.rulesOf["app"] = { rules: [allow(["pods"]), allow(["secrets"], { names: ["tls"] })], incomplete: false };
  expect((await proved({ key: "cleo", reviews: other }, planned)).id).not.toBe(mine.id);
});

test("answers are shared for twenty seconds and requested anew after that", async () => {
  reviews.rulesOf["app"] = { rules: [allow(["pods"])], incomplete: false };
  const prove = async (): Promise<boolean> => (await proved(viewer, [{ kind: PODS, namespace: "app" }])).mayList(PODS, "app");
  await Promise.all([prove(), prove(), prove()]);
  const count = reviews.questions.length;
  expect(count).toBe(3);
  reviews.rulesOf["app"] = { rules: [], incomplete: false };
  await clock.elapse(19_999);
  expect(await prove()).toBe(true);
  await clock.elapse(1);
  expect(await prove()).toBe(false);
  expect(reviews.questions).toHaveLength(2 * count);
});

test("a proof is as old as the oldest answer that it is made of", async () => {
  reviews.rulesOf["app"] = { rules: [allow(["pods"])], incomplete: false };
  const first = { kind: PODS, namespace: "app" };
  const beganMs = clock.now();
  expect((await book.prove(viewer, [first])).requestedMs).toBe(beganMs);
  await clock.elapse(15_000);
  expect((await book.prove(viewer, [first, { kind: PODS, namespace: "other" }])).requestedMs).toBe(beganMs);
  await clock.elapse(5_000);
  expect((await book.prove(viewer, [first])).requestedMs).toBe(beganMs + 20_000);
});

test("a question that failed is retried, and proves nothing", async () => {
  reviews.failure = new Error("the API server is away");
  await expect(proved(viewer, [{ kind: PODS, namespace: "app" }])).rejects.toThrow("away");
  reviews.failure = undefined;
  expect((await proved(viewer, [{ kind: PODS, namespace: "app" }])).mayList(PODS, "app")).toBe(false);
});

test("a proof that would take too many questions is none", async () => {
  for (let index = 0; index < 40; index += 1) reviews.rulesOf[`ns-${index}`] = { rules: [], incomplete: true };
  const planned = Array.from({ length: 20 }, (_, index) => kindOf("many.example.com", `kind-${index}`)).flatMap((kind) =>
    Object.keys(reviews.rulesOf).map((namespace) => ({ kind, namespace })),
  );
  await expect(proved(viewer, planned)).rejects.toMatchObject({ reason: "over_budget" });
});

test.each([
  { verb: "list", group: "*", resource: "*", expected: true },
  { verb: "*", group: "apps", resource: "deployments", expected: true },
  { verb: "list", group: "apps", resource: "deployments/scale", expected: false },
  { verb: "watch", group: "apps", resource: "deployments", expected: false },
  { verb: "list", group: "", resource: "deployments", expected: false },
])("a rule with the verb $verb for $group/$resource", ({ verb, group, resource, expected }) => {
  const answer = { status: { resourceRules: [{ verbs: [verb], apiGroups: [group], resources: [resource] }], incomplete: false } };
  expect(mayList(parseRulesReview(answer), DEPLOYMENTS)).toBe(expected);
});

test.each([
  [undefined],
  [{}],
  [{ status: { resourceRules: "all", incomplete: "no" } }],
  [{ status: { resourceRules: [7, { verbs: "list" }] } }],
])("an answer that says nothing gives nothing, and leaves it open: %j", (answer) => {
  const rules = parseRulesReview(answer);
  expect([mayList(rules, PODS), gettableOf(rules, PODS), rules.incomplete]).toEqual([false, [], true]);
});
