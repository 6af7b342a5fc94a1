import { randomUUID } from "node:crypto";

import { hashPassword, Organization, passwordMark } from "@binnacle/organization";
import { SignJWT } from "jose";

/** Of every user of the organization. */
export const PASSWORD = "correct horse battery";
/** Takes a third of a second: once for all tests of a file. */
const hash = hashPassword(PASSWORD);
const KEY = Buffer.alloc(32, 1);

/** An organization with project "group/app", environments "production" on agent 3 and "plain" without one, and these users as its members. */
export async function organizationOf(users: readonly string[], groups: readonly string[] = []): Promise<Organization> {
  const password = await hash;
  return new Organization({
    projects: [
      {
        id: 1,
        path: "group/app",
        members: [
          ...users.map((user) => ({ user, role: "developer" as const })),
          ...groups.map((group) => ({ group, role: "reporter" as const })),
        ],
        environments: [
          { name: "production", tier: "production", agent: "demo", namespace: "prod" },
          { name: "plain", tier: "other" },
        ],
      },
      { id: 2, path: "group/other", members: [], environments: [{ name: "production", tier: "production" }] },
    ],
    agents: [
      { id: 3, name: "demo", project: "group/app", tokens: [], user_access: { access_as: "user", users: [...users], groups: [...groups] } },
    ],
    users: users.map((name) => ({ name, display_name: `User ${name}`, password, groups: [], tokens: [] })),
  });
}

/** An ID token as kas issues it, which only kas verifies. @param endsAtMs since the epoch */
export async function userTokenOf(name: string, endsAtMs: number): Promise<string> {
  return tokenOf({
    sub: name,
    mark: passwordMark(await hash),
    auth_time: Math.floor(Date.now() / 1_000),
    exp: Math.floor(endsAtMs / 1_000),
  });
}

/** A token with such claims. */
export function tokenOf(claims: Readonly<Record<string, unknown>>): Promise<string> {
  return new SignJWT({ jti: randomUUID(), ...claims }).setProtectedHeader({ alg: "HS256" }).sign(KEY);
}
