import { Fault } from "@binnacle/rpc";
import { z } from "zod";

const rolesSchema = z.array(z.object({ id: z.int(), roles: z.array(z.string()) })).default([]);
const userSchema = z.object({ projects: rolesSchema, groups: rolesSchema });
const impersonateSchema = z.object({
  username: z.string(),
  groups: z.array(z.string()).default([]),
  uid: z.string().default(""),
  extra: z.array(z.object({ key: z.string(), val: z.array(z.string()) })).default([]),
});

/** The identity of a user's requests: agentk itself, or the user with these roles. */
export type UserAccessMode = { readonly kind: "agent" } | ({ readonly kind: "user" } & z.output<typeof userSchema>);

/** The identity of a job's requests: agentk itself, the job, or a user that the configuration names. */
export type JobAccessMode =
  { readonly kind: "agent" } | { readonly kind: "ci_job" } | ({ readonly kind: "impersonate" } & z.output<typeof impersonateSchema>);

/**
 * The one mode of a person's `access_as`.
 *
 * @param accessAs as the main application says it; absent or null means the agent
 * @throws Fault `access_mode_unknown` for anything but exactly one mode we know: taking it for the agent would hand out its rights
 */
export function userAccessModeOf(accessAs: unknown): UserAccessMode {
  const mode = onlyModeOf(accessAs, ["agent", "user"]);
  if (mode.name === "agent") return { kind: "agent" };
  return { kind: "user", ...parsed(userSchema, mode.value) };
}

/** The one mode of a job's `access_as`; otherwise as `userAccessModeOf`. @throws Fault `access_mode_unknown` */
export function jobAccessModeOf(accessAs: unknown): JobAccessMode {
  const mode = onlyModeOf(accessAs, ["agent", "ci_job", "impersonate"]);
  if (mode.name === "impersonate") return { kind: "impersonate", ...parsed(impersonateSchema, mode.value) };
  return { kind: mode.name };
}

function onlyModeOf<N extends string>(
  accessAs: unknown,
  known: readonly (N | "agent")[],
): { readonly name: N | "agent"; readonly value: unknown } {
  if (accessAs === undefined || accessAs === null) return { name: "agent", value: {} };
  if (typeof accessAs !== "object" || Array.isArray(accessAs)) throw unknownMode();
  const given = Object.entries(accessAs).filter(([, value]) => value !== undefined && value !== null);
  const [only] = given;
  const name = known.find((candidate) => candidate === only?.[0]);
  if (name === undefined || only === undefined || given.length > 1) throw unknownMode();
  const value: unknown = only[1];
  if (typeof value !== "object" || Array.isArray(value)) throw unknownMode();
  return { name, value };
}

function parsed<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw unknownMode(result.error);
  return result.data;
}

function unknownMode(cause?: unknown): Fault {
  return new Fault(
    "access_mode_unknown",
    "access_as in the agent's configuration is not a mode that this kas knows; requests are rejected until it is",
    { cause },
  );
}
