import type { Node } from "@binnacle/proto/dashboard";

import { isDeployingTool, kindOfTool, type Deployer } from "../tools/deployer.ts";
import type { DeployedSight } from "../tools/scope-tools.ts";

const APPLICATION = kindOfTool("argocd");

/** The part of a remote view that tools deploy. Their own objects are not here in full: each is read by itself. */
export function remoteDeployed(nodes: () => Iterable<Node>): DeployedSight {
  return {
    deployers() {
      const deployers = new Map<string, Deployer>();
      for (const { managedBy } of nodes()) {
        const tool = managedBy?.direct === true ? toolOf(managedBy.tool) : undefined;
        if (managedBy === undefined || tool === undefined) continue;
        const key = `${tool} ${managedBy.name}`;
        deployers.set(key, { tool, name: managedBy.name, objects: (deployers.get(key)?.objects ?? 0) + 1 });
      }
      return [...deployers.values()];
    },
    objectOf: () => undefined,
    applicationsNamed: (name) =>
      [...nodes()].flatMap(({ ref }) =>
        ref?.kind === APPLICATION.kind && ref.group === APPLICATION.group && ref.name === name ? [ref.namespace] : [],
      ),
  };
}

function toolOf(text: string): Deployer["tool"] | undefined {
  // The marks of a view are those of an inventory tool.
  const tool = text as Parameters<typeof isDeployingTool>[0];
  return isDeployingTool(tool) ? tool : undefined;
}
