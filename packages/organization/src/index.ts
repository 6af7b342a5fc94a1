export type { Organization, OrganizationAgent } from "./organization.ts";
export { OrganizationFiles } from "./organization-files.ts";
export { hashToken } from "./token-hash.ts";
export { isPrincipalName } from "./organization-schema.ts";
