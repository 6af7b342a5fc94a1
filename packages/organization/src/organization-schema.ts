import { z } from "zod";

import { TOKEN_HASH_SHAPE, isTokenHash } from "./token-hash.ts";

/** Two or more segments of letters, digits, `-`, `_` and `.`, as GitLab's paths of projects. */
const PROJECT_PATH = /^\w[\w.-]{0,254}(?:\/\w[\w.-]{0,254}){1,20}$/;
/** As GitLab: a DNS label of at most 63 characters. */
const AGENT_NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** What begins with `system:` belongs to Kubernetes; signs that are not shown make two names look alike. */
const PRINCIPAL = /^(?!system:)[^\p{Cc}\p{Cf}]{1,256}$/u;

const id = z.int().positive();
/** An error text shows nothing of it: it may be a token. */
const tokenHash = z.string().refine(isTokenHash, `must be ${TOKEN_HASH_SHAPE}`);
const principal = z.string().refine(isPrincipalName, 'must be 1 to 256 printable characters and not begin with "system:"');
const agentName = z.string().regex(AGENT_NAME, "must be a DNS label: lower-case letters, digits and -, at most 63 characters");
const projectPath = z.string().regex(PROJECT_PATH, 'must be the path of a project: "group/project"');

const project = z.strictObject({
  id,
  path: projectPath,
});

const agent = z.strictObject({
  id,
  name: agentName,
  /** Project that owns the agent. */
  project: projectPath,
  /** Hashes of the tokens that agentk may connect with. */
  tokens: z.array(tokenHash).max(16).default([]),
  user_access: z
    .strictObject({
      /** `agent`: requests are made with the rights of agentk. `user`: as the user, whom agentk impersonates. */
      access_as: z.enum(["agent", "user"]),
      groups: z.array(principal).default([]),
      users: z.array(principal).default([]),
    })
    .optional(),
  /** As `.gitlab/agents/<name>/config.yaml`; checked by kas. */
  configuration: z.record(z.string(), z.unknown()).optional(),
  /** As `.gitlab/agents/<name>/binnacle.yaml`; checked by kas. */
  options: z.record(z.string(), z.unknown()).optional(),
});

/** Whether a user or a group of a provider of identities may have this name. */
export function isPrincipalName(name: string): boolean {
  return PRINCIPAL.test(name);
}

/** One file of an organization; all lists of a folder's files are joined. */
export const organizationSchema = z.strictObject({
  projects: z.array(project).default([]),
  agents: z.array(agent).default([]),
});

/** Content of one file, checked by itself. */
export type OrganizationData = z.output<typeof organizationSchema>;
/** An agent as the file has it. */
export type AgentEntry = z.output<typeof agent>;
