import { create } from "@bufbuild/protobuf";
import { parseYaml } from "@binnacle/config";
import {
  AgentAccessRuleSchema,
  AgentFileSchema,
  AgentFileState,
  type AgentAccessRule,
  type AgentFile,
} from "@binnacle/proto/dashboard-agents";
import { z } from "zod";

import { lineOf } from "../main-application/foreign-text.ts";
import type { FileAnswer } from "../main-application/records.ts";

const MAX_RULES = 200;
const MAX_ENVIRONMENTS = 20;

/** Bytes of a configuration file that are read. */
export const MAX_FILE_BYTES = 256 * 1024;

const accessAs = z.record(z.string(), z.unknown()).nullish();
const entry = z.object({
  id: z.string().optional(),
  access_as: accessAs,
  environments: z.array(z.string()).nullish(),
  protected_branches_only: z.boolean().nullish(),
});
const section = z.object({
  access_as: accessAs,
  projects: z.array(entry).nullish(),
  groups: z.array(entry).nullish(),
  instance: entry.nullish(),
});
const fileSchema = z.object({ user_access: section.nullish(), ci_access: section.nullish() });

/** Path of an agent's configuration file in its project. */
export function filePathOf(agentName: string): string {
  return `.gitlab/agents/${agentName}/config.yaml`;
}

/** What the file says of access, without what a viewer could not read there. */
export function agentFileOf(path: string, answer: FileAnswer): AgentFile {
  const state = (known: AgentFileState): AgentFile => create(AgentFileSchema, { path, state: known });
  if (answer.kind === "absent") return state(AgentFileState.ABSENT);
  if (answer.kind === "forbidden") return state(AgentFileState.FORBIDDEN);
  const parsed = answer.kind === "text" ? fileSchema.safeParse(dataOf(answer.text, path)).data : undefined;
  if (parsed === undefined) return state(AgentFileState.INVALID);
  const rules = [...rulesOf("user_access", parsed.user_access), ...rulesOf("ci_access", parsed.ci_access)];
  const shown = { rules: rules.slice(0, MAX_RULES), truncated: rules.length > MAX_RULES };
  return create(AgentFileSchema, { path, state: AgentFileState.READ, ...shown });
}

function dataOf(text: string, path: string): unknown {
  try {
    return parseYaml(text, path) ?? {};
  } catch {
    return undefined; // kas reports why
  }
}

function rulesOf(name: "user_access" | "ci_access", found: z.infer<typeof section> | null | undefined): AgentAccessRule[] {
  if (!found) return [];
  const rule = (kind: string) => (each: z.infer<typeof entry>) =>
    create(AgentAccessRuleSchema, {
      section: name,
      kind,
      id: lineOf(each.id),
      accessAs: lineOf(Object.keys(each.access_as ?? found.access_as ?? {})[0]),
      environments: (each.environments ?? []).slice(0, MAX_ENVIRONMENTS).map(lineOf),
      protectedBranchesOnly: each.protected_branches_only === true,
    });
  const instance = found.instance ? [rule("instance")(found.instance)] : [];
  return [...(found.projects ?? []).map(rule("project")), ...(found.groups ?? []).map(rule("group")), ...instance];
}
