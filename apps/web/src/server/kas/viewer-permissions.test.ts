import { KubeClientError } from "@binnacle/environment-view";
import { ManualClock, settle } from "@binnacle/testing";
import { words } from "@binnacle/words";
import { beforeEach, expect, test } from "vitest";

import type { AccessAttributes } from "./access-review.ts";
import { ViewerPermissions, type PermissionsAccess } from "./viewer-permissions.ts";

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A review as it is sent. */
interface SentReview {
  readonly kind: string;
  readonly spec?: { readonly namespace?: string; readonly resourceAttributes?: AccessAttributes };
}

const PODS = { verb: "delete", group: "", version: "v1", resource: "pods", namespace: "shop", name: "web-1" };
const EXEC = { ...PODS, verb: "create", subresource: "exec" };

/** A cluster that answers reviews from rules, and counts them. */
class ScriptedCluster {
  readonly reviews: string[] = [];
  rules: readonly Rule[] = [];
  incomplete = false;
  evaluationError: string | undefined;
  /** Kinds of reviews that are not answered. */
  readonly failing = new Set<string>();
  /** What single reviews are answered with. */
  allowed = true;
  /** So much later reviews of rights are answered. */
  lateMs = 0;
  /** Single reviews at a time. */
  mostAtOnce = 0;
  #atOnce = 0;

  /** A viewer's way to it. @param user to the cluster */
  viewer(user: string, { credentialKey = user, session = user, agentId = 3n } = {}): PermissionsAccess {
    const json: PermissionsAccess["client"]["json"] = ({ body }) => this.#answer(user, body as SentReview);
    return { credentialKey, session, agentId, client: { json } };
  }

  /** How many reviews of each kind there were; of those with rules the namespaces. */
  count(): { readonly rules: readonly string[]; readonly single: number } {
    const rules = this.reviews.filter((each) => each.startsWith("rules ")).map((each) => each.slice("rules ".length));
    return { rules, single: this.reviews.filter((each) => each === "SelfSubjectAccessReview").length };
  }

  async #answer(user: string, { kind, spec }: SentReview): Promise<unknown> {
    this.reviews.push(kind === "SelfSubjectRulesReview" ? `rules ${spec?.namespace}` : kind);
    if (this.failing.has(kind)) throw new KubeClientError("connection", words("answer/not-of-api"));
    if (kind === "SelfSubjectReview") return { status: { userInfo: { username: user } } };
    const { rules, allowed } = this;
    clock.advance(this.lateMs);
    if (kind === "SelfSubjectRulesReview")
      return { status: { resourceRules: rules, incomplete: this.incomplete, evaluationError: this.evaluationError } };
    this.#atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    // All that are sent now are there before the first one ends.
    await settle();
    this.#atOnce -= 1;
    return { status: { allowed } };
  }
}

let clock: ManualClock;
let cluster: ScriptedCluster;
let permissions: ViewerPermissions;
beforeEach(() => {
  clock = new ManualClock();
  cluster = new ScriptedCluster();
  permissions = new ViewerPermissions(clock);
});

const rule = (resources: readonly string[], verbs = ["*"], more: Partial<Rule> = {}): Rule => ({
  verbs,
  apiGroups: [""],
  resources,
  ...more,
});
const rightOf = async (attributes: AccessAttributes, viewer = cluster.viewer("ann")): Promise<string> =>
  (await permissions.review(viewer, attributes)).right;

test("100 objects in three namespaces take one review of rules for each namespace, and no single one", async () => {
  cluster.rules = [rule(["pods"], ["delete"])];
  const objects = Array.from({ length: 100 }, (_, index) => ({ ...PODS, namespace: `ns-${index % 3}`, name: `web-${index}` }));
  const rights = await Promise.all(objects.flatMap((each) => [rightOf(each), rightOf({ ...each, verb: "patch" })]));
  expect([rights.filter((right) => right === "allowed"), rights.filter((right) => right === "denied")]).toMatchObject([
    { length: 100 },
    { length: 100 },
  ]);
  expect(cluster.reviews).toEqual(["SelfSubjectReview", "rules ns-0", "rules ns-1", "rules ns-2"]);
});

test.each([
  ["incomplete", (each: ScriptedCluster) => (each.incomplete = true)],
  ["with an error", (each: ScriptedCluster) => (each.evaluationError = "a role is missing")],
  ["refused", (each: ScriptedCluster) => each.failing.add("SelfSubjectRulesReview")],
])("rules that are %s leave what they do not list to single reviews, at most eight at a time", async (...[, make]) => {
  make(cluster);
  cluster.rules = [rule(["pods"], ["delete"])];
  const rights = await Promise.all(Array.from({ length: 20 }, (_, index) => rightOf({ ...PODS, verb: "patch", name: `web-${index}` })));
  expect(new Set(rights)).toEqual(new Set(["allowed"]));
  expect([cluster.mostAtOnce, cluster.count().single]).toEqual([8, 20]);
  cluster.allowed = false;
  await expect(rightOf({ ...PODS, verb: "patch", name: "web-0" }), "single answers are kept, too").resolves.toBe("allowed");
  const isListed = !cluster.failing.has("SelfSubjectRulesReview");
  expect(await rightOf(PODS), "what is listed needs no single review").toBe(isListed ? "allowed" : "denied");
  expect(cluster.count().single).toBe(isListed ? 20 : 21);
});

