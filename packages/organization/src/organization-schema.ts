import { z } from "zod";

import { PASSWORD_HASH_SHAPE, isPasswordHash } from "./password-hash.ts";
import { TOKEN_HASH_SHAPE, isTokenHash } from "./token-hash.ts";

/** Segments of letters, digits, `-`, `_` and `.`, as GitLab's paths of groups and projects. */
const PATH_SEGMENT = String.raw`[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}`;
const GROUP_PATH = new RegExp(`^${PATH_SEGMENT}(?:/${PATH_SEGMENT}){0,19}$`);
const PROJECT_PATH = new RegExp(`^${PATH_SEGMENT}(?:/${PATH_SEGMENT}){1,20}$`);
/** As GitLab: a DNS label of at most 63 characters. */
const AGENT_NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** As GitLab: letters, digits, spaces, `-`, `_`, `/`, `$`, `{`, `}` and `.`, neither at the begin nor at the end a slash. */
const ENVIRONMENT_NAME = /^[A-Za-z0-9_${}. -](?:[A-Za-z0-9_/${}. -]{0,253}[A-Za-z0-9_${}. -])?$/;
/** A DNS label, as Kubernetes names namespaces. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;
/** Names of groups and users of a provider of identities. What begins with `system:` belongs to Kubernetes. */
const PRINCIPAL = /^(?!system:)[^\p{Cc}\p{Cf}]{1,256}$/u;

const id = z.int().positive();
const principal = z.string().regex(PRINCIPAL, 'must be 1 to 256 printable characters and not begin with "system:"');
const agentName = z.string().regex(AGENT_NAME, "must be a DNS label: lower-case letters, digits and -, at most 63 characters");
const namespace = z.string().regex(NAMESPACE, "must be the name of a namespace: lower-case letters, digits and -, at most 63 characters");
const projectPath = z.string().regex(PROJECT_PATH, 'must be the path of a project: "group/project"');
/** Prints nothing of the text: it may be a token or a password. */
const hash = (isHash: (text: string) => boolean, shape: string) => z.string().refine(isHash, `must be ${shape}`);

/** Rights in a group or project, each including those before it. */
export const ROLES = ["reporter", "developer", "maintainer"] as const;

const member = z.union([
  z.strictObject({ user: principal, role: z.enum(ROLES) }),
  z.strictObject({ group: principal, role: z.enum(ROLES) }),
]);

const environment = z.strictObject({
  name: z
    .string()
    .regex(ENVIRONMENT_NAME, "must be 1 to 255 letters, digits, spaces or any of - _ / $ { } . and neither begin nor end with /"),
  tier: z.enum(["production", "staging", "testing", "development", "other"]).default("other"),
  external_url: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of an agent of this project, or `project/path:name` of another one. */
  agent: z.string().optional(),
  namespace: namespace.optional(),
  flux_resource_path: z.string().max(1_024).optional(),
});

const group = z.strictObject({
  path: z.string().regex(GROUP_PATH, 'must be the path of a group: "group" or "group/subgroup"'),
  name: z.string().max(255).optional(),
  members: z.array(member).default([]),
});

const project = z.strictObject({
  id,
  path: projectPath,
  name: z.string().max(255).optional(),
  members: z.array(member).default([]),
  environments: z.array(environment).default([]),
});

const agent = z.strictObject({
  id,
  name: agentName,
  /** Project that owns the agent. */
  project: projectPath,
  /** Hashes of the tokens that agentk may connect with. */
  tokens: z.array(hash(isTokenHash, TOKEN_HASH_SHAPE)).max(16).default([]),
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
  display_name: z.string().max(255).optional(),
  password: hash(isPasswordHash, PASSWORD_HASH_SHAPE).optional(),
  groups: z.array(principal).max(200, "must be at most 200 groups").default([]),
});

/** One file of an organization; all lists of a folder's files are joined. */
export const organizationSchema = z.strictObject({
  groups: z.array(group).default([]),
  projects: z.array(project).default([]),
  agents: z.array(agent).default([]),
  users: z.array(user).default([]),
});

/** Content of one file, checked by itself. */
export type OrganizationData = z.output<typeof organizationSchema>;
/** A right in a group or project. */
export type Role = (typeof ROLES)[number];
/** A user or group with a role. */
export type Member = z.output<typeof member>;
/** A project as the file has it. */
export type ProjectEntry = z.output<typeof project>;
/** A group as the file has it. */
export type GroupEntry = z.output<typeof group>;
/** An environment as the file has it. */
export type EnvironmentEntry = z.output<typeof environment>;
/** An agent as the file has it. */
export type AgentEntry = z.output<typeof agent>;
/** A user of the users list. */
export type UserEntry = z.output<typeof user>;
