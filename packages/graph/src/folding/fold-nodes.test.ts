import { describe, expect, test } from "vitest";

import type { FoldNode } from "./fold-model.ts";
import { foldNodes, unfoldNodes } from "./fold-nodes.ts";

function node(kind: string, name: string, more: Partial<FoldNode> = {}): FoldNode {
  return { id: `${kind}/${name}`, group: "", kind, namespace: "shop", name, ownerId: "", presence: "present", status: "Healthy", ...more };
}

function many(count: number, kind: string, more: Partial<FoldNode> = {}): FoldNode[] {
  return Array.from({ length: count }, (_, index) => node(kind, `${kind.toLowerCase()}-${index}`, more));
}

function fold(nodes: readonly FoldNode[], open: readonly string[] = []): ReturnType<typeof foldNodes<FoldNode>> {
  return foldNodes(new Map(nodes.map((each) => [each.id, each])), { open: new Set(open) });
}

describe("replicas", () => {
  const owner = node("ReplicaSet", "web-7d9");
  const pods = (count: number): FoldNode[] => many(count, "Pod", { ownerId: owner.id });

  test("five pods of an owner are shown one by one, six are folded", () => {
    expect(fold([owner, ...pods(5)]).groups).toEqual([]);
    expect(fold([owner, ...pods(6)]).groups).toMatchObject([
      {
        id: "fold:of:ReplicaSet/web-7d9:Pod",
        reason: "replicas",
        kind: "Pod",
        members: pods(6),
        ownerId: owner.id,
      },
    ]);
  });

  test("a failing pod among many is counted, and its status is the group's", () => {
    const [first, ...rest] = pods(12);
    const sick = { ...first, status: "Degraded" } as FoldNode;
    expect(fold([owner, ...rest, sick]).groups[0]).toMatchObject({
      worst: "Degraded",
      counts: [
        ["Degraded", 1],
        ["Healthy", 11],
      ],
    });
  });

  test("numbers of statuses are ranked as words are", () => {
    const [first, ...rest] = pods(6).map((pod) => ({ ...pod, status: 1 }));
    const group = fold([owner, ...rest, { ...first, status: 3 } as FoldNode]).groups[0];
    expect(group?.counts).toEqual([
      [3, 1],
      [1, 5],
    ]);
  });

  test("an unknown status never counts as healthy", () => {
    const [first, ...rest] = pods(6);
    expect(fold([owner, ...rest, { ...first, status: "Exploded" } as FoldNode]).groups[0]?.worst).toBe("Exploded");
  });

  test("what has not come, or may not be seen, is always shown by itself", () => {
    expect(fold([owner, ...many(8, "Pod", { ownerId: owner.id, presence: "missing" })]).groups).toEqual([]);
    expect(fold(many(8, "ConfigMap", { presence: "not-visible" })).groups).toEqual([]);
  });

  test("what lies below a folded one is not folded again", () => {
    const claims = many(6, "PersistentVolumeClaim", { ownerId: "Pod/pod-2" });
    const { groups } = fold([...claims, ...pods(6), owner]);
    expect(groups).toMatchObject([{ kind: "Pod", members: pods(6), ownerId: owner.id }]);
    expect(groups[0]?.below).toHaveLength(6);
  });

  test("members stand by their names, in whatever order they came", () => {
    const names = pods(6).map(({ name }) => name);
    expect(fold([owner, ...pods(6).toReversed()]).groups[0]?.members.map(({ name }) => name)).toEqual(names);
  });

  test("pods of an owner that is not there are roots of their namespace", () => {
    expect(fold(many(6, "Pod", { ownerId: "gone" })).groups[0]).toMatchObject({ id: "fold:in:shop:/Pod", kind: "Pod", ownerId: "" });
  });
});

