import type { Deployment, Environment } from "@binnacle/proto/dashboard";

/** The environment with what was deployed to it since; nothing while nobody knows the environment. */
export function withDeployment(environment: Environment | undefined, deployment: Deployment): { readonly environment?: Environment } {
  return environment === undefined ? {} : { environment: { ...environment, deployment } };
}
