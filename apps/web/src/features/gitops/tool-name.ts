import type { ToolSync } from "@binnacle/proto/dashboard";
import { GitopsTool } from "@binnacle/proto/dashboard-enums";
import { t } from "../../ui/messages.ts";

/** What people call the object of a tool. */
export function toolName(tool: GitopsTool): string {
  switch (tool) {
    case GitopsTool.FLUX_KUSTOMIZATION:
      return "Flux Kustomization";
    case GitopsTool.FLUX_HELM_RELEASE:
      return "Flux HelmRelease";
    case GitopsTool.ARGO_CD_APPLICATION:
      return "Argo CD Application";
    default:
      return t("gitops/another-tool");
  }
}

/** Where the object of a tool is, "flux-system/web"; its name alone where its namespace is not known. */
export function placeOfTool({ namespace, name }: ToolSync): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
