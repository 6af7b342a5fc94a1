import { fieldsAt, isFields, numberAt, textAt, type Fields } from "@binnacle/kube";
import { words } from "@binnacle/words";

import type { RuleInput } from "../../verdict.ts";
import { conditionList } from "../condition-list.ts";
import { meaningOf } from "../condition-meaning.ts";
import type { Evidence } from "../evidence.ts";
import { isStale, reportedBy } from "../judge-condition.ts";
import { fieldIs, type Opinion } from "../opinion.ts";
import { splitWords } from "../split-words.ts";
import { toneOf } from "../tone.ts";
import { RUN_SWITCHES, STATE_SWITCHES, STOP_SWITCHES, STOP_TEXTS, SWITCH_PLACES } from "../vocabulary/pause-words.ts";

/** So far below the spec a switch is looked for. */
const MAX_DEPTH = 2;
/** So many fields of a spec are looked at. */
const MAX_FIELDS = 200;

/** Whether the object is paused. */
export interface Pause {
  readonly opinion: Opinion | null;
  /** There are more fields and annotations than are looked at: it may be stopped by another. */
  readonly isCut: boolean;
}

/** Finds a pause on purpose: by a switch of the spec, an annotation, a partition, or a condition. */
export function pause(evidence: Evidence): Pause {
  const { input } = evidence;
  const [fields, annotations] = [{ depth: 0, left: MAX_FIELDS }, { left: MAX_FIELDS }];
  const opinion = bySwitch(input, fields) ?? byAnnotation(input, annotations) ?? byCondition(evidence) ?? byPartition(input);
  return { opinion, isCut: fields.left < 0 || annotations.left < 0 };
}

function bySwitch({ spec }: RuleInput, search: Search): Opinion | null {
  const found = switchIn(spec, "spec", search);
  if (found === undefined) return null;
  const because = fieldIs(found.path, found.value);
  return { status: "Suspended", reason: "Suspended", message: because, because };
}

interface Search {
  readonly depth: number;
  /** Fields that may still be looked at; below 0 once there was one more. */
  left: number;
}

function switchIn(fields: Fields, path: string, search: Search): { readonly path: string; readonly value: boolean | string } | undefined {
  for (const name in fields) {
    if (search.left-- <= 0) return undefined;
    const value = fields[name];
    if (typeof value === "boolean") {
      const small = name.toLowerCase();
      if (value ? STOP_SWITCHES.has(small) : RUN_SWITCHES.has(small)) return { path: `${path}.${name}`, value };
    }
    if (typeof value === "string" && STATE_SWITCHES.has(name.toLowerCase()) && STOP_TEXTS.has(splitWords(value).join("")))
      return { path: `${path}.${name}`, value };
    if (search.depth >= MAX_DEPTH || !isFields(value) || !splitWords(name).some((word) => SWITCH_PLACES.has(word))) continue;
    const below: Search = { depth: search.depth + 1, left: search.left };
    const found = switchIn(value, `${path}.${name}`, below);
    search.left = below.left;
    if (found !== undefined) return found;
  }
  return undefined;
}

function byAnnotation({ metadata }: RuleInput, search: Pick<Search, "left">): Opinion | null {
  const annotations = fieldsAt(metadata, "annotations");
  for (const name in annotations) {
    if (search.left-- <= 0) return null;
    const value = textAt(annotations, name);
    if (value.length > 5 || value.toLowerCase() !== "true") continue;
    const last = splitWords(name.slice(name.lastIndexOf("/") + 1)).at(-1) ?? "";
    if (!STOP_SWITCHES.has(last) || last === "disabled") continue;
    const because = words("because/annotation", { name, value });
    return { status: "Suspended", reason: "Suspended", message: because, because };
  }
  return null;
}

function byCondition(evidence: Evidence): Opinion | null {
  const { conditions } = evidence;
  const list = conditionList("", conditions);
  for (const condition of conditions) {
    const hit = meaningOf(condition.type) === "pause" ? condition.status === "true" : toneOf(condition.reason).paused;
    if (hit && !isStale(condition, evidence)) return reportedBy({ condition, list, evidence }, "Suspended");
  }
  return null;
}

/** A partition holds back a part of the pods, and all others are updated. */
function byPartition({ spec, status }: RuleInput): Opinion | null {
  const found = partitionIn(spec, "spec", 0);
  const replicas = numberAt(spec, "replicas");
  const updated = numberAt(status, "updatedReplicas");
  if (found === undefined || replicas === undefined || updated === undefined || found.value <= 0) return null;
  if (updated >= replicas || updated < replicas - found.value) return null;
  const because = fieldIs(found.path, found.value);
  return { status: "Suspended", reason: "Partitioned", message: because, because };
}

function partitionIn(fields: Fields, path: string, depth: number): { readonly path: string; readonly value: number } | undefined {
  const value = numberAt(fields, "partition");
  if (value !== undefined && depth > 0) return { path: `${path}.partition`, value };
  if (depth >= MAX_DEPTH) return undefined;
  for (const name of ["updateStrategy", "strategy", "rollingUpdate", "rolloutStrategy"]) {
    const inner = fields[name];
    const found = isFields(inner) ? partitionIn(inner, `${path}.${name}`, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
