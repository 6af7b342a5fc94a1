import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  CauseSchema,
  HealthStatus,
  ManagedBySchema,
  PrecedingChangeSchema,
  WhyLevel,
  WhyLinkSchema,
  WhySchema,
  type Cause,
} from "@binnacle/proto/dashboard";
import { expect, test } from "vitest";
import { whyGroups } from "./why-groups.ts";
import { badSinceMs, changeParts, changeWhen, managerWords, messageOfCause, nameOfLink, reasonOfCause, saidOfLink } from "./why-words.ts";

const NOON = new Date(2026, 10, 21, 12, 0, 0).getTime();
const MIN = 60_000;

function cause(name: string, options: { readonly reason?: string; readonly message?: string; readonly nextStep?: string } = {}): Cause {
  const { reason = "ImagePullBackOff", message = "no such image", nextStep = "Correct the image." } = options;
  return create(CauseSchema, {
    ref: { kind: "Deployment", name },
    status: HealthStatus.DEGRADED,
    reason: "MinimumReplicasUnavailable",
    message: "1 of 3 replicas is available",
    since: timestampFromMs(NOON),
    why: { reason, message, nextStep, firstBadAt: timestampFromMs(NOON - 3 * MIN) },
  });
}

test("the root reason goes before the reason of the workload, in words and in time", () => {
  const bad = cause("web");
  expect([reasonOfCause(bad), messageOfCause(bad), badSinceMs(bad)]).toEqual(["ImagePullBackOff", "no such image", NOON - 3 * MIN]);
});

test("without a chain the workload's own words stand, and without any the word of its status", () => {
  const plain = create(CauseSchema, { ref: { kind: "Job", name: "seed" }, status: HealthStatus.UNKNOWN, since: timestampFromMs(NOON) });
  expect([reasonOfCause(plain), messageOfCause(plain), badSinceMs(plain)]).toEqual(["Unknown", "", NOON]);
  expect(whyGroups([plain]).map((group) => group.title)).toEqual(["Job seed: Unknown"]);
});

test("a container is called by its name, an event by what it is about, anything else by its kind and name", () => {
  const ref = { kind: "Pod", name: "web-0" };
  expect(nameOfLink(create(WhyLinkSchema, { level: WhyLevel.CONTAINER, ref, container: "app" }))).toEqual({
    what: "container",
    name: "app",
  });
  const event = create(WhyLinkSchema, { level: WhyLevel.EVENT, ref });
  expect(nameOfLink(event)).toEqual({ what: "event of", name: "Pod web-0" });
  expect(nameOfLink(event, create(WhyLinkSchema, { level: WhyLevel.RESOURCE, ref }))).toEqual({ what: "event", name: "" });
  expect(nameOfLink(create(WhyLinkSchema, { level: WhyLevel.REFERENCE, ref: { kind: "Secret", name: "tls" } }))).toEqual({
    what: "Secret",
    name: "tls",
  });
});

test("the change before says when it was and how long before; one at the same time, or later, says only when", () => {
  const why = (minutes: number) =>
    create(WhySchema, { firstBadAt: timestampFromMs(NOON), precededBy: { what: "rollout", at: timestampFromMs(NOON + minutes * MIN) } });
  expect(changeWhen(why(-2), NOON)).toBe("11:58:00, 2 min before");
  expect(changeWhen(why(0), NOON)).toBe("12:00:00");
  expect(changeWhen(why(1), NOON)).toBe("12:01:00");
  expect(changeWhen(create(WhySchema), NOON)).toBe("");
});

test("the sentence of a change is cut at the name of what changed, where it names it", () => {
  const parts = (message: string) =>
    changeParts(create(PrecedingChangeSchema, { what: "rollout", ref: { kind: "Deployment", name: "web" }, message }));
  expect(parts("Deployment web was rolled out: web:1 → web:2.")).toEqual({
    before: "Deployment ",
    name: "web",
    after: " was rolled out: web:1 → web:2",
  });
  expect(parts("Somebody deployed webhooks")).toEqual({ before: "Somebody deployed webhooks", name: "", after: "" });
  expect(parts("")).toEqual({ before: "rollout", name: "", after: "" });
});

test("a link without a reason says its status, and one without opinion nothing", () => {
  const said = (status: HealthStatus, reason = "") => saidOfLink(create(WhyLinkSchema, { status, reason }));
  expect(said(HealthStatus.DEGRADED, "CrashLoopBackOff")).toBe("CrashLoopBackOff");
  expect(said(HealthStatus.PROGRESSING)).toBe("Progressing");
  expect([said(HealthStatus.UNKNOWN), said(HealthStatus.UNSPECIFIED)]).toEqual(["", ""]);
});

test("workloads with the same root reason are one group, where the first of them stood", () => {
  const groups = whyGroups([cause("web"), cause("db", { reason: "Unschedulable" }), cause("api", { message: "no such tag" })]);
  expect(groups.map((group) => [group.title, group.message, group.nextStep, group.members.length])).toEqual([
    ["web and api: ImagePullBackOff", "", "Correct the image.", 2],
    ["Deployment db: Unschedulable", "no such image", "Correct the image.", 1],
  ]);
});

test("a group of many names only the first of them", () => {
  const titles = (names: readonly string[]) => whyGroups(names.map((name) => cause(name))).map((group) => group.title);
  expect(titles(["a", "b", "c"])).toEqual(["a, b and c: ImagePullBackOff"]);
  expect(titles(["a", "b", "c", "d", "e"])).toEqual(["a, b and 3 more: ImagePullBackOff"]);
});

test("the same reason with another status is another group", () => {
  const late = { ...cause("api"), status: HealthStatus.PROGRESSING };
  expect(whyGroups([cause("web"), late])).toHaveLength(2);
});

test("tools are called as their users call them, unknown ones by their own word", () => {
  const words = (tool: string, name: string) => managerWords(create(ManagedBySchema, { tool, name }));
  expect(words("argocd", "shop")).toBe("Argo CD application shop");
  expect(words("flux-kustomization", "flux-system/apps")).toBe("Flux Kustomization flux-system/apps");
  expect(words("cli-utils", "a1b2")).toBe("inventory a1b2");
  expect(words("newtool", "x")).toBe("newtool x");
});
