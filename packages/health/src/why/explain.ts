import { isFields, textAt, type Fields } from "@binnacle/kube";
import { type Words, quoted } from "@binnacle/words";

import { notAfterNow } from "../age.ts";
import type { HealthResult } from "../health-result.ts";
import { precedingChange } from "./changes/preceding-change.ts";
import { boundedWords, IN_A_SENTENCE, FULL_TEXT } from "../bounded-words.ts";
import { refOf } from "../health-ref.ts";
import { HEALTH_ORDER } from "../health-status.ts";
import { ruleInputOf } from "../rule-input.ts";
import { earliestCredible } from "./first-bad-at.ts";
import { noticesAbout } from "./notices-about.ts";
import { knownSince, ownRoot, resourceLink, type Root, type Subject } from "./root.ts";
import { keyOfSubject } from "./root-key.ts";
import { backendRoot, endpointsRoot } from "./roots/network-root.ts";
import { missingRoot } from "./roots/reference-root.ts";
import { rootOf } from "./roots/root-of.ts";
import { healthOf } from "./roots/worst-of.ts";
import type { Explanation } from "./explanation.ts";
import type { Why, WhyLink } from "./why.ts";
import { identityOf, worldOf, type World } from "./world.ts";

/** A why-chain, and the row of the tables that its root reason is worded by. */
export interface Explained {
  readonly why: Why;
  /** `family/row`. */
  readonly id: string;
}

/** Why a resource is not well, whatever the arguments are; `null` when it is well and nothing is to be noticed. */
export function explain(resource: unknown, context: unknown): Explained | null {
  const read = readResource(resource, context);
  if (read === null) return null;
  const { object, subject, world, result } = read;
  const well = result === null || result.status === "Healthy";
  const root = well ? noticeRoot(read) : rootOf(subject, world);
  if (root === null) return null;

  const chain = [topLink(read, root), ...root.links].map((link) => bounded(untilNow(link, world.now)));
  const below = root.links.map(({ level, since }) => (level === "resource" ? "" : (since ?? "")));
  const times = [well ? "" : knownSince(subject), ...below, ...root.at];
  const firstBadAt = earliestCredible(times, boundOf(root.explanation, subject), world.now);
  const precededBy = firstBadAt === undefined ? undefined : precedingChange({ object, chain, firstBadAt }, world);
  const why: Why = {
    chain,
    rootKey: root.key ?? keyOfSubject(subject, root),
    reason: root.explanation.reason,
    message: boundedWords(root.explanation.message, IN_A_SENTENCE),
    nextStep: boundedWords(root.explanation.nextStep, IN_A_SENTENCE),
    ...(firstBadAt === undefined ? {} : { firstBadAt }),
    ...(precededBy === undefined ? {} : { precededBy: bounded(precededBy) }),
  };
  return { why, id: root.explanation.id };
}

/** Everything to be noticed about a resource, whatever the arguments are. */
export function noticed(resource: unknown, context: unknown): readonly Explanation[] {
  const read = readResource(resource, context);
  if (read === null) return [];
  return noticesAbout(read.subject, read.world).map((notice) => ({
    ...bounded(notice),
    nextStep: boundedWords(notice.nextStep, IN_A_SENTENCE),
    since: noticedSince(notice, read),
  }));
}

function noticedSince(explanation: Explanation, { subject, world }: Read): string {
  return earliestCredible([explanation.since ?? ""], boundOf(explanation, subject), world.now) ?? "";
}

/** Nothing is so before the resource was; but a certificate has ended when it did, however young what serves with it is. */
function boundOf({ id }: Explanation, { input }: Subject): Fields {
  return id.startsWith("network/certificate-") ? {} : input.metadata;
}

interface Read {
  readonly object: Fields;
  readonly subject: Subject;
  readonly result: HealthResult | null;
  readonly world: World;
}

