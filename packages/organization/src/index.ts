export { Organization } from "./organization.ts";
export type { OrganizationAgent, Principal } from "./organization.ts";
export type { EnvironmentEntry, ProjectEntry, UserEntry } from "./organization-schema.ts";
export { OrganizationFiles } from "./organization-files.ts";
export { hashPassword, passwordMark, verifyPassword } from "./password-hash.ts";
export { StateFile } from "./state-file.ts";
export { hashToken, newToken } from "./token-hash.ts";
export { isPrincipalName } from "./organization-schema.ts";
