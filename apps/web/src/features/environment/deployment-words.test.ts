import { DeliveryState, GitopsSchema, GitopsTool, LastDeploymentSchema, type Gitops, type ToolSyncSchema } from "@binnacle/proto/dashboard";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { missingDeploymentWords } from "./deployment-text.tsx";

const FLUX = { tool: GitopsTool.FLUX_KUSTOMIZATION, namespace: "flux-system", name: "shop" };
const ARGO = { tool: GitopsTool.ARGO_CD_APPLICATION, namespace: "argocd", name: "shop" };
const gitops = (...tools: readonly MessageInitShape<typeof ToolSyncSchema>[]): Gitops => create(GitopsSchema, { tools: [...tools] });

test.each<[string, DeliveryState, Gitops | undefined]>([
  ["No deployment yet", DeliveryState.NONE, undefined],
  ["Deployment not known", DeliveryState.UNKNOWN, gitops()],
  ["Delivered by Flux Kustomization flux-system/shop; commit not known", DeliveryState.UNKNOWN, gitops(FLUX)],
  ["Delivered by Argo CD Application argocd/shop and 1 more; commit not known", DeliveryState.UNKNOWN, gitops(ARGO, FLUX)],
  ["Deployment not known to you", DeliveryState.FORBIDDEN, undefined],
])("ux-3: in place of a deployment the page says: %s", (sentence, state, tools) => {
  expect(missingDeploymentWords(create(LastDeploymentSchema, { state }), tools)).toBe(sentence);
});
