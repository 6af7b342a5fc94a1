import { create } from "@bufbuild/protobuf";
import { ConfigError, parseYaml, problemsOf } from "@binnacle/config";
import { AgentOptionsSchema, type AgentOptions } from "@binnacle/proto/agent-options";
import type { ConfigurationFile } from "@binnacle/proto/agentcfg";
import { Fault } from "@binnacle/rpc";
import { z } from "zod";

import { serviceMessageOf, servicesProblems, servicesSchema } from "./service-options.ts";

const manifestProject = z.strictObject({
  id: z.string().min(1).meta({ description: "Project as `gitops.manifest_projects` of `config.yaml` names it" }),
  force_conflicts: z
    .boolean()
    .default(false)
    .meta({ description: "Takes fields that belong to other managers, such as edits by hand; without it, such an object fails" }),
  stop_on: z
    .enum(["unreadable_file", "any_error", "nothing"])
    .default("unreadable_file")
    .meta({ description: "Which error in the manifests stops all of a commit; after `nothing` the rest is applied and nothing pruned" }),
  drift: z.enum(["correct", "show", "ignore"]).default("correct").meta({
    description:
      "What becomes of objects that were changed in the cluster: corrected within five minutes, shown until a sync, or not compared",
  }),
});

/** An inventory of more objects does not fit into a ConfigMap. */
const MAX_OBJECTS = 100_000;

/** The keys of `.gitlab/agents/<name>/binnacle.yaml`: options that the GitLab agent does not know. Their defaults are how that agent acts. */
export const agentOptionsSchema = z.strictObject({
  gitops: z
    .strictObject({
      max_objects: z
        .number()
        .int()
        .min(1)
        .max(MAX_OBJECTS)
        .default(5_000)
        .meta({ description: "Objects that a commit of a manifest project may have; of a larger one nothing is applied" }),
      manifest_projects: z.array(manifestProject).default([]).meta({ description: "Projects that differ from the defaults" }),
    })
    .prefault({}),
  services: servicesSchema,
});

/** Where an agent's options are. */
export function agentOptionsPath(agentName: string): string {
  return `.gitlab/agents/${agentName}/binnacle.yaml`;
}

/**
 * Reads the text strictly; an empty file has no option.
 *
 * @param file the agent's `config.yaml`: only its projects can have options
 * @throws Fault `configuration_invalid` with every mistake
 */
export function parseAgentOptions(text: string, path: string, file: ConfigurationFile): AgentOptions {
  return inOneLine(() => agentOptionsOf(parseYaml(text, path) ?? {}, path, file));
}

/**
 * Reads the data of an agent's options strictly.
 *
 * @param path for error texts
 * @throws Fault `configuration_invalid` with every mistake
 */
export function parseAgentOptionsData(data: unknown, path: string, file: ConfigurationFile): AgentOptions {
  return inOneLine(() => agentOptionsOf(data, path, file));
}

function agentOptionsOf(data: unknown, path: string, file: ConfigurationFile): AgentOptions {
  const result = agentOptionsSchema.safeParse(data);
  if (!result.success) throw new ConfigError(path, problemsOf(result.error));
  const projects = result.data.gitops.manifest_projects;
  const ids = projects.map(({ id }) => id);
  const problems = [...misplaced(ids, file), ...servicesProblems(result.data.services)];
  if (problems.length > 0) throw new ConfigError(path, problems);
  const manifestProjects = projects.map((project) => ({
    id: project.id,
    forceConflicts: project.force_conflicts,
    stopOn: project.stop_on,
    drift: project.drift,
  }));
  const gitops = { manifestProjects, maxObjects: result.data.gitops.max_objects };
  return create(AgentOptionsSchema, { gitops, services: result.data.services.map(serviceMessageOf) });
}

/** @throws Fault `configuration_invalid` with the message of a ConfigError in one line */
function inOneLine<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new Fault("configuration_invalid", error.message.replaceAll(/\n\s*/g, " "), { cause: error });
  }
}

/** Projects that stand there twice, or that the configuration does not have. */
function misplaced(ids: readonly string[], { gitops }: ConfigurationFile): ConfigError["problems"] {
  const known = new Set((gitops?.manifestProjects ?? []).map(({ id }) => id));
  return ids.flatMap((id, index) => {
    const path = `gitops.manifest_projects.${index}.id`;
    if (ids.indexOf(id) < index) return [{ path, message: `${id} stands there twice` }];
    return known.has(id) ? [] : [{ path, message: `${id} is none of gitops.manifest_projects of config.yaml` }];
  });
}
