import type { Deployment } from "@binnacle/proto/dashboard";
import { DeploymentGap, DeploymentSource, GitopsTool } from "@binnacle/proto/dashboard-enums";
import { toolName } from "../gitops/tool-name.ts";
import { say } from "../../ui/said.ts";

/** Why no deployment is told, as a sentence; `undefined` when one is. */
export function gapWords({ gap }: Deployment): string | undefined {
  switch (gap) {
    case DeploymentGap.UNSPECIFIED:
      return undefined;
    case DeploymentGap.NONE:
      return say("environment/no-deployment-yet");
    case DeploymentGap.NOT_KNOWN:
      return say("environment/last-deployment-not");
    case DeploymentGap.NOT_READABLE:
      return say("environment/last-deployment-could");
    case DeploymentGap.NOT_TOLD:
      return say("environment/last-deployment-not-known");
    default:
      return say("environment/deployment-unknown");
  }
}

/** What was done to the environment: a job deploys, an agent applies. */
export function deedOf({ source, tool, toolObject }: Deployment): string {
  if (tool !== GitopsTool.UNSPECIFIED) return say("environment/applied-by", { toolName: toolName(tool), toolObject });
  return source === DeploymentSource.GITOPS ? say("environment/applied-by-gitops") : say("environment/deployed-deed");
}
