import type { ToolActions } from "./tool-action.ts";

const KINDS = [
  "kustomize.toolkit.fluxcd.io/kustomizations",
  "helm.toolkit.fluxcd.io/helmreleases",
  "source.toolkit.fluxcd.io/gitrepositories",
  "source.toolkit.fluxcd.io/ocirepositories",
  "source.toolkit.fluxcd.io/helmrepositories",
  "source.toolkit.fluxcd.io/helmcharts",
  "source.toolkit.fluxcd.io/buckets",
  "image.toolkit.fluxcd.io/imagerepositories",
  "image.toolkit.fluxcd.io/imageupdateautomations",
];

/** `flux reconcile`, `flux suspend` and `flux resume`. @see Flux documentation, "Triggering a reconcile" and "Suspend" of each kind */
export const FLUX: ToolActions = {
  tool: "Flux",
  actions: [
    {
      id: "flux/reconcile",
      label: "Reconcile",
      kinds: KINDS,
      path: ["metadata", "annotations", "reconcile.fluxcd.io/requestedAt"],
      write: { kind: "time" },
    },
    {
      id: "flux/suspend",
      label: "Suspend",
      kinds: KINDS,
      path: ["spec", "suspend"],
      write: { kind: "value", value: true },
      reverse: "flux/resume",
    },
    {
      id: "flux/resume",
      label: "Resume",
      kinds: KINDS,
      path: ["spec", "suspend"],
      write: { kind: "value", value: false },
      reverse: "flux/suspend",
    },
  ],
};