function readResource(resource: unknown, context: unknown): Read | null {
  if (!isFields(resource) || textAt(resource, "kind") === "") return null;
  const base = worldOf(context, follow);
  const world = { ...base, trail: [identityOf(resource)] };
  const given = givenHealth(context);
  const result = given === undefined ? healthOf(resource, world) : given;
  return { object: resource, subject: subjectOf(resource, result, world), result, world };
}

/** What the caller knows of the health already; `undefined` = nothing that can be used. */
function givenHealth(context: unknown): HealthResult | null | undefined {
  const given: unknown = isFields(context) ? context["health"] : undefined;
  if (given === null) return null;
  if (!isFields(given)) return undefined;
  const status = HEALTH_ORDER.find((each) => each === given["status"]);
  const [reason, since] = [textAt(given, "reason"), textAt(given, "since")];
  const message = boundedWords(given["message"], FULL_TEXT);
  if (status === undefined) return undefined;
  const because = isFields(given["because"]) ? { because: boundedWords(given["because"], IN_A_SENTENCE) } : {};
  return { status, reason, message, ...because, ...(since === "" ? {} : { since }), stale: given["stale"] === true, causes: [] };
}

/** Goes on into another object. One that is Healthy itself speaks by what is to be noticed about it. */
function follow(object: Fields, world: World): Root | null {
  const identity = identityOf(object);
  if (world.trail.includes(identity)) return null;
  const below = { ...world, trail: [...world.trail, identity] };
  const result = healthOf(object, world);
  const subject = subjectOf(object, result, below);
  const root = rootOf(subject, below);
  const [notice] = result === null || result.status === "Healthy" ? noticesAbout(subject, below) : [];
  const link = resourceLink(notice === undefined ? subject : { ...subject, ...wordsOf(notice), since: "" });
  const since = notice === undefined ? knownSince(subject) : "";
  return { ...root, links: [link, ...root.links], at: [since, ...root.at], key: root.key ?? keyOfSubject(subject, root) };
}

/** What is to be noticed about a resource that is well: the way down to it, else its own words. */
function noticeRoot({ subject, world }: Read): Root | null {
  const way = backendRoot(subject, world) ?? (subject.ref.kind === "Service" ? endpointsRoot(subject, world) : null);
  if (way !== null) return way;
  const [missing] = world.missing;
  if (missing !== undefined) return missingRoot(missing, subject);
  const [notice] = noticesAbout(subject, world);
  return notice === undefined ? null : ownRoot(notice, [notice.since ?? ""]);
}

/** The link of the resource itself. One that is well speaks by what is to be noticed; one without opinion has what it lacks. */
function topLink({ subject, result, world }: Read, { links, explanation }: Root): WhyLink {
  if (result !== null && result.status !== "Healthy") return resourceLink(subject);
  const status = result?.status ?? (links.at(-1)?.level === "reference" ? "Missing" : "Unknown");
  const [notice] = noticesAbout(subject, world);
  return resourceLink({ ...subject, status, ...wordsOf(notice ?? explanation), since: "" });
}

function wordsOf({ reason, message }: Explanation): Pick<Subject, "reason" | "message"> {
  return { reason, message };
}

function untilNow(link: WhyLink, now: number | undefined): WhyLink {
  return link.since === undefined ? link : { ...link, since: notAfterNow(link.since, now) };
}

function bounded<T extends { readonly message: Words }>(value: T): T {
  return { ...value, message: boundedWords(value.message, IN_A_SENTENCE) };
}

/** An object and its health; one without opinion has the status Unknown and no words. */
function subjectOf(object: Fields, result: HealthResult | null, world: World): Subject {
  return {
    input: ruleInputOf(object, world),
    ref: refOf(object),
    status: result?.status ?? "Unknown",
    reason: result?.reason ?? "",
    message: result?.message ?? quoted(""),
    ...(result?.because === undefined ? {} : { because: result.because }),
    since: notAfterNow(result?.since ?? "", world.now),
    stale: result?.stale === true,
  };
}
