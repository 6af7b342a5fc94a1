import type { Catalogue } from "../catalogue.ts";

/** The YAML of an object. Facts: at, kind, line, lines, name, total. */
export const YAML = {
  "yaml/copied": "Copied",
  "yaml/copy": "Copy YAML",
  "yaml/download": "Download YAML",
  "yaml/edit": "Edit",
  "yaml/find": "Find in YAML",
  "yaml/folded": "{lines, plural, one {{lines} line} other {{lines} lines}}",
  "yaml/hit": "{at} of {total}",
  "yaml/hit/cut": "{at} of more than {total}",
  "yaml/kept": "YAML is not available",
  "yaml/left-out": "Left out: managed fields and the annotation last-applied-configuration",
  "yaml/line": "Line",
  "yaml/line-field": "Lines that the link leads to, such as 12 or 12-20",
  "yaml/loading": "Loading",
  "yaml/masked": "Values of a Secret, and annotations that may hold one, are masked as *****",
  "yaml/hit-after": "Next hit",
  "yaml/no-hit": "No hit",
  "yaml/no-line": "The link leads to line {line}; there are {total, plural, one {{total} line} other {{total} lines}} now",
  "yaml/none": "There is no object to show",
  "yaml/not-visible": "Objects of this kind are not visible to you",
  "yaml/hit-before": "Previous hit",
  "yaml/region": "YAML of {kind} {name}",
  "yaml/wrap": "Wrap",
} as const satisfies Catalogue;
