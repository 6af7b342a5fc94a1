import type { Words } from "@binnacle/words";

import type { HealthRef, HealthResult } from "./health-result.ts";
import { rankOf, type HealthStatus } from "./health-status.ts";
import type { Why } from "./why/why.ts";
import { keyOfObject, MISSING, nodeOfKey } from "./why/root-key.ts";

/** What of a why-chain decides where a resource is grouped, and in which words. */
export type RootReason = Pick<Why, "rootKey" | "reason" | "message" | "nextStep" | "firstBadAt">;

/** A resource that is not well. */
export interface UnwellResource {
  readonly ref: HealthRef;
  readonly health: HealthResult;
  /** Absent = not explained: it stands for itself. */
  readonly why?: RootReason;
  /** It is listed because of a notice, not of its status: it comes after all that is not well. */
  readonly notice?: true;
}

/** One resource of a group. */
export interface IssueMember {
  readonly ref: HealthRef;
  readonly status: HealthStatus;
}

/** Resources that are not well for one and the same root cause. */
export interface IssueGroup {
  /** The root cause (`Why.rootKey`): unique among the groups, and the same in every roll-up. */
  readonly key: string;
  /** Name of the node that is to blame; absent when something else is. */
  readonly node?: string;
  /** Of its worst member. */
  readonly status: HealthStatus;
  /** Stable word of the root reason, as the first member has it. */
  readonly reason: string;
  /** The root reason in one sentence, as the first member has it. */
  readonly message: Words;
  /** What to do now; absent when the issue is not explained. */
  readonly nextStep?: Words;
  /** ISO 8601: since when the first member is bad, as its sentence is of that member. */
  readonly since?: string;
  /** How many resources there are, whether or not they are named. */
  readonly membersTotal: number;
  /** Worst first, at most MAX_MEMBERS; the first represents the group. */
  readonly members: readonly IssueMember[];
  /** Kinds of all members, each once, sorted. */
  readonly kinds: readonly string[];
  /** The issue is a notice: the status of its members does not show it. */
  readonly notice: boolean;
}

/** What is not well, by root cause. */
export interface Issues {
  /** Worst first, then what began first, then by name; at most MAX_GROUPS. */
  readonly issues: readonly IssueGroup[];
  /** How many groups there are, whether or not they are among `issues`. */
  readonly issuesTotal: number;
  /** How many resources there are in all groups together. */
  readonly resourcesTotal: number;
}

/** Groups that are listed; the others are counted. */
export const MAX_GROUPS = 50;

/** Members of a group that are named; the rest is counted. */
export const MAX_MEMBERS = 20;

/**
 * Groups everything that is not well by what is to blame, and only then cuts: the totals do not know of the cut. Each
 * resource is in exactly one group, and their order does not matter.
 */
export function groupIssues(unwell: readonly UnwellResource[]): Issues {
  const groups = new Map<string, Entry[]>();
  for (const resource of unwell) {
    const key = resource.why?.rootKey ?? keyOfUnexplained(resource);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [entryOf(resource)]);
    else members.push(entryOf(resource));
  }
  const ordered = [...groups]
    .flatMap(([key, members]) => draftOf(key, members))
    .sort((left, right) => compare(left.first.rank, right.first.rank));
  const issues = firstOf(ordered).map(issueOf);
  return { issues, issuesTotal: groups.size, resourcesTotal: unwell.length };
}

/** A resource without an explanation is an issue of its own; one that is missing shares the key of those that need it. */
function keyOfUnexplained({ ref, health }: UnwellResource): string {
  return keyOfObject(ref, health.status === "Missing" ? MISSING : health.reason);
}

const NEVER = Number.POSITIVE_INFINITY;

/** A notice of what is degraded for another reason is no worse than one of what is well. */
const BELOW_ALL = -1;

/** Where something stands among its like: worst first, then what began first (not known = last), then by name. */
interface Rank {
  readonly status: number;
  readonly sinceMs: number;
  readonly name: string;
}

interface Entry {
  readonly resource: UnwellResource;
  readonly since: string | undefined;
  readonly rank: Rank;
}

interface Draft {
  readonly key: string;
  /** In order. */
  readonly members: readonly Entry[];
  /** The first of them, which the sentence and the time of the group are of. */
  readonly first: Entry;
}

function entryOf(resource: UnwellResource): Entry {
  const { ref, health, why } = resource;
  // The explanation has checked whether a time of the status can be true.
  const since = (why === undefined ? health.since : why.firstBadAt) ?? "";
  const sinceMs = millisOf(since);
  const rank = {
    status: resource.notice === true ? BELOW_ALL : rankOf(health.status),
    sinceMs,
    name: `${ref.group}/${ref.kind}/${ref.namespace}/${ref.name}`,
  };
  return { resource, since: sinceMs === NEVER ? undefined : since, rank };
}

/** A group before it is cut; a list of one at most, for a group has a member. */
function draftOf(key: string, members: readonly Entry[]): Draft[] {
  const ordered = members.toSorted((left, right) => compare(left.rank, right.rank));
  const [first] = ordered;
  return first === undefined ? [] : [{ key, members: ordered, first }];
}

/** The first groups. However many rules have failed, what is known to be broken is among them. */
function firstOf(ordered: readonly Draft[]): Draft[] {
  const first = ordered.slice(0, MAX_GROUPS);
  const broken = ordered.find(({ first: { rank } }) => rank.status === rankOf("Degraded"));
  return broken === undefined || first.includes(broken) ? first : [...first.slice(0, -1), broken];
}

function issueOf({ key, members, first: { resource: first, since } }: Draft): IssueGroup {
  const { health, why, notice = false } = first;
  const node = nodeOfKey(key);
  return {
    key,
    ...(node === undefined ? {} : { node }),
    status: health.status,
    reason: why?.reason ?? health.reason,
    message: why?.message ?? health.message,
    ...(why === undefined ? {} : { nextStep: why.nextStep }),
    ...(since === undefined ? {} : { since }),
    membersTotal: members.length,
    members: members.slice(0, MAX_MEMBERS).map(({ resource }) => ({ ref: resource.ref, status: resource.health.status })),
    kinds: [...new Set(members.map(({ resource }) => resource.ref.kind))].sort(),
    notice,
  };
}

function compare(left: Rank, right: Rank): number {
  if (left.status !== right.status) return right.status - left.status;
  if (left.sinceMs !== right.sinceMs) return left.sinceMs < right.sinceMs ? -1 : 1;
  return left.name === right.name ? 0 : left.name < right.name ? -1 : 1;
}

/** Not known, or no time at all, is later than every other. */
function millisOf(since: string): number {
  const at = Date.parse(since);
  return Number.isNaN(at) ? NEVER : at;
}
