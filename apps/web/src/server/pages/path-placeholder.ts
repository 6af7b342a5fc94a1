/**
 * Stands in a build where the path prefix of the dashboard will stand: Next fixes its `basePath` when it builds, and which prefix there is
 * is only known at the start (docs/adr/0013-path-prefix-at-start.md). Nothing else may be called so.
 */
export const PATH_PLACEHOLDER = "/__binnacle_path_prefix__";
