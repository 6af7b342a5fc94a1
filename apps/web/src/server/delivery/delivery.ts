import { kindOfTool, type ToolStanding, type ToolStandings } from "@binnacle/environment-view";
import { words, type Words } from "@binnacle/words";

import type { ShownSync } from "./agent-syncs.ts";
import type { DeployedCommit, DeploymentRecord } from "../main-application/records.ts";
import type { ProjectDrift } from "./drift.ts";
import { timeOfTool } from "./to-tool-sync.ts";

/**
 * One member of a delivery, and how well it is known. Times are milliseconds since the epoch: `asOfMs` is when the source confirmed a value
 * last, if it does not any more; `sinceMs` is since when the state is what it is.
 */
export type Member<T> =
  | { readonly state: "known"; readonly value: T; readonly sinceMs?: number | undefined }
  | { readonly state: "none" }
  | {
      readonly state: "unknown";
      /** The last one. */
      readonly value?: T | undefined;
      readonly asOfMs?: number | undefined;
      readonly sinceMs?: number | undefined;
      readonly why: Words;
    }
  | { readonly state: "forbidden" };

/** What GitOps does: syncs of our agents, and objects of other tools. */
export interface SyncValue {
  readonly syncs: readonly ShownSync[];
  readonly tools: ToolStandings;
}

/** The ConfigMap that lists what an agent has applied of a project. */
export interface Inventory {
  readonly project: string;
  readonly id: string;
  readonly namespace: string;
  readonly name: string;
  /** Begin of the id of the commit that was applied last as a whole; empty: not known. */
  readonly appliedSha: string;
  readonly appliedAtMs: number | undefined;
  /** Objects that are applied; absent: not known. */
  readonly objects: number | undefined;
}

/** Delivery of an environment, as one viewer may know it: all messages about delivery are made from this value. */
export interface Delivery {
  readonly lastDeployment: Member<DeployedCommit>;
  readonly sync: Member<SyncValue>;
  /** Objects that differ from what was applied. */
  readonly drift: Member<readonly ProjectDrift[]>;
  readonly inventory: Member<readonly Inventory[]>;
}

/** What the sources of a delivery say. */
export interface DeliverySources {
  /** Of the main application; absent: it was not queried. */
  readonly deployment: DeploymentRecord | undefined;
  /** Of kas: the syncs that touch the environment; absent: it was not queried. */
  readonly syncs: Member<readonly ShownSync[]> | undefined;
  /** Of the cluster; absent: which there are is not known. */
  readonly tools?: ToolStandings | undefined;
  /** Of the view beside the reports; absent: no view is open. */
  readonly drift?: Member<readonly ProjectDrift[]> | undefined;
}

const NOT_REQUESTED = { state: "unknown", why: words("delivery/not-asked-yet") } as const;
const NO_TOOLS: ToolStandings = { tools: [], more: 0 };
/** Why a deployment is not known that the main application failed to tell, perhaps because the viewer may not know it any more. */
export const NOT_READABLE = words("delivery/deployment-not-readable");
const GAP = {
  "not-readable": NOT_READABLE,
  "not-supported": words("delivery/deployment-not-supported"),
} as const;

const NOT_COMPARED = { state: "unknown", why: words("delivery/drift-not-compared") } as const;

const NOTHING_MORE = {
  ref: "",
  isTag: false,
  title: "",
  commitUrl: "",
  author: "",
  byUsername: "",
  byName: "",
  job: "",
  jobUrl: "",
} as const;

/** Makes the value of what the sources say. */
export function deliveryOf({ deployment, syncs = NOT_REQUESTED, tools, drift = NOT_COMPARED }: DeliverySources): Delivery {
  return {
    lastDeployment: lastDeploymentOf({ deployment, syncs, tools }),
    sync: syncOf(withDrift(syncs, drift), tools ?? NO_TOOLS),
    drift,
    inventory: inventoryOf(syncs),
  };
}

/**
 * A job's deployment wins over a sync's, and a sync's over another tool's: which of them came last is not known for sure. That there is none is
 * reported only when the main application and kas have both answered so, and the view of the cluster has no object that another tool marks.
 */
function lastDeploymentOf({
  deployment,
  syncs,
  tools,
}: {
  readonly deployment: DeploymentRecord | undefined;
  readonly syncs: Member<readonly ShownSync[]>;
  readonly tools: ToolStandings | undefined;
}): Member<DeployedCommit> {
  if (deployment?.kind === "deployed") {
    const { kind: _, asOfMs, ...value } = deployment;
    return asOfMs === undefined ? { state: "known", value } : { state: "unknown", value, asOfMs, why: GAP["not-readable"] };
  }
  const list = valueOf(syncs) ?? [];
  if (list.length > 0) {
    const value = deployedBySyncs(list);
    if (value === undefined) return { state: "unknown", why: words("delivery/no-full-commit") };
    return syncs.state === "unknown" ? { ...syncs, value } : { state: "known", value };
  }
  if (tools !== undefined && tools.tools.length + tools.more > 0) {
    const value = deployedByTools(tools);
    if (value !== undefined) return { state: "known", value };
    const unread = tools.tools.find(({ sync }) => sync === undefined);
    return { state: "unknown", why: unread === undefined ? words("delivery/tool-names-no-commit") : notRead(unread) };
  }
  if (syncs.state === "forbidden") return syncs;
  if (deployment === undefined) return NOT_REQUESTED;
  if (deployment.kind !== "none") return { state: "unknown", why: GAP[deployment.kind] };
  if (syncs.state !== "none") return { state: "unknown", why: syncs.state === "unknown" ? syncs.why : NOT_REQUESTED.why };
  return tools === undefined ? { state: "unknown", why: words("delivery/tools-not-known") } : syncs;
}

