import type { HealthRef } from "../../health-result.ts";

/** Who writes the status of custom kinds that many clusters have, by group, else by group and kind. It names only, and judges nothing. */
const CONTROLLERS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "helm.toolkit.fluxcd.io": "helm-controller",
    "kustomize.toolkit.fluxcd.io": "kustomize-controller",
    "source.toolkit.fluxcd.io": "source-controller",
    "notification.toolkit.fluxcd.io": "notification-controller",
    "image.toolkit.fluxcd.io/ImageUpdateAutomation": "image-automation-controller",
    "image.toolkit.fluxcd.io/ImageRepository": "image-reflector-controller",
    "image.toolkit.fluxcd.io/ImagePolicy": "image-reflector-controller",
    "argoproj.io/Application": "argocd-application-controller",
    "argoproj.io/ApplicationSet": "argocd-applicationset-controller",
    "argoproj.io/Rollout": "argo-rollouts",
    "argoproj.io/Workflow": "workflow-controller",
    "cert-manager.io": "cert-manager",
    "acme.cert-manager.io": "cert-manager",
    "external-secrets.io": "external-secrets",
    "keda.sh": "keda-operator",
    "monitoring.coreos.com": "prometheus-operator",
    "postgresql.cnpg.io": "cloudnative-pg",
  }),
);

/** Name of the controller that writes the status of a kind; absent = nobody knows. */
export function controllerOf({ group, kind }: Pick<HealthRef, "group" | "kind">): string | undefined {
  return CONTROLLERS.get(`${group}/${kind}`) ?? CONTROLLERS.get(group);
}
