import type { Deployment, Gitops, LastDeployment, ToolSync } from "@binnacle/proto/dashboard";
import { DeliveryState, DeploymentSource, GitopsTool } from "@binnacle/proto/dashboard-enums";
import { placeOfTool, toolName } from "../gitops/tool-name.ts";
import { say } from "../../ui/said.ts";

/**
 * The text in place of a deployment: that there is none only where that is known. `undefined` when there is one.
 *
 * @param gitops names the tools that deliver, as far as they are known
 */
export function missingDeploymentWords({ state, value }: LastDeployment, gitops: Gitops | undefined): string | undefined {
  if (value !== undefined) return undefined;
  const [tool] = gitops?.tools ?? [];
  if (tool !== undefined && state === DeliveryState.UNKNOWN) return deliveredBy(tool, gitops);
  switch (state) {
    case DeliveryState.NONE:
      return say("environment/no-deployment-yet");
    case DeliveryState.FORBIDDEN:
      return say("environment/deployment-not-known-to-you");
    default:
      return say("environment/deployment-not-known");
  }
}

function deliveredBy(tool: ToolSync, gitops: Gitops | undefined): string {
  const more = (gitops?.tools.length ?? 1) - 1 + (gitops?.moreTools ?? 0);
  return say("environment/delivered-by", { tool: toolName(tool.tool), object: placeOfTool(tool), more: more || undefined });
}

/** What was done to the environment: a job deploys, an agent applies. */
export function deedOf({ source, tool, toolObject }: Deployment): string {
  if (tool !== GitopsTool.UNSPECIFIED) return say("environment/applied-by", { toolName: toolName(tool), toolObject });
  return source === DeploymentSource.GITOPS ? say("environment/applied-by-gitops") : say("environment/deployed-deed");
}
