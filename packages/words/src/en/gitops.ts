import type { Catalogue } from "../catalogue.ts";

/** Why nobody can say how another tool's sync stands. */
export const GITOPS = {
  "gitops/leaving": "It is being deleted",
  "gitops/not-observed": "Its status speaks of an older specification",
  "gitops/silent": "Its status does not say how it stands",
  "gitops/half": "What it tried last is not what it applied last",
  "gitops/unread": "It has not been read yet",
  "gitops/unreadable": "{kind} {place} could not be read",
  "gitops/forbidden": "You may not read {kind} {place}",
  "gitops/absent": "There is no {kind} {place}",
  "gitops/unserved": "The cluster does not serve {kind} of {group}",
} as const satisfies Catalogue;
