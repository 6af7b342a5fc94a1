import {
  ActionEffectKind,
  ActionKind,
  ActionOutcome,
  ActionRight,
  type ActionParameters,
  type ActRequest,
  type MetadataEntry,
  type ActResponseSchema,
  type PreviewActionRequest,
  type PreviewActionResponseSchema,
  type ReviewActionsRequest,
  type ReviewActionsResponseSchema,
} from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";

import { fixtureEdit } from "./fixture-editor.ts";

const IMAGES = [
  { container: "app", image: "registry.example.com/shop/checkout:1.8.2" },
  { container: "proxy", image: "registry.example.com/mesh/proxy:3.1" },
];
const REPLICAS = 3;
/** As `review-actions.ts` makes it. */
const ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: binnacle-patch-deployments
  namespace: shop-prod
rules:
  - apiGroups:
      - apps
    resources:
      - deployments
    verbs:
      - patch
`;

/** Actions on the made-up world: one that is allowed, one that is not known, one that is refused. Nothing of the world is changed. */
export function fixtureReview({ target }: ReviewActionsRequest): MessageInitShape<typeof ReviewActionsResponseSchema> {
  const kind = target?.ref?.kind;
  if (kind === "StatefulSet" || kind === "DaemonSet") return { actions: [{ kind: ActionKind.RESTART, right: ActionRight.ALLOWED }] };
  if (kind === "Pod") return { actions: [{ kind: ActionKind.DEBUG_CONTAINER, right: ActionRight.ALLOWED }] };
  if (kind !== "Deployment") return {};
  const denied = toWordsMessage(words("action/may-not", { verb: "patch", resource: "deployments", namespace: "shop-prod" }));
  const notKnown = toWordsMessage(words("answer/not-of-api"));
  return {
    actions: [
      { kind: ActionKind.RESTART, right: ActionRight.ALLOWED },
      { kind: ActionKind.SCALE, right: ActionRight.ALLOWED },
      { kind: ActionKind.SET_IMAGE, right: ActionRight.ALLOWED },
      target?.ref?.name === "checkout"
        ? { kind: ActionKind.PAUSE, right: ActionRight.DENIED, words: denied, roleYaml: ROLE }
        : { kind: ActionKind.PAUSE, right: ActionRight.UNSPECIFIED, words: notKnown },
      { kind: ActionKind.EDIT_LABELS, right: ActionRight.ALLOWED },
      { kind: ActionKind.EDIT, right: ActionRight.ALLOWED },
    ],
    images: IMAGES,
    replicas: REPLICAS,
  };
}

const PODS = ["checkout-7c9f8d-x2lq4", "checkout-7c9f8d-p8wzn", "checkout-7c9f8d-9vd5k"];
const EFFECTS = [
  { kind: ActionEffectKind.REPLACED, words: toWordsMessage(words("action/pods-replaced", { count: PODS.length })), names: PODS },
  { kind: ActionEffectKind.NOT_KNOWN, words: toWordsMessage(words("action/quota-unknown", { why: "the cluster did not answer" })) },
];

/** What the fixture's actions would do. */
export function fixturePreview(request: PreviewActionRequest): MessageInitShape<typeof PreviewActionResponseSchema> {
  const { kind, parameters } = request;
  if (kind === ActionKind.EDIT_LABELS) return fixtureLabels(parameters?.entries ?? []);
  const file = "deploy/production/checkout.yaml";
  return {
    uid: "7f1c9f0e-0000-4000-8000-000000000001",
    requestedAt: toTimestamp(Date.now()),
    field: fieldOf(kind, parameters),
    ...(kind === ActionKind.EDIT && fixtureEdit(parameters?.edited ?? "")),
    effects: kind === ActionKind.RESTART || kind === ActionKind.SET_IMAGE ? EFFECTS : [],
    notes: [
      ...(kind === ActionKind.RESTART || kind === ActionKind.SET_IMAGE ? [toWordsMessage(words("action/replaces-pods"))] : []),
      toWordsMessage(words("action/git-reverts", { file, project: "harbor/manifests" })),
    ],
    manifest: { path: file, line: 21, url: "https://gitlab.example.com/harbor/manifests/-/blob/main/deploy/production/checkout.yaml#L21" },
  };
}

const LABELS = [
  { annotation: false, key: "app.kubernetes.io/name", value: "checkout" },
  { annotation: false, key: "tier", value: "frontend" },
  { annotation: true, key: "example.com/owner", value: "shop team" },
];

function fixtureLabels(entries: readonly MetadataEntry[]): MessageInitShape<typeof PreviewActionResponseSchema> {
  const about = { uid: "7f1c9f0e-0000-4000-8000-000000000001", requestedAt: toTimestamp(Date.now()), entries: LABELS };
  if (entries.length === 0) return about;
  const changes = entries.map(({ annotation, key, value = "" }) => {
    const before = LABELS.find((each) => each.annotation === annotation && each.key === key)?.value;
    return { path: `metadata.${annotation ? "annotations" : "labels"}[${key}]`, after: value, ...(before !== undefined && { before }) };
  });
  const text = (of: "before" | "after"): string => changes.map((change) => `${change.path}=${change[of] ?? ""}`).join("\n");
  const notes = entries.some(({ key }) => key === "tier")
    ? [toWordsMessage(words("action/leaves-selector", { key: "tier", kind: "Service", name: "checkout" }))]
    : [];
  return { ...about, field: { path: "metadata", before: text("before"), after: text("after") }, changes, notes };
}

/** 0 replicas are a conflict, and no answer comes to 1 or for a StatefulSet; anything else is done. */
export function fixtureAct({ target, kind, parameters, expected }: ActRequest): MessageInitShape<typeof ActResponseSchema> {
  const field = fieldOf(kind, parameters);
  if (parameters?.replicas === 0) {
    const why = toWordsMessage(words("action/changed", { path: field.path, present: "5", expected: expected ?? "" }));
    return { outcome: ActionOutcome.CONFLICT, words: why, field: { ...field, before: "5" } };
  }
  if (parameters?.replicas === 1 || target?.ref?.kind === "StatefulSet")
    return { outcome: ActionOutcome.UNKNOWN, words: toWordsMessage(words("answer/not-of-api")), field };
  const undo = kind === ActionKind.SCALE ? { undo: kind, undoParameters: { replicas: REPLICAS } } : {};
  return { outcome: ActionOutcome.DONE, field, ...undo };
}

function fieldOf(kind: ActionKind, parameters: ActionParameters | undefined): { path: string; before: string; after: string } {
  const { container = "", image = "", replicas = 0 } = parameters ?? {};
  if (kind === ActionKind.SCALE) return { path: "spec.replicas", before: String(REPLICAS), after: String(replicas) };
  if (kind === ActionKind.SET_IMAGE) {
    const before = IMAGES.find((each) => each.container === container)?.image ?? "";
    return { path: `spec.template.spec.containers[${container}].image`, before, after: image };
  }
  const path = "spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]";
  return { path, before: "2026-01-10T08:00:00.000Z", after: new Date().toISOString() };
}
