import { ActionKind, ActionParametersSchema, OfferedActionSchema, ReviewActionsResponseSchema } from "@binnacle/proto/dashboard";
import { ActionKind as KINDS, ActionPropagation } from "@binnacle/proto/action-enums";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, test } from "vitest";

import { actionKeyOf, intentOf, namesOf, parametersOf, presentIntent, takesParameters, textsOf } from "./action-intent.ts";

const review = create(ReviewActionsResponseSchema, {
  replicas: 3,
  images: [{ container: "app", image: "app:1" }],
  limits: { minReplicas: 2, maxReplicas: 5 },
});
const offered = (init: MessageInitShape<typeof OfferedActionSchema>) => create(OfferedActionSchema, init);

test.each<readonly [MessageInitShape<typeof OfferedActionSchema>, object]>([
  [{ kind: ActionKind.SCALE }, { replicas: 3 }],
  [{ kind: ActionKind.SET_IMAGE }, { container: "app", image: "app:1" }],
  [{ kind: ActionKind.ROLL_BACK }, {}],
  [{ kind: ActionKind.SET_LIMITS }, { minReplicas: 2, maxReplicas: 5 }],
  [{ kind: ActionKind.DELETE }, { propagation: ActionPropagation.BACKGROUND }],
  [{ kind: ActionKind.TOOL, toolAction: "flux/suspend", label: "Suspend", tool: "Flux" }, { toolAction: "flux/suspend" }],
  [{ kind: ActionKind.RESTART }, {}],
])("%j begins with the present values", (action, parameters) => {
  const intent = presentIntent(offered(action), review);
  expect(parametersOf(intent)).toEqual(parameters);
  expect(textsOf(intent.kind)).toBeDefined();
});

test("every action of the contract has its words", () => {
  const { UNSPECIFIED: _, ...kinds } = KINDS;
  expect(Object.entries(kinds).filter(([, kind]) => namesOf(kind) === undefined)).toEqual([]);
  const withoutDialog = Object.entries(kinds).filter(([, kind]) => textsOf(kind) === undefined);
  expect(withoutDialog.map(([name]) => name)).toEqual(["DEBUG_CONTAINER"]);
});

test("actions of tools have keys of their own, and no parameters to fill in", () => {
  expect(actionKeyOf({ kind: ActionKind.TOOL, toolAction: "flux/suspend" })).toBe("flux/suspend");
  expect(actionKeyOf({ kind: ActionKind.SCALE })).toBe("2");
  expect(takesParameters(ActionKind.TOOL)).toBe(false);
});

test("the reverse of an answer keeps its parameters", () => {
  const reverse = intentOf(ActionKind.ROLL_BACK, create(ActionParametersSchema, { revision: 5n }));
  expect(reverse).toEqual({ kind: ActionKind.ROLL_BACK, revision: 5n });
});