test("an answer is used for 30 s", async () => {
  expect(await rightOf(PODS)).toBe("denied");
  cluster.rules = [rule(["pods"])];
  clock.advance(29_999);
  expect(await rightOf(PODS)).toBe("denied");
  clock.advance(1);
  expect(await rightOf(PODS)).toBe("allowed");
  expect(cluster.count()).toEqual({ rules: ["shop", "shop"], single: 0 });
});

test("a single answer is used for 30 s", async () => {
  cluster.incomplete = true;
  expect(await rightOf(PODS)).toBe("allowed");
  cluster.allowed = false;
  clock.advance(29_999);
  expect(await rightOf(PODS)).toBe("allowed");
  clock.advance(1);
  expect(await rightOf(PODS)).toBe("denied");
  expect(cluster.count().single).toBe(2);
});

test("a right that was withdrawn lasts no longer than 30 s, also where its review was answered late", async () => {
  cluster.rules = [rule(["pods"], ["delete"])];
  cluster.incomplete = true;
  cluster.lateMs = 4_000;
  const other = { ...PODS, verb: "patch" };
  expect([await rightOf(PODS), await rightOf(other)]).toEqual(["allowed", "allowed"]);
  cluster.lateMs = 0;
  cluster.rules = [];
  cluster.allowed = false;
  // The single review was requested when the rules had been answered.
  clock.advance(30_000 - 8_000);
  expect([await rightOf(PODS), await rightOf(other)]).toEqual(["denied", "allowed"]);
  clock.advance(4_000);
  expect(await rightOf(other)).toBe("denied");
});

test("a rule with names holds for the objects that it names", async () => {
  cluster.rules = [rule(["pods"], ["delete"], { resourceNames: ["web-1", "web-2"] })];
  const names = ["web-1", "web-3", ""];
  expect(await Promise.all(names.map((name) => rightOf({ ...PODS, name })))).toEqual(["allowed", "denied", "denied"]);
});

test.each([
  [["pods"], "denied"],
  [["pods/exec"], "allowed"],
  [["*/exec"], "allowed"],
  [["*/scale"], "denied"],
  [["*"], "allowed"],
])("rules for %j leave pods/exec %s", async (resources, expected) => {
  cluster.rules = [rule(resources, ["create"])];
  expect(await rightOf(EXEC)).toBe(expected);
  expect(await rightOf({ ...EXEC, verb: "get" })).toBe("denied");
});

test("rules of a namespace say nothing of what is in none", async () => {
  cluster.rules = [rule(["nodes"])];
  cluster.allowed = false;
  expect(await rightOf({ ...PODS, resource: "nodes", namespace: "" })).toBe("denied");
  expect(cluster.count()).toEqual({ rules: [], single: 1 });
});

test("without an answer a right is not known, and the next call asks again", async () => {
  cluster.failing.add("SelfSubjectRulesReview").add("SelfSubjectAccessReview");
  expect(await rightOf(PODS)).toBe("not-known");
  cluster.failing.clear();
  cluster.rules = [rule(["pods"])];
  expect(await rightOf(PODS)).toBe("allowed");
  expect(cluster.count()).toEqual({ rules: ["shop", "shop"], single: 1 });
});

test("a single review without an answer is sent again by the next call", async () => {
  cluster.incomplete = true;
  cluster.failing.add("SelfSubjectAccessReview");
  expect(await rightOf(PODS)).toBe("not-known");
  cluster.failing.clear();
  expect(await rightOf(PODS)).toBe("allowed");
  expect(cluster.count()).toEqual({ rules: ["shop"], single: 2 });
});

test("viewers who are one identity to the cluster share answers; others, and other agents, do not", async () => {
  await rightOf(PODS, cluster.viewer("agent", { credentialKey: "one" }));
  await rightOf(PODS, cluster.viewer("agent", { credentialKey: "two" }));
  expect(cluster.count().rules).toHaveLength(1);
  cluster.rules = [rule(["pods"])];
  expect(await rightOf(PODS, cluster.viewer("ben"))).toBe("allowed");
  expect(await rightOf(PODS, cluster.viewer("agent", { agentId: 4n }))).toBe("allowed");
  expect(await rightOf(PODS, cluster.viewer("agent", { credentialKey: "one" }))).toBe("denied");
  expect(cluster.count().rules).toHaveLength(3);
});

test("viewers whose identity is not known do not share until it is", async () => {
  const [one, two] = ["one", "two"].map((credentialKey) => cluster.viewer("agent", { credentialKey }));
  cluster.failing.add("SelfSubjectReview");
  for (const viewer of [one, two, one]) await rightOf(PODS, viewer);
  expect(cluster.count().rules).toHaveLength(2);
  cluster.failing.clear();
  for (const viewer of [one, two, one]) await rightOf(PODS, viewer);
  expect(cluster.count().rules).toHaveLength(3);
});

test("a session that ends takes its answers with it, and no others", async () => {
  await rightOf(PODS, cluster.viewer("ann"));
  await rightOf(PODS, cluster.viewer("ben"));
  permissions.sessionEnded("ann");
  await settle();
  cluster.rules = [rule(["pods"])];
  expect([await rightOf(PODS, cluster.viewer("ann")), await rightOf(PODS, cluster.viewer("ben"))]).toEqual(["allowed", "denied"]);
});