function notRead({ tool, namespace, name }: ToolStanding): Words {
  return words("delivery/tool-state-not-known", { kind: kindOfTool(tool).kind, place: namespace === "" ? name : `${namespace}/${name}` });
}

function syncOf(syncs: Member<readonly ShownSync[]>, tools: ToolStandings): Member<SyncValue> {
  const value = { syncs: valueOf(syncs) ?? [], tools };
  const hasTools = tools.tools.length + tools.more > 0;
  switch (syncs.state) {
    case "known":
      return { state: "known", value, sinceMs: syncs.sinceMs };
    case "unknown":
      return { ...syncs, value: hasTools || value.syncs.length > 0 ? value : undefined };
    default:
      return hasTools ? { state: "known", value } : syncs;
  }
}

/** The syncs with as many objects out of sync as is known now: by the view where that is comparable, by the report elsewhere. */
function withDrift(syncs: Member<readonly ShownSync[]>, drift: Member<readonly ProjectDrift[]>): Member<readonly ShownSync[]> {
  const drifts = new Map((valueOf(drift) ?? []).map((each) => [each.project, each]));
  if ((syncs.state !== "known" && syncs.state !== "unknown") || syncs.value === undefined || drifts.size === 0) return syncs;
  return {
    ...syncs,
    value: syncs.value.map((sync) => {
      const found = drifts.get(sync.project);
      return found === undefined || found.compared === 0 ? sync : { ...sync, drifted: found.objects.length };
    }),
  };
}

function inventoryOf(syncs: Member<readonly ShownSync[]>): Member<readonly Inventory[]> {
  if (syncs.state === "none" || syncs.state === "forbidden") return syncs;
  const value = (valueOf(syncs) ?? []).filter(({ inventoryName }) => inventoryName !== "").map(inventoryIn);
  if (syncs.state === "unknown") return { ...syncs, value: value.length === 0 ? undefined : value };
  return value.length === 0 ? { state: "unknown", why: words("delivery/no-inventory-reported") } : { state: "known", value };
}

function inventoryIn(sync: ShownSync): Inventory {
  const { project, inventoryId, inventoryNamespace, inventoryName, appliedSha, appliedCommit, appliedAtMs, appliedObjects } = sync;
  return {
    project,
    id: inventoryId,
    namespace: inventoryNamespace,
    name: inventoryName,
    appliedSha: appliedCommit?.sha ?? appliedSha,
    appliedAtMs,
    objects: appliedObjects,
  };
}

/** The value of a member, current or last. */
export function valueOf<T>(member: Member<T>): T | undefined {
  return member.state === "known" || member.state === "unknown" ? member.value : undefined;
}

/** The commit that was applied last as a whole, of any of the syncs; `undefined` when none is known. */
function deployedBySyncs(syncs: readonly ShownSync[]): DeployedCommit | undefined {
  const [newest] = syncs.filter(({ appliedSha }) => appliedSha !== "").toSorted((a, b) => (b.appliedAtMs ?? 0) - (a.appliedAtMs ?? 0));
  if (newest === undefined) return undefined;
  const { appliedSha, appliedAtMs, appliedCommit } = newest;
  return {
    ...NOTHING_MORE,
    source: "gitops",
    sha: appliedCommit?.sha ?? appliedSha,
    title: appliedCommit?.title ?? "",
    commitUrl: appliedCommit?.url ?? "",
    author: appliedCommit?.author ?? "",
    atMs: appliedAtMs,
  };
}

/** The commit that another tool has applied, of several that which deploys most objects; `undefined` when none names a commit. */
function deployedByTools({ tools }: ToolStandings): DeployedCommit | undefined {
  for (const standing of tools) if (standing.sync !== undefined && standing.sync.sha !== "") return deployedByTool(standing, standing.sync);
  return undefined;
}

function deployedByTool({ tool, namespace, name, source }: ToolStanding, sync: NonNullable<ToolStanding["sync"]>): DeployedCommit {
  return {
    ...NOTHING_MORE,
    source: "gitops",
    byTool: { tool, object: `${namespace}/${name}`, repository: sync.source.url || (source?.url ?? "") },
    sha: sync.sha,
    atMs: timeOfTool(sync.appliedAt),
  };
}
