import type { Environment } from "@binnacle/proto/dashboard";

/** What the stream tells of an environment after its header. */
export type ToldLater = Pick<Environment, "deployment"> | Pick<Environment, "gitops">;

/** The environment with what was deployed to it, or applied, since; nothing while nobody knows the environment. */
export function withLater(environment: Environment | undefined, later: ToldLater): { readonly environment?: Environment } {
  return environment === undefined ? {} : { environment: { ...environment, ...later } };
}
