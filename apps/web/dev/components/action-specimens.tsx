import { ActionEffectKind, ActionEffectSchema, ActionKind } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";
import type { ReactNode } from "react";
import type { Attempt, AttemptState } from "../../src/features/actions/action-attempt.ts";
import { ActionEffects } from "../../src/features/actions/action-preview.tsx";
import { ActionResult } from "../../src/features/actions/action-result.tsx";
import type { SpecimenGroup } from "./specimen.ts";
import { fixtureStore, In } from "./specimen-store.tsx";

const production = fixtureStore("production");
const nothing = (): void => undefined;
const ACTOR = { confirm: nothing, check: nothing, repeat: nothing };
const WHY = "the cluster did not answer within 30 s";
const PODS = ["checkout-7c9f8d-x2lq4", "checkout-7c9f8d-p8wzn", "checkout-7c9f8d-9vd5k"];

function effect(kind: ActionEffectKind, sentence: Words, more: { names?: string[]; moreNames?: number; isObstacle?: boolean } = {}) {
  return create(ActionEffectSchema, { kind, words: toWordsMessage(sentence), ...more });
}

const EFFECTS = [
  effect(ActionEffectKind.REPLACED, words("action/pods-replaced", { count: 3 }), { names: PODS }),
  effect(ActionEffectKind.REMOVED, words("action/goes-too", { count: 140, kind: "Pod" }), {
    names: Array.from({ length: 20 }, (_, index) => `a-name-made-of-branch-ticket-and-commit-1184-cart-checkout-7c9f8d5b6d-${index}`),
    moreNames: 120,
  }),
  effect(ActionEffectKind.BUDGET, words("action/budget", { name: "checkout", count: 1 })),
  effect(ActionEffectKind.BUDGET, words("action/budget-none-left", { name: "checkout" }), { isObstacle: true }),
  effect(ActionEffectKind.QUOTA, words("action/quota-short", { name: "team", resource: "pods", used: "10", hard: "10", needed: "2" }), {
    isObstacle: true,
  }),
  effect(ActionEffectKind.NOT_KNOWN, words("action/other-dependents-unknown")),
];

const STATES: readonly AttemptState[] = [
  { kind: "sending" },
  { kind: "checking" },
  { kind: "unknown", why: WHY },
  { kind: "not-done" },
  { kind: "changed", field: { path: "spec.replicas", value: "5" } },
  { kind: "refused", why: WHY },
];

function result(state: AttemptState): ReactNode {
  const attempt: Attempt = {
    action: {
      intent: { kind: ActionKind.SCALE, replicas: 1 },
      request: { requestId: "specimen" },
      field: { path: "spec.replicas", before: "3", after: "1" },
      mark: { revision: 0, images: [] },
    },
    state,
    follow: { kind: "settled" },
  };
  const of = { username: "mara", projectPath: "harbor/storefront", environment: "production", id: "specimen" };
  return (
    <In store={production}>
      <div style={{ width: 400 }}>
        <ActionResult of={of} attempt={attempt} node={undefined} actor={ACTOR} onUndo={undefined} />
      </div>
    </In>
  );
}

/** What an action does besides, and what became of it. */
export const actionSpecimens: SpecimenGroup = {
  title: "Actions",
  specimens: [
    { title: "effects of every kind", body: <div style={{ padding: 16 }}>{<ActionEffects effects={EFFECTS} />}</div> },
    ...STATES.map((state) => ({ title: `result, ${state.kind}`, body: result(state) })),
  ],
};
