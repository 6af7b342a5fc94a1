import { unreadTools, type ToolStandings } from "@binnacle/environment-view";
import { encodeKey } from "@binnacle/kube";
import { GitopsSourceProblem, GitopsSyncState } from "@binnacle/proto/kas-gitops";
import { fromWordsMessage } from "@binnacle/proto/read-words";
import { words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";
import { describe, expect, test } from "vitest";

import type { ShownSync } from "./agent-syncs.ts";
import { deliveryIssues } from "./delivery-issues.ts";
import { deliveryOf, valueOf, type DeliverySources, type Member } from "./delivery.ts";
import type { DeploymentRecord } from "../main-application/records.ts";

const CI: DeploymentRecord = {
  kind: "deployed",
  source: "ci",
  sha: "c".repeat(40),
  ref: "main",
  isTag: false,
  title: "",
  commitUrl: "",
  author: "",
  byUsername: "",
  byName: "",
  job: "",
  jobUrl: "",
  atMs: 1_000,
};
const APPLIED = "a".repeat(8);

const SYNC: ShownSync = {
  project: "group/manifests",
  sha: APPLIED,
  state: GitopsSyncState.SYNCED,
  reason: "",
  startedAtMs: 1_000,
  finishedAtMs: 2_000,
  reportedAtMs: 2_000,
  pruneHeld: "",
  sourceProblem: GitopsSourceProblem.UNSPECIFIED,
  pollMs: undefined,
  waves: 1,
  objects: 17,
  failed: 0,
  drifted: 0,
  namespaces: ["prod"],
  inventoryId: "1-2",
  inventoryNamespace: "prod",
  inventoryName: "inventory",
  appliedSha: APPLIED,
  appliedAtMs: 2_000,
  appliedObjects: 17,
  isOutcomeUnknown: false,
  waiting: undefined,
  newestSha: "",
  isDriftIgnored: false,
  commit: undefined,
  appliedCommit: undefined,
  report: undefined,
  source: undefined,
};

function sync(over: Partial<ShownSync> = {}): ShownSync {
  return { ...SYNC, ...over };
}

const why = words("delivery/agent-not-reported");
const SYNCS = {
  "not requested": undefined,
  known: { state: "known", value: [sync()] },
  none: { state: "none" },
  unknown: { state: "unknown", why },
  retained: { state: "unknown", value: [sync({ retainedAsOfMs: 5_000 })], asOfMs: 5_000, why },
  forbidden: { state: "forbidden" },
} as const satisfies Record<string, Member<readonly ShownSync[]> | undefined>;
const DEPLOYMENTS = {
  "not requested": undefined,
  deployed: CI,
  none: { kind: "none" },
  "not readable": { kind: "not-readable" },
  "not supported": { kind: "not-supported" },
} as const satisfies Record<string, DeploymentRecord | undefined>;

/** "known c", "unknown a as of 5000": state and first letter of the commit. */
function lastDeployment(sources: DeliverySources): string {
  const { lastDeployment: last } = deliveryOf(sources);
  const value = valueOf(last);
  const asOf = last.state === "unknown" && last.asOfMs !== undefined ? ` as of ${last.asOfMs}` : "";
  return `${last.state}${value === undefined ? "" : ` ${value.sha[0]}`}${asOf}`;
}

describe("B2: an environment has no deployment only when the main application and kas have both answered so", () => {
  const expected: Record<keyof typeof DEPLOYMENTS, Record<keyof typeof SYNCS, string>> = {
    "not requested": {
      "not requested": "unknown",
      known: "known a",
      none: "unknown",
      unknown: "unknown",
      retained: "unknown a as of 5000",
      forbidden: "forbidden",
    },
    deployed: {
      "not requested": "known c",
      known: "known c",
      none: "known c",
      unknown: "known c",
      retained: "known c",
      forbidden: "known c",
    },
    none: {
      "not requested": "unknown",
      known: "known a",
      none: "none",
      unknown: "unknown",
      retained: "unknown a as of 5000",
      forbidden: "forbidden",
    },
    "not readable": {
      "not requested": "unknown",
      known: "known a",
      none: "unknown",
      unknown: "unknown",
      retained: "unknown a as of 5000",
      forbidden: "forbidden",
    },
    "not supported": {
      "not requested": "unknown",
      known: "known a",
      none: "unknown",
      unknown: "unknown",
      retained: "unknown a as of 5000",
      forbidden: "forbidden",
    },
  };
  for (const deployment of Object.keys(DEPLOYMENTS) as (keyof typeof DEPLOYMENTS)[])
    for (const syncs of Object.keys(SYNCS) as (keyof typeof SYNCS)[])
      test(`main application: ${deployment}; kas: ${syncs}`, () => {
        const sources = { deployment: DEPLOYMENTS[deployment], syncs: SYNCS[syncs], tools: { tools: [], more: 0 } };
        expect(lastDeployment(sources)).toBe(expected[deployment][syncs]);
      });
});

test("ux-3: an environment whose objects of Flux and Argo CD are not known, as in the index, is not shown as without deployment", () => {
  const { lastDeployment: last } = deliveryOf({ deployment: DEPLOYMENTS.none, syncs: SYNCS.none });
  expect(last).toEqual({ state: "unknown", why: words("delivery/tools-not-known") });
});

test("B2: the last value stays, dated, in sync and inventory too", () => {
  const delivery = deliveryOf({ deployment: DEPLOYMENTS.none, syncs: SYNCS.retained });
  expect(delivery.sync).toMatchObject({ state: "unknown", asOfMs: 5_000, value: { syncs: [{ project: "group/manifests" }] } });
  expect(delivery.inventory).toMatchObject({ state: "unknown", asOfMs: 5_000, value: [{ name: "inventory", objects: 17 }] });
  expect(delivery.drift).toMatchObject({ state: "unknown" });
});

test("an environment with a tool that names no commit has a sync, and a deployment that is not known", () => {
  const standing = { tool: "flux-kustomization", namespace: "flux-system", name: "web", objects: 1, sync: { sha: "" } };
  const tools = { tools: [standing], more: 0 } as unknown as ToolStandings;
  const delivery = deliveryOf({ deployment: DEPLOYMENTS.none, syncs: SYNCS.none, tools });
  expect([delivery.lastDeployment, delivery.sync.state]).toEqual([
    { state: "unknown", why: words("delivery/tool-names-no-commit") },
    "known",
  ]);
});

test("a tool whose object was not read is not shown as naming no commit", () => {
  const lastOf = (tool: "flux-kustomization" | "argocd", name: string) => {
    const tools = unreadTools({ tools: [{ tool, name, objects: 1 }], more: 0 });
    return deliveryOf({ deployment: DEPLOYMENTS.none, syncs: SYNCS.none, tools }).lastDeployment;
  };
  for (const [tool, name, kind, place] of [
    ["flux-kustomization", "flux-system/web", "Kustomization", "flux-system/web"],
    ["argocd", "team-a_shop", "Application", "team-a/shop"],
    // Argo CD's own namespace is not in the mark.
    ["argocd", "shop", "Application", "shop"],
  ] as const) {
    expect(lastOf(tool, name)).toEqual({ state: "unknown", why: words("delivery/tool-state-not-known", { kind, place }) });
  }
});

test("a commit that was refused takes nothing from the one that is applied", () => {
  const refused = sync({ state: GitopsSyncState.INVALID, sha: "b".repeat(8), objects: 0 });
  expect(lastDeployment({ deployment: DEPLOYMENTS.none, syncs: { state: "known", value: [refused] } })).toBe("known a");
});

describe("B1: issues of syncs", () => {
  const issuesOf = (...syncs: ShownSync[]) =>
    deliveryIssues({ state: "known", value: { syncs, tools: { tools: [], more: 0 } } }).map(({ title, words: text, notice, members }) => {
      const [head, sentence] = [title, text].map((each) => (each === undefined ? "" : renderEnglish(fromWordsMessage(each))));
      return { head, sentence, notice, members: members.length };
    });
  const report = { commitId: "", globs: [], branch: "", waitingAuthors: ["Nina", "Otto"], invalid: "", places: new Map() };
  const waiting = { count: 2, hasMore: false };

  test("a commit that was refused is one, with file and line and whose commits wait for who may read them", () => {
    const state = GitopsSyncState.INVALID;
    const invalid = "99.yaml:2: mapping values are not allowed here";
    expect(issuesOf(sync({ state, sha: "b".repeat(8), waiting, report: { ...report, invalid } }))).toEqual([
      {
        head: "group/manifests: commit bbbbbbbb refused",
        sentence: `2 commits of Nina, Otto not deployed: ${invalid}`,
        notice: false,
        members: 0,
      },
    ]);
  });

  test("a sync without a known commit is shown without it", () => {
    expect(issuesOf(sync({ state: GitopsSyncState.INVALID, sha: "" }))[0]?.head).toBe("group/manifests: commit refused");
    expect(issuesOf(sync({ state: GitopsSyncState.FAILED, sha: "" }))[0]?.head).toBe("group/manifests: sync failed");
  });

  test("a viewer who may not read the files gets the number of waiting commits, and nothing about the files", () => {
    const [issue] = issuesOf(sync({ state: GitopsSyncState.INVALID, waiting: { count: 100, hasMore: true } }));
    expect(issue?.sentence).toBe("100+ commits not deployed: The manifests are invalid. What is wrong is shown to readers of the project.");
  });

  test("a failed sync names the first object that failed, with the line of its field", () => {
    const object = { group: "apps", kind: "Deployment", namespace: "prod", name: "web" };
    const failures = [{ ...object, reason: "no quota", drifted: false }];
    const places = new Map([[encodeKey(object), { path: "20-web.yaml", line: 1, fieldLine: 13 }]]);
    const failed = { state: GitopsSyncState.FAILED, failed: 1, details: { settled: 17, failures } };
    expect(issuesOf(sync({ ...failed, report: { ...report, places } }))[0]?.sentence).toBe(
      "1 of 17 objects not applied: Deployment prod/web (20-web.yaml:13): no quota",
    );
    expect(issuesOf(sync(failed))[0]?.sentence).toBe("1 of 17 objects not applied: Deployment prod/web: no quota");
  });

  test("a held prune and a branch that is gone are notices, and come after what failed", () => {
    const held = sync({ project: "a/held", pruneHeld: "all of it" });
    const gone = sync({ project: "b/gone", sourceProblem: GitopsSourceProblem.NO_COMMIT });
    const failed = sync({ project: "c/failed", state: GitopsSyncState.FAILED, reason: "no Lease" });
    expect(issuesOf(held, gone, failed).map(({ head, notice }) => [head, notice])).toEqual([
      ["c/failed: sync of aaaaaaaa failed", false],
      ["a/held: prune held", true],
      ["b/gone: no newer commits", true],
    ]);
  });

  test("what is in sync, paused or out of sync is none, nor what a restarted agent does not know", () => {
    const states = [GitopsSyncState.SYNCED, GitopsSyncState.PAUSED, GitopsSyncState.OUT_OF_SYNC, GitopsSyncState.APPLYING];
    expect(issuesOf(...states.map((state) => sync({ state, drifted: 1 })))).toEqual([]);
    expect(issuesOf(sync({ state: GitopsSyncState.FAILED, failed: 3, pruneHeld: "all", isOutcomeUnknown: true }))).toEqual([]);
  });

  test("B2: an issue that kas has not confirmed is shown as last known", () => {
    expect(issuesOf(sync({ state: GitopsSyncState.FAILED, reason: "no Lease", retainedAsOfMs: 1 }))[0]?.sentence).toBe(
      "Last known: no Lease",
    );
  });

  test("B2: so is every issue while kas is unreachable", () => {
    const value = { syncs: [sync({ state: GitopsSyncState.FAILED, reason: "no Lease" })], tools: { tools: [], more: 0 } };
    const [issue] = deliveryIssues({ state: "unknown", value, asOfMs: 1, why: words("delivery/kas-unreachable") });
    expect(renderEnglish(issue?.words && fromWordsMessage(issue.words))).toBe("Last known: no Lease");
  });
});
