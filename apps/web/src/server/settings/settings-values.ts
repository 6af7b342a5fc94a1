import { isDeepStrictEqual } from "node:util";

import type { ViewScope } from "@binnacle/environment-view";
import { EnvironmentSettingsSchema, type EnvironmentSettings } from "@binnacle/proto/dashboard-settings";
import { quoted, words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { scopeOfEntry } from "../team-file/team-view-of.ts";
import { environmentSchema, type EnvironmentEntry } from "../team-file/team-file-schema.ts";

/** What an environment is made of, in whichever store. */
export interface SettingsValues extends ScopeValues {
  readonly agentId: bigint | undefined;
  /** Empty: none. */
  readonly fluxResourcePath: string;
}

/** Which part of a cluster an environment shows. */
export interface ScopeValues {
  /** Sorted; none: all. */
  readonly namespaces: readonly string[];
  readonly labels: EnvironmentEntry["labels"];
  readonly inventoryId: string | undefined;
}

/** The environment's own entry in the file, and that of a pattern; the own one wins as a whole. */
export interface FileEntries {
  readonly own: EnvironmentEntry | undefined;
  readonly pattern: EnvironmentEntry | undefined;
}

/** What a save writes; `entry` absent: the file stays; with `undefined`: the entry is removed. `namespace` absent: it stays. */
export interface ScopePlan {
  readonly entry?: { readonly to: EnvironmentEntry | undefined };
  readonly namespace?: string;
}

const MAX_SELECTOR = 2_000;
const REQUIREMENT = /^([A-Za-z0-9./_-]+)(?:\s*==?\s*([A-Za-z0-9._-]*)|\s+in\s*\(([^()]*)\))$/;
/** As GitLab takes it: https://docs.gitlab.com/ci/environments/kubernetes_dashboard */
const FLUX_PATH =
  /^(?:kustomize\.toolkit\.fluxcd\.io\/v[a-z0-9]+\/namespaces\/[a-z0-9.-]{1,63}\/kustomizations|helm\.toolkit\.fluxcd\.io\/v[a-z0-9]+\/namespaces\/[a-z0-9.-]{1,63}\/helmreleases)\/[a-z0-9.-]{1,253}$/;

/** Settings of a request, or why they are not valid. */
export function readSettings(settings: EnvironmentSettings | undefined): SettingsValues | { readonly problem: Words } {
  const { agentId = "", namespaces = [], selector = "", inventoryId = "", fluxResourcePath = "" } = settings ?? {};
  if (!/^\d{0,19}$/.test(agentId)) return { problem: words("settings/invalid-agent") };
  const labels = parseSelector(selector);
  if ("problem" in labels) return labels;
  const entry = {
    ...(namespaces.length > 0 && { namespaces: [...namespaces] }),
    ...(labels.labels && { labels: labels.labels }),
    ...(inventoryId !== "" && { inventoryId }),
  };
  const parsed = Object.keys(entry).length === 0 ? undefined : environmentSchema.safeParse(entry);
  const issue = parsed?.error?.issues[0];
  if (issue) return { problem: words("settings/invalid", { path: issue.path.map(String).join("."), what: quoted(issue.message) }) };
  if (fluxResourcePath !== "" && !FLUX_PATH.test(fluxResourcePath)) return { problem: words("settings/invalid-flux") };
  return {
    agentId: agentId === "" ? undefined : BigInt(agentId),
    namespaces: sorted(namespaces),
    labels: labels.labels,
    inventoryId: inventoryId === "" ? undefined : inventoryId,
    fluxResourcePath,
  };
}

/** Settings for a page. */
export function toSettings({ agentId, namespaces, labels, inventoryId, fluxResourcePath }: SettingsValues): EnvironmentSettings {
  return create(EnvironmentSettingsSchema, {
    agentId: agentId === undefined ? "" : String(agentId),
    namespaces: [...namespaces],
    selector: selectorText(labels),
    inventoryId: inventoryId ?? "",
    fluxResourcePath,
  });
}

/** What an environment shows by an entry of the file, and by its own namespace where there is none. */
export function effectiveScope({ own, pattern }: FileEntries, namespace: string): ScopeValues {
  const entry = own ?? pattern;
  return {
    namespaces: sorted(entry?.namespaces ?? (namespace === "" ? [] : [namespace])),
    labels: entry?.labels,
    inventoryId: entry?.inventoryId,
  };
}

/**
 * The least that has to be written so that an environment shows what is wanted: nothing, its namespace in the main application, its entry in the
 * file, or both.
 *
 * @returns `undefined` where an entry cannot express it: all namespaces below a pattern that names some
 */
export function planScope(wanted: ScopeValues, entries: FileEntries, namespace: string): ScopePlan | undefined {
  const [first = "", ...others] = wanted.namespaces;
  const rest = entryOf({ ...wanted, namespaces: [] });
  const plans: ScopePlan[] = [
    {},
    ...(others.length === 0 ? [{ namespace: first }] : []),
    { entry: { to: rest } },
    ...(others.length === 0 ? [{ entry: { to: rest }, namespace: first }] : []),
    { entry: { to: entryOf(wanted) } },
  ];
  return plans.find((plan) => {
    const own = plan.entry === undefined ? entries.own : plan.entry.to;
    return isSameScope(effectiveScope({ ...entries, own }, plan.namespace ?? namespace), wanted);
  });
}

/** Whether they show the same. */
export function isSameScope(one: ScopeValues, other: ScopeValues): boolean {
  const key = ({ namespaces, labels, inventoryId }: ScopeValues): unknown => [sorted(namespaces), selectorText(labels), inventoryId ?? ""];
  return isDeepStrictEqual(key(one), key(other));
}

/** As views take it. */
export function scopeOfValues({ namespaces, labels, inventoryId }: ScopeValues): ViewScope {
  return scopeOfEntry({ namespaces: [...namespaces], ...(labels && { labels }), ...(inventoryId !== undefined && { inventoryId }) }, "");
}

function entryOf({ namespaces, labels, inventoryId }: ScopeValues): EnvironmentEntry | undefined {
  const entry: EnvironmentEntry = {
    ...(namespaces.length > 0 && { namespaces: [...namespaces] }),
    ...(labels && { labels }),
    ...(inventoryId !== undefined && { inventoryId }),
  };
  return Object.keys(entry).length === 0 ? undefined : entry;
}

function sorted(namespaces: readonly string[]): readonly string[] {
  return [...new Set(namespaces)].toSorted();
}

/** `app=web,tier in (a, b)`, in one order. */
function selectorText(labels: EnvironmentEntry["labels"]): string {
  return Object.entries(labels ?? {})
    .map(([key, value]) => {
      const values = typeof value === "string" ? [value] : sorted(value);
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in (${values.join(", ")})`;
    })
    .toSorted()
    .join(",");
}

function parseSelector(text: string): { readonly labels: EnvironmentEntry["labels"] } | { readonly problem: Words } {
  if (text.trim() === "") return { labels: undefined };
  const shown = `${text.slice(0, 40)}…`;
  if (text.length > MAX_SELECTOR) return { problem: words("settings/invalid-selector", { text: quoted(shown) }) };
  const found: Record<string, string | string[]> = Object.create(null);
  // Commas within brackets divide values.
  for (const part of text.split(/,(?![^()]*\))/).map((each) => each.trim())) {
    const [, key, value, list] = REQUIREMENT.exec(part) ?? [];
    if (key === undefined || key in found) return { problem: words("settings/invalid-selector", { text: quoted(part.slice(0, 60)) }) };
    found[key] = list === undefined ? (value ?? "") : list.split(",").map((each) => each.trim());
  }
  return { labels: { ...found } };
}
