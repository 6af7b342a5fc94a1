import { hash } from "node:crypto";

import { clone, create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  ViewerSchema,
  ViewSpecSchema,
  ViewSpecsSchema,
  type EnvironmentView,
  type SummaryView,
  type Viewer,
  type ViewScope,
  type ViewSpec,
} from "@binnacle/proto/kas-views";
import type { ImpersonationConfig } from "@binnacle/proto/kubernetes-api";
import { Fault } from "@binnacle/rpc";

import { VIEW_BOUNDS } from "./view-bounds.ts";

/** Sets of health rules by their names. */
export type HealthRuleSets = ReadonlyMap<string, Uint8Array>;

/** A spec in one form, so that equal views have equal names. */
export interface CanonicalSpec {
  /** Without the rules that came with it. */
  readonly spec: ViewSpec;
  /** Those that it names. */
  readonly healthRules: HealthRuleSets;
  /** Identifies the requested view. */
  readonly key: string;
  /** The spec without what cannot change which kinds and namespaces are read. */
  readonly domain: ViewSpec;
  /** Identifies the domain: rights that are proved for it are proved for all specs in it. */
  readonly domainKey: string;
}

/** A viewer whose rights are checked, in canonical form. */
export interface CanonicalViewer {
  readonly viewer: Viewer;
  /** Identifies the viewer; equal keys are one identity in the cluster. */
  readonly key: string;
}

/**
 * @throws Fault `invalid_request` for a spec that is too large, asks for no view, or names rules that did not come with it;
 *   `not_implemented` for one that is not known here
 */
export function canonicalSpec(given: ViewSpec): CanonicalSpec {
  const spec = clone(ViewSpecSchema, { ...given, healthRules: [] });
  if (spec.view.case === undefined) {
    // Of a newer dashboard: it makes the view itself then.
    if ((spec.$unknown?.length ?? 0) > 0) throw new Fault("not_implemented", "this kas does not know the requested view");
    throw new Fault("invalid_request", "no view is named");
  }
  const scope = scopeOf(spec);
  if (scope) scope.namespaces = [...new Set(scope.namespaces)].toSorted();
  const bytes = toBinary(ViewSpecSchema, spec);
  if (bytes.byteLength > VIEW_BOUNDS.specBytes)
    throw new Fault("invalid_request", `a view is described in ${VIEW_BOUNDS.specBytes} bytes at most`);
  const domain = domainOf(spec);
  // Labels choose objects, and health rules judge them: never kinds and namespaces.
  delete scopeOf(domain)?.labels;
  forgetRules(domain);
  const healthRules = new Map(namesIn(spec).map((name) => [name, broughtBy(given, name)]));
  return { spec, healthRules, key: named(bytes), domain, domainKey: named(toBinary(ViewSpecSchema, domain)) };
}

/** @throws Fault `invalid_request` */
export function parseSpec(bytes: Uint8Array): ViewSpec {
  try {
    return fromBinary(ViewSpecSchema, bytes);
  } catch (error) {
    throw new Fault("invalid_request", "the body is no kas.v1.ViewSpec", { cause: error });
  }
}

/** @throws Fault `invalid_request` */
export function parseSpecs(bytes: Uint8Array): readonly ViewSpec[] {
  let views: readonly ViewSpec[];
  let healthRules: Uint8Array[];
  try {
    ({ views, healthRules } = fromBinary(ViewSpecsSchema, bytes));
  } catch (error) {
    throw new Fault("invalid_request", "the body is no kas.v1.ViewSpecs", { cause: error });
  }
  const most = VIEW_BOUNDS.subscriptionsPerCaller;
  if (views.length === 0 || views.length > most)
    throw new Fault("invalid_request", `between one and ${most} views can be requested at a time`);
  return views.map((view) => ({ ...view, healthRules }));
}

/**
 * @param identity absent: the agent itself
 * @throws Fault `invalid_request` for an identity without a name, which an agent would take for itself
 */
export function canonicalViewer(identity?: ImpersonationConfig): CanonicalViewer {
  if (identity === undefined) return { viewer: create(ViewerSchema), key: "agent" };
  const { username, groups, uid, extra } = identity;
  if (username === "") throw new Fault("invalid_request", "an identity needs a username");
  const key = JSON.stringify([username, groups.toSorted(), uid, extra.map(({ key, val }) => JSON.stringify([key, val])).toSorted()]);
  return { viewer: create(ViewerSchema, { identity }), key };
}

/** Events are among the kinds of their environment: rights that are proved for one are proved for the other. */
function domainOf(spec: ViewSpec): ViewSpec {
  const domain = clone(ViewSpecSchema, spec);
  const environment = domain.view.case === "events" ? domain.view.value.environment : undefined;
  return environment === undefined ? domain : create(ViewSpecSchema, { view: { case: "environment", value: environment } });
}

function scopeOf(spec: ViewSpec): ViewScope | undefined {
  return judgedOf(spec)?.scope;
}

/** What of a spec is judged by health rules. */
function judgedOf({ view }: ViewSpec): EnvironmentView | SummaryView | undefined {
  if (view.case === "changes" || view.case === "events") return view.value.environment;
  return view.case === "summary" || view.case === "environment" ? view.value : undefined;
}

function namesIn(spec: ViewSpec): readonly string[] {
  const judged = judgedOf(spec);
  return [judged?.healthRules ?? "", judged?.scope?.rules?.healthRules ?? ""].filter((name) => name !== "");
}

function forgetRules(spec: ViewSpec): void {
  const judged = judgedOf(spec);
  if (judged === undefined) return;
  judged.healthRules = "";
  if (judged.scope?.rules) judged.scope.rules.healthRules = "";
}

function broughtBy({ healthRules }: ViewSpec, name: string): Uint8Array {
  const bytes = healthRules.find((each) => nameOf(each) === name);
  if (bytes === undefined) throw new Fault("invalid_request", "a view names health rules that did not come with it");
  if (bytes.byteLength > VIEW_BOUNDS.ruleSetBytes)
    throw new Fault("invalid_request", `health rules that are in force together have ${VIEW_BOUNDS.ruleSetBytes} bytes at most`);
  return bytes;
}

/** Names of what has come already: many views come with the same. */
const names = new WeakMap<Uint8Array, string>();

function nameOf(bytes: Uint8Array): string {
  const known = names.get(bytes) ?? named(bytes);
  names.set(bytes, known);
  return known;
}

function named(bytes: Uint8Array): string {
  return hash("sha256", bytes, "base64");
}
