import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { HealthStatus, ManagedBySchema, PrecedingChangeSchema, WhyLevel, WhyLinkSchema, WhySchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { quoted } from "@binnacle/words";
import { expect, test } from "vitest";
import { changeParts, changeWhen, managerWords, nameOfLink, linkText } from "./why-words.ts";

const NOON = new Date(2026, 10, 21, 12, 0, 0).getTime();
const MIN = 60_000;

test("a container is called by its name, an event by what it is about, anything else by its kind and name", () => {
  const ref = { kind: "Pod", name: "web-0" };
  expect(nameOfLink(create(WhyLinkSchema, { level: WhyLevel.CONTAINER, ref, container: "app" }))).toEqual({
    what: "container",
    name: "app",
  });
  const event = create(WhyLinkSchema, { level: WhyLevel.EVENT, ref });
  expect(nameOfLink(event)).toEqual({ what: "event of", name: "Pod web-0" });
  expect(nameOfLink(event, create(WhyLinkSchema, { level: WhyLevel.RESOURCE, ref }))).toEqual({ what: "event", name: "" });
  const unschedulable = create(WhyLinkSchema, { level: WhyLevel.EVENT, ref, reason: "FailedScheduling" });
  expect(nameOfLink(unschedulable, create(WhyLinkSchema, { level: WhyLevel.RESOURCE, ref }))).toEqual({
    what: "FailedScheduling",
    name: "",
  });
  expect(linkText(unschedulable)).toBe("");
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
    changeParts(
      create(PrecedingChangeSchema, { what: "rollout", ref: { kind: "Deployment", name: "web" }, words: toWordsMessage(quoted(message)) }),
    );
  expect(parts("Deployment web was rolled out: web:1 → web:2.")).toEqual({
    before: "Deployment ",
    name: "web",
    after: " was rolled out: web:1 → web:2",
  });
  expect(parts("An admin deployed webhooks")).toEqual({ before: "An admin deployed webhooks", name: "", after: "" });
  expect(parts("")).toEqual({ before: "rollout", name: "", after: "" });
});

test("a link without a reason says its status, and one without opinion nothing", () => {
  const textOf = (status: HealthStatus, reason = "") => linkText(create(WhyLinkSchema, { status, reason }));
  expect(textOf(HealthStatus.DEGRADED, "CrashLoopBackOff")).toBe("CrashLoopBackOff");
  expect(textOf(HealthStatus.PROGRESSING)).toBe("Progressing");
  expect([textOf(HealthStatus.UNKNOWN), textOf(HealthStatus.UNSPECIFIED)]).toEqual(["", ""]);
});

test("tools are called as their users call them, unknown ones by their own word", () => {
  const words = (tool: string, name: string) => managerWords(create(ManagedBySchema, { tool, name }));
  expect(words("argocd", "shop")).toBe("Argo CD application shop");
  expect(words("flux-kustomization", "flux-system/apps")).toBe("Flux Kustomization flux-system/apps");
  expect(words("cli-utils", "a1b2")).toBe("inventory a1b2");
  expect(words("newtool", "x")).toBe("newtool x");
});
