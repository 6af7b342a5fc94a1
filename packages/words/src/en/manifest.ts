import type { Catalogue } from "../catalogue.ts";

/** Why an object is not compared with its manifest. Facts: path of a file, project, commit, line, version of an API. */
export const MANIFEST = {
  "manifest/not-known": "its manifest is not known, or you may not read its project",
  "manifest/forbidden": "the main application does not show you the code of {project}",
  "manifest/absent": "{path} is not in {project} at {commit}",
  "manifest/too-large": "{path} is larger than 256 KiB: it is not compared",
  "manifest/binary": "{path} is no text",
  "manifest/unanswered": "the main application does not answer: {path} could not be read",
  "manifest/not-there": "at line {line} of {path} at {commit} there is no manifest of this object that can be read",
  "manifest/not-served": "the manifest is of {version}, which the cluster does not serve for this object",
} as const satisfies Catalogue;
