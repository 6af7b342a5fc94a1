import { FieldDigests } from "../objects/field-digests.ts";
import { ObjectKeeper } from "../objects/object-keeper.ts";

/** What views of the same objects have in common: each object is cut once, and all of them hold the same one. */
export interface SharedKeeping {
  readonly keeper: ObjectKeeper;
  readonly digests: FieldDigests;
}

/** For informers, and the views that they feed. */
export function openSharedKeeping(): SharedKeeping {
  const digests = new FieldDigests();
  return { digests, keeper: new ObjectKeeper({ customEdges: [], digests, shared: true }) };
}
