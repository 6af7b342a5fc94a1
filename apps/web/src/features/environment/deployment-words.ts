import type { Deployment } from "@binnacle/proto/dashboard";
import { DeploymentGap, DeploymentSource, GitopsTool } from "@binnacle/proto/dashboard-enums";
import { toolName } from "../gitops/tool-name.ts";

/** Why no deployment is told, as a sentence; `undefined` when one is. */
export function gapWords({ gap }: Deployment): string | undefined {
  switch (gap) {
    case DeploymentGap.UNSPECIFIED:
      return undefined;
    case DeploymentGap.NONE:
      return "No deployment yet";
    case DeploymentGap.NOT_KNOWN:
      return "The last deployment is not known: what deploys here does not name a commit";
    case DeploymentGap.NOT_READABLE:
      return "The last deployment could not be read, or not by you";
    case DeploymentGap.NOT_TOLD:
      return "The last deployment is not known: this version of the main application does not tell it";
    default:
      return "The last deployment is not known";
  }
}

/** What was done to the environment: a job deploys, an agent applies. */
export function deedOf({ source, tool, toolObject }: Deployment): string {
  if (tool !== GitopsTool.UNSPECIFIED) return `applied by ${toolName(tool)} ${toolObject}`;
  return source === DeploymentSource.GITOPS ? "applied by GitOps" : "deployed";
}
