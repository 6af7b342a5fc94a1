import { fieldsAt, isFields, listAt, numberAt, textAt, type Fields, type ObjectKey } from "@binnacle/kube";
import { words, type Words } from "@binnacle/words";

import { conditionOf, conditionsOf, falseCondition, trueCondition, type Condition } from "../condition.ts";
import { fluxCommitOf } from "./git-commit.ts";
import { addressLine, nameLine, sentenceLine, timeLine } from "./shown-line.ts";
import type { ToolSource, ToolSourceFacts, ToolState, ToolSync } from "./tool-sync.ts";

const SOURCES = "source.toolkit.fluxcd.io";
/** Releases of one HelmRelease that are looked at; its controller keeps five. */
const MAX_RELEASES = 20;
/** Conditions that say what went wrong where Ready only says that something was done about it. */
const CAUSES = ["Released", "TestSuccess"];

/** The fields of an object that readers of a tool's sync look at. */
export interface ToolObject {
  readonly metadata: Fields;
  readonly spec: Fields;
  readonly status: Fields;
}

/** A Kustomization of Flux. @see Flux, "Kustomization: status" */
export function kustomizationSync(object: ToolObject): ToolSync {
  const { spec, status } = object;
  const source = kustomizationSource(object);
  const revision = nameLine(status, "lastAppliedRevision");
  const isGit = source.object?.kind === "GitRepository";
  return {
    ...standingOf(object),
    revision,
    // What was packed into an artifact may name the commit that it was made of.
    sha: (isGit && fluxCommitOf(revision)) || fluxCommitOf(nameLine(status, "lastAppliedOriginRevision")),
    appliedAt: "",
    attempted: otherThan(revision, nameLine(status, "lastAttemptedRevision")),
    source: { ...source, path: nameLine(spec, "path") },
  };
}

/** A HelmRelease of Flux. Its revisions are versions of a chart, never commits. @see Flux, "HelmRelease: status" */
export function helmReleaseSync(object: ToolObject): ToolSync {
  const { status } = object;
  const deployed = deployedRelease(status);
  const revision = deployed === undefined ? nameLine(status, "lastAppliedRevision") : nameLine(deployed, "chartVersion");
  return {
    ...standingOf(object),
    revision,
    sha: "",
    appliedAt: timeLine(deployed, "lastDeployed"),
    attempted: otherThan(revision, nameLine(status, "lastAttemptedRevision")),
    source: helmSource(object),
  };
}

/** The address of a GitRepository, OCIRepository, HelmRepository, HelmChart or Bucket, and what is wrong with it. */
export function fluxSourceFacts({ spec, status }: ToolObject): ToolSourceFacts {
  const unready = falseCondition(conditionsOf(status), "Ready");
  const url = addressLine(spec, "url") || [addressLine(spec, "endpoint"), nameLine(spec, "bucketName")].filter(Boolean).join("/");
  return { url, problem: unready === undefined ? "" : sentenceLine(unready, "message") || nameLine(unready, "reason") };
}

/** How it stands, and why. */
function standingOf({ metadata, spec, status }: ToolObject): Pick<ToolSync, "state" | "reason" | "message" | "at" | "why"> {
  const conditions = conditionsOf(status);
  const ready = conditionOf(conditions, "Ready");
  const known = stateOf({ metadata, spec, status }, conditions);
  const state = typeof known === "string" ? known : "unknown";
  const cause = state === "failed" ? causeOf(conditions) : undefined;
  const condition = cause ?? (state === "applying" ? (trueCondition(conditions, "Reconciling") ?? ready) : ready);
  return {
    state,
    reason: nameLine(condition, "reason"),
    message: sentenceLine(condition, "message"),
    at: timeLine(condition, "changedAt"),
    ...(typeof known === "string" ? {} : { why: known }),
  };
}

/** The state, or why it is not known. */
function stateOf({ metadata, spec, status }: ToolObject, conditions: readonly Condition[]): ToolState | Words {
  const ready = conditionOf(conditions, "Ready");
  if (spec["suspend"] === true) return "paused";
  if (metadata["deletionTimestamp"] !== undefined) return words("tool-sync/leaving");
  const reconciling = trueCondition(conditions, "Reconciling");
  const isReadyOld = isBehind(ready?.observedGeneration, metadata);
  const isAtWork = reconciling !== undefined && !isBehind(reconciling.observedGeneration, metadata);
  // It works on what is wanted now, whatever became of what was wanted before.
  if (isAtWork && (isReadyOld || ready?.status !== "false")) return "applying";
  if (isReadyOld || isBehind(numberAt(status, "observedGeneration"), metadata)) return words("tool-sync/not-observed");
  if (trueCondition(conditions, "Stalled") !== undefined) return "failed";
  if (ready?.reason === "Progressing" && ready.status !== "true") return "applying";
  if (ready?.status === "false") return "failed";
  if (ready?.status !== "true") return words("tool-sync/silent");
  const [applied, attempted] = [textAt(status, "lastAppliedRevision"), textAt(status, "lastAttemptedRevision")];
  return applied === "" || attempted === "" || applied === attempted ? "synced" : words("tool-sync/half");
}

function isBehind(observed: number | undefined, metadata: Fields): boolean {
  const generation = numberAt(metadata, "generation");
  return observed !== undefined && generation !== undefined && observed < generation;
}

/** After a roll-back Ready says that it went well. */
function causeOf(conditions: readonly Condition[]): Condition | undefined {
  const stalled = trueCondition(conditions, "Stalled");
  const ready = conditionOf(conditions, "Ready");
  const failed = CAUSES.flatMap((type) => falseCondition(conditions, type) ?? []);
  if (ready?.status === "false" && trueCondition(conditions, "Remediated") === undefined) return ready;
  return failed[0] ?? stalled ?? ready;
}

function kustomizationSource({ metadata, spec }: ToolObject): Omit<ToolSource, "path"> {
  return { url: "", target: "", more: 0, ...referred(fieldsAt(spec, "sourceRef"), metadata) };
}

function helmSource({ metadata, spec }: ToolObject): ToolSource {
  const chart = fieldsAt(fieldsAt(spec, "chart"), "spec");
  const reference = isFields(spec["chartRef"]) ? fieldsAt(spec, "chartRef") : fieldsAt(chart, "sourceRef");
  return { url: "", path: nameLine(chart, "chart"), target: nameLine(chart, "version"), more: 0, ...referred(reference, metadata) };
}

/** What a reference names; nothing when it names none of Flux's own kinds. */
function referred(reference: Fields, metadata: Fields): { readonly object?: ObjectKey } {
  const [kind, name] = [textAt(reference, "kind"), textAt(reference, "name")];
  const group = textAt(reference, "apiVersion").split("/").slice(0, -1).join("/") || SOURCES;
  if (group !== SOURCES || !isName(name) || !/^[A-Za-z]{1,63}$/.test(kind)) return {};
  const namespace = textAt(reference, "namespace") || textAt(metadata, "namespace");
  return isName(namespace) ? { object: { group, kind, namespace, name } } : {};
}

function isName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text);
}

/** The release that is deployed: the newest first, as the controller writes them. */
function deployedRelease(status: Fields): unknown {
  return listAt(status, "history")
    .slice(0, MAX_RELEASES)
    .find((release) => textAt(release, "status") === "deployed");
}

function otherThan(applied: string, attempted: string): string {
  return attempted === applied ? "" : attempted;
}
