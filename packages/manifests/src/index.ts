export { compareManifest, type ManifestComparison, type ManifestField } from "./compare/compare-manifest.ts";
export { fieldLine } from "./field-lines.ts";
export { manifestAt, manifestsIn, type ManifestProblem, type ManifestText } from "./manifests-in.ts";
export { roleManifest, type RoleRule } from "./role-manifest.ts";
