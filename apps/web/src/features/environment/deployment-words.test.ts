import { DeliveryState, GitopsSchema, GitopsTool, LastDeploymentSchema, type Gitops } from "@binnacle/proto/dashboard";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { missingDeploymentWords } from "./deployment-words.ts";

const FLUX = { tool: GitopsTool.FLUX_KUSTOMIZATION, namespace: "flux-system", name: "shop" };
const ARGO = { tool: GitopsTool.ARGO_CD_APPLICATION, namespace: "argocd", name: "shop" };
const gitops = (...tools: readonly (typeof FLUX)[]): Gitops => create(GitopsSchema, { tools: [...tools] });

test.each<[string, DeliveryState, Gitops | undefined, string]>([
  ["nothing is deployed", DeliveryState.NONE, undefined, "No deployment yet"],
  ["nothing is known", DeliveryState.UNKNOWN, gitops(), "Deployment not known"],
  ["Flux delivers", DeliveryState.UNKNOWN, gitops(FLUX), "Delivered by Flux Kustomization flux-system/shop; commit not known"],
  [
    "two tools deliver",
    DeliveryState.UNKNOWN,
    gitops(ARGO, FLUX),
    "Delivered by Argo CD Application argocd/shop and 1 more; commit not known",
  ],
  ["it may not be known", DeliveryState.FORBIDDEN, undefined, "Deployment not known to you"],
])("ux-3: in place of a deployment the page says who delivers: %s", (_title, state, tools, sentence) => {
  expect(missingDeploymentWords(create(LastDeploymentSchema, { state }), tools)).toBe(sentence);
});
