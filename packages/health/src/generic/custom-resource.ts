import { numberAt, fieldsAt, listAt, textAt } from "@binnacle/kube";
import { words } from "@binnacle/words";

import { changedAt } from "../age.ts";
import { staleGeneration } from "../generation.ts";
import { isKind } from "../relatives.ts";
import { healthy, progressing, type RuleInput, type Verdict } from "../verdict.ts";
import { evidenceOf, type Evidence } from "./evidence.ts";
import { zeroInSpec } from "./counts.ts";
import { meaningOf } from "./condition-meaning.ts";
import { isStale, reportedBy } from "./judge-condition.ts";
import { fieldIs, worseOf, type Opinion } from "./opinion.ts";
import { toneOf } from "./tone.ts";
import { lastErrors } from "./witnesses/error-fields.ts";
import { pause } from "./witnesses/pause.ts";
import { WITNESSES } from "./witnesses/witnesses.ts";

const HEARD = Object.values(WITNESSES);

/**
 * Any custom resource, by the conventions by which controllers write statuses. A pause, an empty status and a status of an older generation
 * are checked first; then all witnesses are evaluated and the worst result wins. Without a result of any witness there is no opinion. What a hostile
 * object costs is bounded by how much of it is read; when there is more, something in it was not understood, and it is never Healthy.
 */
export function customResourceHealth(input: RuleInput): Verdict | null {
  const evidence = evidenceOf(input);
  const paused = pause(evidence);
  if (paused.opinion !== null) return paused.opinion;
  if (evidence.readings.isEmpty) return withoutStatus(input);
  const stale = staleGeneration(input, "ignore");
  const verdict = stale ?? withoutWork(evidence, worstWord(evidence)) ?? lastErrors(evidence) ?? withoutWord(evidence);
  const isCut = evidence.isCut || paused.isCut;
  return isCut && (verdict === null || verdict.status === "Healthy") ? notAllRead(input) : verdict;
}

function worstWord(evidence: Evidence): Opinion | null {
  let worst: Opinion | null = null;
  for (const witness of HEARD) {
    worst = worseOf(worst, witness(evidence));
    // There is no worse status.
    if (worst?.status === "Degraded") return worst;
  }
  return worst;
}

/** What is to run nothing does not become ready: that is no work in progress. */
function withoutWork({ input }: Evidence, opinion: Opinion | null): Opinion | null {
  const zero = opinion?.status === "Progressing" ? zeroInSpec(input.spec) : undefined;
  if (zero === undefined) return opinion;
  const because = fieldIs(`spec.${zero}`, 0);
  return { status: "Suspended", reason: "ScaledToZero", message: because, because };
}

function withoutStatus(input: RuleInput): Verdict | null {
  // Not knowing the definition: 112 of 131 such inputs in the wild are on their way.
  if (hasStatusSubresource(input) === false) return null;
  return progressing("NoStatus", words("custom-resource/no-status"), changedAt(undefined, input));
}

function notAllRead(input: RuleInput): Verdict {
  return progressing("NotUnderstood", words("custom-resource/too-much"), changedAt(undefined, input));
}

/** Nothing was understood: well only if a controller says that it has seen this generation, and there is no word that could mean otherwise. */
function withoutWord(evidence: Evidence): Verdict | null {
  const { input, readings } = evidence;
  const denied = deniedCondition(evidence);
  if (denied !== null) return denied;
  const seen = numberAt(input.status, "observedGeneration") !== undefined;
  // A controller that writes conditions has begun, whatever they mean.
  if (Array.isArray(input.status["conditions"])) {
    return progressing("NotUnderstood", words("custom-resource/not-understood"), changedAt(undefined, input));
  }
  return seen && readings.states.length === 0 ? healthy("Current", words("custom-resource/current")) : null;
}

/** A condition of a type that is not known, which is False: for a failure that its message names, or because something takes time. */
function deniedCondition(evidence: Evidence): Opinion | null {
  let waiting: Opinion | null = null;
  for (const list of evidence.lists) {
    for (const condition of list.conditions) {
      const { type, status, reason, message } = condition;
      if (status !== "false" || meaningOf(type) !== "other" || isStale(condition, evidence)) continue;
      if (toneOf(reason).progress) waiting ??= reportedBy({ condition, list, evidence }, "Progressing");
      else if (toneOf(message).error) return reportedBy({ condition, list, evidence }, "Degraded");
    }
  }
  return waiting;
}

/**
 * Whether the kind has a status subresource, by its definition in `related`; `undefined` when nothing is known about
 * related objects at all. A definition that is known not to be there promises no status.
 */
function hasStatusSubresource(input: RuleInput): boolean | undefined {
  if (input.related === undefined) return undefined;
  const definition = input.related.find((object) => {
    if (!isKind(object, "apiextensions.k8s.io", "CustomResourceDefinition")) return false;
    const spec = fieldsAt(object, "spec");
    return textAt(spec, "group") === input.group && textAt(fieldsAt(spec, "names"), "kind") === input.kind;
  });
  if (definition === undefined) return false;
  const spec = fieldsAt(definition, "spec");
  if (isThere(fieldsAt(spec, "subresources")["status"])) return true;
  const versions = listAt(spec, "versions");
  const version = versions.find((entry) => textAt(entry, "name") === input.version) ?? versions[0];
  return isThere(fieldsAt(version, "subresources")["status"]);
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null;
}
