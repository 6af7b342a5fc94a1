import type { Node } from "@binnacle/proto/dashboard";

import { deployersOf, kindOfTool } from "../scope/deployer.ts";
import type { DeployedSight } from "../tools/scope-tools.ts";

const APPLICATION = kindOfTool("argocd");

/** The part of a remote view that tools deploy. Their own objects are not here in full: each is read by itself. */
export function remoteDeployed(nodes: () => Iterable<Node>): DeployedSight {
  return {
    deployers: () => deployersOf([...nodes()].map(({ managedBy }) => managedBy)),
    objectOf: () => undefined,
    applicationsNamed: (name) =>
      [...nodes()].flatMap(({ ref }) =>
        ref?.kind === APPLICATION.kind && ref.group === APPLICATION.group && ref.name === name ? [ref.namespace] : [],
      ),
  };
}
