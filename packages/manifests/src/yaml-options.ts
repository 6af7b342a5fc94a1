import type { DocumentOptions, ParseOptions, SchemaOptions } from "yaml";

/** Tags of YAML 1.1 that Kubernetes' reader does not resolve: `22:30` is a port mapping there and no number, a date stays a text. */
const UNKNOWN_TAGS: ReadonlySet<string> = new Set(["binary", "omap", "pairs", "set", "timestamp"]);

/**
 * YAML as `kubectl` reads it (sigs.k8s.io/yaml): version 1.1, so that `defaultMode: 0644` is octal and `on` is true, without the tags that
 * it leaves out.
 */
export const YAML_OPTIONS: ParseOptions & DocumentOptions & SchemaOptions = {
  version: "1.1",
  // The library compares each key with all before it, which takes minutes for a file of a megabyte; `repeatedKey` does not.
  uniqueKeys: false,
  strict: true,
  // Positions stay offsets; the line is counted by us, in the file.
  prettyErrors: false,
  logLevel: "silent",
  customTags: (tags) =>
    tags.filter(
      (tag) =>
        typeof tag === "string" ||
        (!("format" in tag && tag.format === "TIME") && !UNKNOWN_TAGS.has(tag.tag.slice(tag.tag.lastIndexOf(":") + 1))),
    ),
};
