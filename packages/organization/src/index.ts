export { Organization, type AgentAccess, type OrganizationAgent, type Principal } from "./organization.ts";
export { OrganizationError, problemText, type OrganizationProblem } from "./organization-error.ts";
export { OrganizationFiles, type OrganizationFilesOptions } from "./organization-files.ts";
export { parseOrganization, type OrganizationText } from "./parse-organization.ts";
export { hashPassword, verifyPassword } from "./password-hash.ts";
export { createToken, hashToken } from "./token-hash.ts";
export type { AgentEntry, EnvironmentEntry, GroupEntry, Member, ProjectEntry, Role, UserEntry } from "./organization-schema.ts";
