import { fieldsAt, isFields, listAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { parseConditions } from "../condition.ts";
import type { ToolObject } from "./flux-sync.ts";
import { commitOf } from "./git-commit.ts";
import { addressLine, nameLine, sentenceLine, timeLine } from "./shown-line.ts";
import type { ToolSource, ToolSync } from "./tool-sync.ts";

/** Sources of one Application, and lines of its history, that are looked at. */
const MAX_SOURCES = 20;
const MAX_HISTORY = 200;
const SKIP = "argocd.argoproj.io/skip-reconcile";
/** Fields of a source by which it is known whether the status speaks of it. */
const SOURCE_FIELDS = ["repoURL", "path", "targetRevision", "chart"];

/** An Application of Argo CD. @param object the full object: a requested operation is beside spec and status */
export function applicationSync(object: ToolObject & { readonly operation: unknown }): ToolSync {
  const { spec, status } = object;
  const applied = appliedOf(status);
  const compared = revisionsOf(fieldsAt(status, "sync")).join(", ");
  const revision = applied.revisions.join(", ");
  const operation = fieldsAt(status, "operationState");
  return {
    ...standingOf(object),
    revision,
    sha: onlyCommit(applied.revisions),
    appliedAt: applied.at,
    attempted: compared === revision ? "" : compared,
    at: timeLine(operation, "finishedAt") || timeLine(operation, "startedAt"),
    source: sourceOf(spec, applied.revisions),
  };
}

type Standing = Pick<ToolSync, "state" | "reason" | "message" | "why">;

function standingOf({ metadata, spec, status, operation }: ToolObject & { readonly operation: unknown }): Standing {
  const last = fieldsAt(status, "operationState");
  const [phase, sync] = [textAt(last, "phase"), textAt(fieldsAt(status, "sync"), "status")];
  const ofLast = { reason: nameLine(last, "phase"), message: sentenceLine(last, "message") };
  // Nothing of its status is written while it is skipped.
  if (textAt(fieldsAt(metadata, "annotations"), SKIP) === "true") return { state: "paused", reason: "", message: "" };
  if (metadata["deletionTimestamp"] !== undefined) return unknown("tool-sync/leaving");
  if (phase === "Running" || phase === "Terminating" || isFields(operation)) return { state: "applying", ...ofLast };
  const error = parseConditions(listAt(status, "conditions")).find(({ type }) => type.endsWith("Error"));
  const ofError = error && { reason: nameLine(error, "type"), message: sentenceLine(error, "message") };
  if (ofError !== undefined && sync !== "Synced") return { state: "failed", ...ofError };
  if (isOfOtherSource(spec, status)) return unknown("tool-sync/not-observed");
  if ((phase === "Failed" || phase === "Error") && (sync !== "Synced" || isOfNow(last, status))) return { state: "failed", ...ofLast };
  if (ofError !== undefined) return { state: "failed", ...ofError };
  if (sync === "Synced") return { state: "synced", reason: sync, message: "" };
  if (sync === "OutOfSync") return { state: "out-of-sync", reason: sync, message: "" };
  return unknown("tool-sync/silent");
}

function unknown(why: "tool-sync/leaving" | "tool-sync/not-observed" | "tool-sync/silent"): Standing {
  return { state: "unknown", reason: "", message: "", why: words(why) };
}

/** Whether the last operation was about the very revision that the cluster was compared with. */
function isOfNow(operation: Fields, status: Fields): boolean {
  const tried = revisionsOf(fieldsAt(operation, "syncResult")).join();
  return tried === "" || tried === revisionsOf(fieldsAt(status, "sync")).join();
}

/** The status was written for another source than is wanted now. */
function isOfOtherSource(spec: Fields, status: Fields): boolean {
  const compared = fieldsAt(fieldsAt(status, "sync"), "comparedTo");
  const [wanted, seen] = [sourcesOf(spec), sourcesOf(compared)];
  // Older versions do not say what they compared with; of manifests that are rendered first they say where these are kept.
  if (seen.length === 0 || isFields(spec["sourceHydrator"])) return false;
  return JSON.stringify(wanted.map(asText)) !== JSON.stringify(seen.map(asText));
}

function asText(source: unknown): string[] {
  return SOURCE_FIELDS.map((name) => textAt(source, name));
}

/**
 * What was applied last as a whole. The history has it: Argo CD writes there what it has synced, without dry runs and parts. The revision
 * of the sync status is the one that the cluster is compared with, and may never have been applied.
 */
function appliedOf(status: Fields): { readonly revisions: readonly string[]; readonly at: string } {
  const last = listAt(status, "history").slice(-MAX_HISTORY).findLast(isFields);
  return { revisions: revisionsOf(last), at: timeLine(last, "deployedAt") };
}

/** Of several sources one each. */
function revisionsOf(parent: unknown): readonly string[] {
  const many = listAt(parent, "revisions").slice(0, MAX_SOURCES);
  const all = many.length > 0 ? many.map((revision) => nameLine({ revision }, "revision")) : [nameLine(parent, "revision")];
  return all.filter((revision) => revision !== "");
}

/** The commit, when there is just one: of several it is unknown which is the deployment's. */
function onlyCommit(revisions: readonly string[]): string {
  const commits = new Set(revisions.map(commitOf).filter((commit) => commit !== ""));
  return commits.size === 1 ? ([...commits][0] ?? "") : "";
}

function sourcesOf(parent: unknown): readonly unknown[] {
  const many = listAt(parent, "sources").slice(0, MAX_SOURCES);
  if (many.length > 0) return many;
  return isFields(parent) && isFields(parent["source"]) ? [parent["source"]] : [];
}

/** The source that the commit is of, else the first. */
function sourceOf(spec: Fields, revisions: readonly string[]): ToolSource {
  const hydrated = fieldsAt(fieldsAt(spec, "sourceHydrator"), "drySource");
  const sources = textAt(hydrated, "repoURL") === "" ? sourcesOf(spec) : [hydrated];
  const ofCommit = sources.length === revisions.length ? revisions.findIndex((revision) => commitOf(revision) !== "") : -1;
  const shown = sources[Math.max(0, ofCommit)];
  return {
    url: addressLine(shown, "repoURL"),
    path: nameLine(shown, "path") || nameLine(shown, "chart"),
    target: nameLine(shown, "targetRevision"),
    more: Math.max(0, sources.length - 1),
  };
}
