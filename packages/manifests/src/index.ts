export { compareManifest, type ManifestComparison, type ManifestField } from "./compare/compare-manifest.ts";
export { fieldLine } from "./field-lines.ts";
export { manifestAt } from "./manifest-at.ts";
export { roleManifest, type RoleRule } from "./role-manifest.ts";
export { manifestsIn, type ManifestProblem, type ManifestText } from "./manifests-in.ts";
