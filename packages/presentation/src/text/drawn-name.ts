import { shortenMiddle } from "./shorten-middle.ts";

/** As long as a name of Kubernetes may be. */
const MAX_CHARS = 253;

/** Characters that draw nothing themselves: controls, and those that turn the direction of what stands beside them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * A name from a cluster as it may stand in a page: a cluster that lies sends names of any length, and such as turn round or hide
 * the words beside them.
 */
export function drawnName(name: string): string {
  // Cut first, so that not 200,000 characters are searched for each card.
  return shortenMiddle(name, MAX_CHARS).replaceAll(UNSEEN, "\uFFFD");
}
