import { DeploymentGap, DeploymentSchema, DeploymentSource, type Deployment } from "@binnacle/proto/dashboard";
import { timeField } from "@binnacle/proto/wire-values";
import { create } from "@bufbuild/protobuf";

import { TOOL } from "./to-tool-sync.ts";
import type { DeploymentRecord } from "./deployment-record.ts";

const GAP = {
  none: DeploymentGap.NONE,
  "not-readable": DeploymentGap.NOT_READABLE,
  "not-told": DeploymentGap.NOT_TOLD,
  "not-known": DeploymentGap.NOT_KNOWN,
} as const;

const SOURCE = { ci: DeploymentSource.CI, gitops: DeploymentSource.GITOPS } as const;

/** A deployment for the wire. */
export function toDeployment(deployment: DeploymentRecord): Deployment {
  if (deployment.kind !== "deployed") return create(DeploymentSchema, { gap: GAP[deployment.kind] });
  const { kind: _, source, atMs, byTool, ...texts } = deployment;
  const at = timeField("at", atMs);
  const by = byTool && { tool: TOOL[byTool.tool], toolObject: byTool.object, repository: byTool.repository };
  return create(DeploymentSchema, { ...texts, source: SOURCE[source], ...at, ...by });
}
