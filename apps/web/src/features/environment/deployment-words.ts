import type { Deployment, LastDeployment } from "@binnacle/proto/dashboard";
import { DeliveryState, DeploymentSource, GitopsTool } from "@binnacle/proto/dashboard-enums";
import { toolName } from "../gitops/tool-name.ts";
import { say } from "../../ui/said.ts";

/** What is said in place of a deployment: that there is none only where that is known. `undefined` when there is one. */
export function missingDeploymentWords({ state, value }: LastDeployment): string | undefined {
  if (value !== undefined) return undefined;
  switch (state) {
    case DeliveryState.NONE:
      return say("environment/no-deployment-yet");
    case DeliveryState.FORBIDDEN:
      return say("environment/deployment-not-known-to-you");
    default:
      return say("environment/deployment-not-known");
  }
}

/** What was done to the environment: a job deploys, an agent applies. */
export function deedOf({ source, tool, toolObject }: Deployment): string {
  if (tool !== GitopsTool.UNSPECIFIED) return say("environment/applied-by", { toolName: toolName(tool), toolObject });
  return source === DeploymentSource.GITOPS ? say("environment/applied-by-gitops") : say("environment/deployed-deed");
}
