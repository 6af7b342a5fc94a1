import type { Reference } from "./reference.ts";

/** A reference and the node that holds it. Compared by identity. */
export interface BoundReference {
  /** Id of the node that holds it. */
  readonly holder: string;
  readonly reference: Reference;
}
