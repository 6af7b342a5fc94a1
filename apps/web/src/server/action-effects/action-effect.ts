import type { ActionEffectKind } from "@binnacle/proto/dashboard";
import type { Words } from "@binnacle/words";

/** An effect of an action before it is sent. */
export interface ActionEffect {
  readonly kind: ActionEffectKind;
  readonly words: Words;
  /** In any order. */
  readonly names?: readonly string[];
  readonly isObstacle?: boolean;
}