describe("superseded ones", () => {
  const cron = node("CronJob", "report");
  const jobs = (count: number): FoldNode[] => many(count, "Job", { ownerId: cron.id, superseded: true });

  test("two old ReplicaSets are folded, one is not", () => {
    const old = many(2, "ReplicaSet", { group: "apps", ownerId: "Deployment/web", superseded: true });
    expect(fold([node("Deployment", "web"), ...old]).groups).toMatchObject([
      { id: "fold:old:Deployment/web:ReplicaSet.apps", reason: "old-revisions", members: old, group: "apps" },
    ]);
    expect(fold([node("Deployment", "web"), ...old.slice(1)]).groups).toEqual([]);
  });

  test("completed Jobs take their pods with them, and say how those are", () => {
    const pods = jobs(9).map((job) =>
      node("Pod", `${job.name}-x`, { ownerId: job.id, status: job.name === "job-3" ? "Degraded" : "Healthy" }),
    );
    const { groups, groupOf } = fold([cron, ...jobs(9), ...pods]);
    expect(groups).toMatchObject([{ kind: "Job", members: jobs(9), reason: "finished-jobs", worst: "Healthy" }]);
    expect(groups[0]?.belowCounts).toEqual([
      ["Degraded", 1],
      ["Healthy", 8],
    ]);
    expect(groupOf.get("Pod/job-3-x")).toBe("fold:old:CronJob/report:Job");
  });

  test("finished Jobs of which one failed say so by their worst", () => {
    const [first, ...rest] = jobs(3);
    expect(fold([cron, ...rest, { ...first, status: "Degraded" } as FoldNode]).groups[0]).toMatchObject({
      reason: "finished-jobs",
      worst: "Degraded",
    });
  });

  test("groups stand by their ids, whichever rule has made them", () => {
    const pods = many(6, "Pod", { ownerId: "ReplicaSet/web" });
    const { groups } = fold([node("ReplicaSet", "web"), ...pods, cron, ...jobs(2)]);
    expect(groups.map(({ id }) => id)).toEqual(["fold:of:ReplicaSet/web:Pod", "fold:old:CronJob/report:Job"]);
  });

  test("an opened group shows its members, and the pods of each by its own count", () => {
    const pods = many(6, "Pod", { ownerId: "Job/job-0" });
    const { groups, openGroupOf, alone } = fold([cron, ...jobs(2), ...pods], ["fold:old:CronJob/report:Job"]);
    expect(openGroupOf.get("Job/job-1")).toBe("fold:old:CronJob/report:Job");
    expect(groups.map(({ id }) => id)).toEqual(["fold:of:Job/job-0:Pod"]);
    expect(alone.map(({ id }) => id)).toEqual(["CronJob/report", "Job/job-0", "Job/job-1"]);
  });
});

describe("generated Secrets", () => {
  const releases = Array.from({ length: 4 }, (_, index) => node("Secret", `sh.helm.release.v1.web.v${index + 1}`));
  const token = node("Secret", "builder-token", { type: "kubernetes.io/service-account-token" });
  const issued = node("Secret", "web-tls", { generated: true });
  const owned = node("Secret", "web-creds", { ownerId: "ExternalSecret/web" });

  test("releases, tokens, certificates and owned ones are one group", () => {
    const { groups, alone } = fold([...releases, token, issued, owned, node("ExternalSecret", "web"), node("Secret", "by-hand")]);
    expect(groups).toMatchObject([{ id: "fold:generated:shop:Secret", reason: "generated-secrets", ownerId: "" }]);
    expect(groups[0]?.members).toHaveLength(7);
    expect(alone.map(({ name }) => name)).toEqual(["web", "by-hand"]);
  });

  test("an Opaque Secret that is called like a release, or a custom kind Secret, is not generated", () => {
    const impostors = [
      node("Secret", "sh.helm.release.v1.x.v1", { type: "Opaque" }),
      node("Secret", "sh.helm.release.v1.x.v2", { group: "x.io" }),
    ];
    expect(fold([...releases.slice(0, 2), ...impostors]).groups).toEqual([]);
  });

  test("too few to be a group, they are among the others of their kind", () => {
    const { groups } = fold([...releases.slice(0, 2), ...many(4, "Secret")]);
    expect(groups).toMatchObject([{ id: "fold:in:shop:/Secret", reason: "leaves" }]);
    expect(groups[0]?.members).toHaveLength(6);
  });
});

describe("loose ones", () => {
  test("workloads without children are never folded, others of one kind and place are", () => {
    expect(fold(many(9, "Deployment")).groups).toEqual([]);
    expect(fold(many(9, "NetworkPolicy")).groups).toMatchObject([{ kind: "NetworkPolicy", members: many(9, "NetworkPolicy") }]);
    expect(
      fold([...many(4, "ConfigMap"), ...many(4, "ConfigMap", { namespace: "b" }).map((each) => ({ ...each, id: `b/${each.id}` }))]).groups,
    ).toEqual([]);
  });

  test("a root with something below it is shown by itself", () => {
    const widgets = many(6, "Widget");
    const children = widgets.map((each) => node("Part", each.name, { ownerId: each.id }));
    expect(fold([...widgets, ...children]).groups).toEqual([]);
    expect(
      fold([...widgets, ...many(2, "Widget", { namespace: "shop" }).map((each) => ({ ...each, id: `other-${each.id}` }))]).groups,
    ).toHaveLength(1);
  });

  test("members of several namespaces have none in common", () => {
    const nodes = many(6, "ConfigMap").map((each, index) => ({ ...each, namespace: `ns-${index}` }));
    const { groups } = foldNodes(new Map(nodes.map((each) => [each.id, each])), { placeOf: () => "all" });
    expect(groups).toMatchObject([{ id: "fold:in:all:/ConfigMap", namespace: "" }]);
  });
});

test("unfolding gives back what was folded", () => {
  const nodes = [...many(7, "Pod"), ...many(3, "Job", { superseded: true }), node("Service", "web")];
  const ids = nodes.map(({ id }) => id).sort();
  expect(unfoldNodes(fold(nodes)).map(({ id }) => id)).toEqual(ids);
});
