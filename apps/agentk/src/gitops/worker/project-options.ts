import type { ManifestProjectOptions } from "@binnacle/proto/agent-options";
import type { ManifestProjectCF, AgentConfiguration } from "@binnacle/proto/agentcfg";
import { Fault } from "@binnacle/rpc";

import type { SyncOptions } from "../sync/sync-options.ts";

/** A manifest project of the configuration. */
export interface ProjectOptions extends SyncOptions {
  /** Path or id of the project, as the configuration has it. */
  readonly id: string;
  /** Never empty. */
  readonly globs: readonly string[];
}

const HOUR_MS = 3_600_000;
/** Of a kas that does not know the key. */
const MAX_OBJECTS = 5_000;
const EVERY_MANIFEST = "**/*.{yaml,yml,json}";

/**
 * The manifest projects with the defaults of Go's agentk. The configuration has no fewer rights than its file: one wrong value and none of it holds.
 *
 * @throws Fault `configuration_invalid` that names project and key
 */
export function readProjects(configuration: AgentConfiguration): readonly ProjectOptions[] {
  const ours = new Map((configuration.binnacle?.gitops?.manifestProjects ?? []).map((options) => [options.id, options]));
  const maxObjects = configuration.binnacle?.gitops?.maxObjects || MAX_OBJECTS;
  const projects = (configuration.gitops?.manifestProjects ?? []).map((project) => ({
    ...readProject(project, ours.get(project.id)),
    maxObjects,
  }));
  const seen = new Set<string>();
  for (const { id } of projects) {
    if (seen.has(id)) throw new Fault("configuration_invalid", `gitops.manifest_projects: ${id} stands there twice`);
    seen.add(id);
  }
  return projects;
}

function readProject(project: ManifestProjectCF, ours: ManifestProjectOptions | undefined): Omit<ProjectOptions, "maxObjects"> {
  const { id } = project;
  if (id === "") throw new Fault("configuration_invalid", "gitops.manifest_projects: a project has no id");
  const globs = project.paths.map(({ glob }) => glob || EVERY_MANIFEST);
  return {
    id,
    globs: globs.length > 0 ? globs : [EVERY_MANIFEST],
    defaultNamespace: project.defaultNamespace || "default",
    reconcileTimeoutMs: durationMs(project.reconcileTimeout, { id, key: "reconcile_timeout" }),
    dryRun: oneOf(project.dryRunStrategy, ["none", "client", "server"], { id, key: "dry_run_strategy" }),
    prune: project.prune ?? true,
    pruneTimeoutMs: durationMs(project.pruneTimeout, { id, key: "prune_timeout" }),
    propagation: oneOf(project.prunePropagationPolicy, ["foreground", "background", "orphan"], { id, key: "prune_propagation_policy" }),
    inventoryPolicy: oneOf(project.inventoryPolicy, ["must_match", "adopt_if_no_inventory", "adopt_all"], { id, key: "inventory_policy" }),
    forceConflicts: ours?.forceConflicts ?? false,
    stopOn: oneOf(ours?.stopOn ?? "", ["unreadable_file", "any_error", "nothing"], { id, key: "stop_on" }),
    drift: oneOf(ours?.drift ?? "", ["correct", "show", "ignore"], { id, key: "drift" }),
  };
}

interface Place {
  readonly id: string;
  readonly key: string;
}

/** The first is the default. */
function oneOf<T extends string>(value: string, allowed: readonly [T, ...T[]], at: Place): T {
  const found = value === "" ? allowed[0] : allowed.find((one) => one === value);
  if (found === undefined) throw wrong(at, `"${value}" is none of ${allowed.join(", ")}`);
  return found;
}

/** Durations of protobuf: seconds, "3600s". */
function durationMs(value: string, at: Place): number {
  if (value === "") return HOUR_MS;
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(value)?.[1];
  if (seconds === undefined) throw wrong(at, `"${value}" is no duration such as "3600s"`);
  return Number(seconds) * 1_000;
}

function wrong({ id, key }: Place, message: string): Fault {
  return new Fault("configuration_invalid", `gitops.manifest_projects, ${id}: ${key}: ${message}`);
}
