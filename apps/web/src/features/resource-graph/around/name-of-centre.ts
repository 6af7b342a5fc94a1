import { nameOfSelection } from "../../address/name-of-selection.ts";
import type { SelectedNode } from "../../live/selected-node.ts";

/** "Deployment web"; of what was never seen, "deployments/web". */
export function nameOfCentre(selection: string, found: SelectedNode): string {
  const ref = "node" in found ? found.node.ref : undefined;
  return ref === undefined ? nameOfSelection(selection) : `${ref.kind} ${ref.name}`;
}
