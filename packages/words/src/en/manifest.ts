import type { Catalogue } from "../catalogue.ts";

/** What an object is compared with, and why it is not. Facts: path of a file, project, commit, line, version of an API, name of a tool's object. */
export const MANIFEST = {
  "manifest/not-known": "its manifest is not known, or you may not read its project",
  "manifest/forbidden": "the main application does not show you the code of {project}",
  "manifest/absent": "{path} is not in {project} at {commit}",
  "manifest/too-large": "{path} is larger than 256 KiB: it is not compared",
  "manifest/binary": "{path} is no text",
  "manifest/unanswered": "the main application does not answer: {path} could not be read",
  "manifest/not-there": "at line {line} of {path} at {commit} there is no manifest of this object that can be read",
  "manifest/not-served": "the manifest is of {version}, which the cluster does not serve for this object",
  "manifest/no-source": "nothing in the cluster holds the values that it was applied with",
  "manifest/flux":
    "Flux (Kustomization {name}) uses server-side apply, so the cluster has the names of its fields and not the values from Git",
  "manifest/helm": "Helm (release {name}) has applied it, and its values are in a Secret of the release, which is not read",
  "manifest/argocd":
    "Argo CD (Application {name}) has left no last applied state on it, as with server-side apply: the values from Git are not in the cluster",
  "manifest/last-applied-unreadable": "the annotation {annotation} does not hold a manifest of this object that can be read",
  "manifest/last-applied": "Compared with the state applied last, as annotation {annotation} has it; Git may have changed since",
  "manifest/last-applied-argocd":
    "Compared with the state that Argo CD (Application {name}) applied last, as annotation {annotation} has it; Git may have changed since",
} as const satisfies Catalogue;
