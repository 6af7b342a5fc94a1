import { readdirSync, readFileSync } from "node:fs";

import type { KubeObject } from "@binnacle/kube";
import { quoted, words, type Facts } from "@binnacle/words";
import { ENGLISH } from "@binnacle/words/en";
import { renderEnglish } from "@binnacle/words/render-english";
import { describe, expect, test } from "vitest";

import type { HealthStatus } from "./health-status.ts";
import { NOTICE_WEIGHTS, weightOfNotice } from "./notice-weights.ts";
import type { NoticedResource } from "./noticed-resources.ts";
import { rollUp, type RollUpRoot } from "./roll-up.ts";
import { noticesOf } from "./why/why-of.ts";
import type { WhyContext } from "./why/why.ts";

const CASES = new URL("../fixtures/why-cases/", import.meta.url);

function refOf(kind: string, name: string) {
  return { group: "", version: "v1", kind, namespace: "env", name };
}

function root(status: HealthStatus, kind: string, name: string): RollUpRoot {
  return { ref: refOf(kind, name), health: { status, reason: "R", message: quoted("words"), stale: false, causes: [] } };
}

function noticed(id: keyof typeof ENGLISH, facts: Facts, { ref, health }: RollUpRoot): NoticedResource {
  return { ref, health, notice: { reason: "Notice", message: words(id, facts), nextStep: quoted("do it") } };
}

test("every notice of every case has a weight, and every weight is that of a sentence", () => {
  const noticed = readdirSync(CASES).flatMap((name) => {
    // The files are ours and have this shape; other tests fail where one has not.
    const { resource, context } = JSON.parse(readFileSync(new URL(name, CASES), "utf8")) as { resource: KubeObject; context: WhyContext };
    return noticesOf(resource, context).map(({ message }) => message.id);
  });
  expect(noticed.length).toBeGreaterThan(30);
  expect(noticed.filter((id) => !Object.hasOwn(NOTICE_WEIGHTS, id))).toEqual([]);
  expect(Object.keys(NOTICE_WEIGHTS).filter((id) => !Object.hasOwn(ENGLISH, id))).toEqual([]);
});

test("a word that is named like something of every object has no weight", () => {
  expect(weightOfNotice({ message: { id: "constructor", facts: {} } })).toBe("elsewhere");
});

const service = root("Healthy", "Service", "lost");
const pod = root("Degraded", "Pod", "broken");

describe.each(Object.entries(NOTICE_WEIGHTS))("%s", (id, weight) => {
  test(`is ${weight}, and no status`, () => {
    // Every id is a sentence, as the first test says.
    const result = rollUp([service], { noticed: [noticed(id as keyof typeof ENGLISH, {}, service)] });
    expect(result).toMatchObject({ status: "Healthy", counts: { Healthy: 1 } });
    expect(result.issuesTotal).toBe(weight === "issue" ? 1 : 0);
    expect(result.uncountedTotal).toBe(weight === "uncounted" ? 1 : 0);
  });
});

describe("a notice that is an issue", () => {
  const lost = noticed("network/no-endpoints", { name: "lost", selector: "app=lost" }, service);

  test("comes after all that is not well, with its own words and next step", () => {
    const { issues, issuesTotal, resourcesTotal, status } = rollUp([service, pod], { noticed: [lost] });
    expect({ status, issuesTotal, resourcesTotal }).toEqual({ status: "Degraded", issuesTotal: 2, resourcesTotal: 2 });
    expect(issues.map(({ members, notice }) => [members[0]?.ref.name, notice])).toEqual([
      ["broken", false],
      ["lost", true],
    ]);
    expect(issues[1]).toMatchObject({ reason: "Notice", message: lost.notice.message, nextStep: lost.notice.nextStep });
  });

  test("is another issue than what its resource is not well for", () => {
    const pending = root("Progressing", "Service", "lost");
    const { issues } = rollUp([pending], { noticed: [noticed("network/no-endpoints", {}, pending)] });
    expect(issues.map(({ status, notice }) => [status, notice])).toEqual([
      ["Progressing", false],
      ["Progressing", true],
    ]);
  });

  test("is reported beside that all is well", () => {
    const { reason, message } = rollUp([service], { noticed: [lost] });
    expect([reason, renderEnglish(message)]).toEqual(["Notice", "The only checked resource is healthy; 1 issue beside that"]);
  });

  test("US3: is one for all who serve with one certificate, and for all who ask one Service for a port that it lacks", () => {
    const [a, b] = ["a", "b"].map((name) => root("Healthy", "Ingress", name)) as [RollUpRoot, RollUpRoot];
    const soon = (secret: string, of: RollUpRoot) => noticed("network/certificate-expires-soon", { secret, name: of.ref.name }, of);
    const port = (name: string, of: RollUpRoot) => noticed("network/port-missing", { backend: "web", namespace: "env", ports: [name] }, of);
    const { issues } = rollUp([a, b], { noticed: [soon("tls", a), soon("tls", b), soon("own", b), port("http", a), port("http", b)] });
    expect(issues.map(({ membersTotal }) => membersTotal).toSorted((left, right) => left - right)).toEqual([1, 2, 2]);
  });
});

describe("what is intended", () => {
  test("is beside the issues and in none of their numbers: suspended, paused, and Jobs that have no weight", () => {
    const [paused, job] = [root("Suspended", "Deployment", "paused"), { ...root("Suspended", "Job", "later") }];
    const batch = { ...job, ref: { ...job.ref, group: "batch" } };
    const result = rollUp([paused, batch, pod]);
    expect(result).toMatchObject({ issuesTotal: 1, resourcesTotal: 1, uncountedTotal: 2, counts: { Suspended: 1, Degraded: 1 } });
    expect(result.uncounted.map(({ members }) => members[0]?.ref.name)).toEqual(["paused", "later"]);
    expect(rollUp([paused])).toMatchObject({ status: "Suspended", reason: "R", issuesTotal: 0 });
  });

  test("is nowhere when a team leaves its kind out", () => {
    expect(rollUp([root("Suspended", "Deployment", "paused")], { weights: { Deployment: "ignore" } }).uncountedTotal).toBe(0);
  });
});

test("what is stuck below a root that is well is an issue, and changes neither status nor counts", () => {
  const stuck = { ...root("Progressing", "Pod", "leaving"), why: undefined };
  const result = rollUp([root("Healthy", "Deployment", "web")], { below: [stuck] });
  expect(result).toMatchObject({ status: "Healthy", counts: { Healthy: 1, Progressing: 0 }, issuesTotal: 1 });
  expect(result.issues[0]).toMatchObject({ status: "Progressing", notice: false });
});
