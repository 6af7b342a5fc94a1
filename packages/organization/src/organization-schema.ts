import { z } from "zod";

import { PASSWORD_HASH_SHAPE, isPasswordHash } from "./password-hash.ts";
import { TOKEN_HASH_SHAPE, isTokenHash } from "./token-hash.ts";

/** Two or more segments of letters, digits, `-`, `_` and `.`, as GitLab's paths of projects. */
const PROJECT_PATH = /^\w[\w.-]{0,254}(?:\/\w[\w.-]{0,254}){1,20}$/;
/** A DNS label, as names of agents and namespaces. */
const LABEL = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** As GitLab: letters, digits, spaces and a few signs, with no slash at either end. */
const ENVIRONMENT_NAME = /^(?!\/)[\w${}./ -]{0,254}[\w${}. -]$/;
/** An agent of the project itself, "prod", or of another one, "shop/infra:prod". */
const AGENT_REFERENCE = /^(?:[\w./-]{1,512}:)?[-a-z0-9]{1,63}$/;
/** What begins with `system:` belongs to Kubernetes; signs that are not shown make two names look alike. */
const PRINCIPAL = /^(?!system:)[^\p{Cc}\p{Cf}]{1,256}$/u;

const id = z.int().positive();
/** An error text shows nothing of it: it may be a token. */
const tokenHash = z.string().refine(isTokenHash, `must be ${TOKEN_HASH_SHAPE}`);
const principal = z.string().refine(isPrincipalName, 'must be 1 to 256 printable characters and not begin with "system:"');
const agentName = z.string().regex(LABEL, "must be a DNS label: lower-case letters, digits and -, at most 63 characters");
const namespace = z.string().regex(LABEL, "must be the name of a namespace: lower-case letters, digits and -, at most 63 characters");
const projectPath = z.string().regex(PROJECT_PATH, 'must be the path of a project: "group/project"');

const role = z.enum(["reporter", "developer", "maintainer"]);
const member = z.union([z.strictObject({ user: principal, role }), z.strictObject({ group: principal, role })], {
  error: "must have a role (reporter, developer or maintainer) and either a user or a group",
});

const environment = z.strictObject({
  name: z.string().regex(ENVIRONMENT_NAME, "must be 1 to 255 letters, digits, spaces or any of - _ / $ { } . with no / at either end"),
  tier: z.enum(["production", "staging", "testing", "development", "other"]).default("other"),
  external_url: z.url({ protocol: /^https?$/ }).optional(),
  agent: z.string().regex(AGENT_REFERENCE, 'must be an agent: "name" of this project, or "group/project:name"').optional(),
  /** Absent: every namespace is in scope. */
  namespace: namespace.optional(),
});

const project = z.strictObject({
  id,
  path: projectPath,
  /** Absent: the last segment of the path. */
  name: z.string().min(1).max(255).optional(),
  members: z.array(member).default([]),
  environments: z.array(environment).max(1_000).default([]),
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

const user = z.strictObject({
  name: principal,
  display_name: z.string().min(1).max(255).optional(),
  /** Absent: no sign-in with a password. */
  password: z.string().refine(isPasswordHash, `must be ${PASSWORD_HASH_SHAPE}`).optional(),
  groups: z.array(principal).max(200, "must be at most 200 groups").default([]),
  /** Personal access tokens, for kubectl. */
  tokens: z
    .array(z.strictObject({ name: z.string().min(1).max(255), hash: tokenHash, expires_at: z.iso.datetime({ offset: true }).optional() }))
    .max(50)
    .default([]),
});

/** Whether a user or a group of a provider of identities may have this name. */
export function isPrincipalName(name: string): boolean {
  return PRINCIPAL.test(name);
}

/** One file of an organization; all lists of a folder's files are joined. */
export const organizationSchema = z.strictObject({
  projects: z.array(project).default([]),
  agents: z.array(agent).default([]),
  users: z.array(user).default([]),
});

/** Content of one file, checked by itself. */
export type OrganizationData = z.output<typeof organizationSchema>;
/** An agent as the file has it. */
export type AgentEntry = z.output<typeof agent>;
/** A project as the file has it. */
export type ProjectEntry = z.output<typeof project>;
/** An environment as the file has it. */
export type EnvironmentEntry = z.output<typeof environment>;
/** A user as the file has it. */
export type UserEntry = z.output<typeof user>;
/** A right in a project. */
export type Role = z.output<typeof role>;
