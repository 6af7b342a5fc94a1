import type { JsonPatchOperation, KubeChange } from "@binnacle/environment-view";
import { fieldsOf, isFields, listOf, textAt, type KubeObject, type ResourceKind } from "@binnacle/kube";
import { words } from "@binnacle/words";

import type { ActionPlan, PlannedAction, PlannedObject, PlannedRequest } from "../action-plan.ts";
import { jsonPatch, targetOf } from "../field-plans.ts";
import { ARGO_CD, ARGO_ROLLOUTS } from "./argo.ts";
import { FLUX } from "./flux.ts";
import { CERT_MANAGER, EXTERNAL_SECRETS, KEDA } from "./secrets-and-scaling.ts";
import type { ToolAction, ToolActions } from "./tool-action.ts";

const TOOLS: readonly ToolActions[] = [FLUX, ARGO_CD, ARGO_ROLLOUTS, CERT_MANAGER, KEDA, EXTERNAL_SECRETS];

/** An action with its tool. */
export interface OfferedToolAction {
  readonly tool: string;
  readonly action: ToolAction;
}

/** What tools can do to an object as it is now. */
export function toolActionsOf(
  { group, resource }: Pick<ResourceKind, "group" | "resource">,
  object: KubeObject,
): readonly OfferedToolAction[] {
  return TOOLS.flatMap(({ tool, actions }) =>
    actions
      .filter(({ kinds }) => kinds.includes(`${group}/${resource}`))
      .filter((action) => (action.isOffered ? action.isOffered(object) : !isWritten(action, object)))
      .map((action) => ({ tool, action })),
  );
}

/** An action by its id. */
export function toolAction(id: string | undefined): ToolAction | undefined {
  return TOOLS.flatMap(({ actions }) => actions).find((action) => action.id === id);
}

/** A time is always another one. */
function isWritten({ path, write }: ToolAction, object: KubeObject): boolean {
  const present = valueAt(object, path);
  // An absent flag is false.
  return write.kind === "value" && (present === write.value || (present === undefined && write.value === false));
}

/** Writes the one field of an action of a tool. */
export function planTool({ kind, object }: PlannedObject, { parameters, requestedAtMs }: PlannedRequest): PlannedAction {
  const action = toolAction(parameters.toolAction);
  if (action === undefined || !action.kinds.includes(`${kind.group}/${kind.resource}`))
    return { refused: words("action/not-for-kind", { kind: kind.kind }) };
  const { path, reverse } = action;
  const { change, before, after } = writeOf(action, object, new Date(requestedAtMs).toISOString());
  return {
    field: { path: shownPath(path), before, after },
    target: { ...targetOf(kind, object), ...(action.isStatus === true && { subresource: "status" }) },
    change,
    notes: [],
    ...(reverse !== undefined && { undo: { name: "tool", parameters: { toolAction: reverse } } }),
  };
}

interface FieldWrite {
  readonly change: KubeChange;
  readonly before: string | undefined;
  readonly after: string;
}

function writeOf({ path, write }: ToolAction, object: KubeObject, time: string): FieldWrite {
  const present = valueAt(object, path);
  const before = present === undefined ? undefined : textFor(present);
  switch (write.kind) {
    case "removal":
      // A field that was removed and one that was never there look alike.
      return before === undefined
        ? { change: jsonPatch([]), before: NOT_SET, after: NOT_SET }
        : { change: jsonPatch([isSame(object, path), { op: "remove", path: pointer(path) }]), before, after: NOT_SET };
    case "condition": {
      const { type, reason, message } = write;
      const value = { type, status: "True", reason, message, lastTransitionTime: `${time.slice(0, 19)}Z` };
      const index = listOf(present).findIndex((condition) => textAt(condition, "type") === type);
      const item = `${pointer(path)}/${index}`;
      const change =
        present === undefined
          ? merge(path, [value])
          : index < 0
            ? jsonPatch([{ op: "add", path: `${pointer(path)}/-`, value }])
            : jsonPatch([
                { op: "test", path: `${item}/type`, value: type },
                { op: "replace", path: item, value },
              ]);
      const status = textAt(listOf(present)[index], "status");
      return { change, before: status === "" ? undefined : status, after: "True" };
    }
    default: {
      const value = write.kind === "time" ? time : write.value;
      // Controllers read an absent flag as false.
      const shown = before ?? (typeof value === "boolean" ? "false" : undefined);
      return { change: setTo(object, path, value), before: shown, after: textFor(value) };
    }
  }
}

const NOT_SET = "not set";

/**
 * Sets a field with the value that was read as precondition. An absent annotation cannot be tested, so all of them are; an absent flag has one other
 * value. Where the fields around it are absent, too, they are merged, so that none that others create meanwhile are lost.
 */
function setTo(object: KubeObject, path: readonly string[], value: unknown): KubeChange {
  const parent = path.slice(0, -1);
  if (valueAt(object, parent) === undefined) return merge(path, value);
  const isPresent = valueAt(object, path) !== undefined;
  const tests = isPresent ? [isSame(object, path)] : parent.at(-1) === "annotations" ? [isSame(object, parent)] : [];
  return jsonPatch([...tests, { op: "add", path: pointer(path), value }]);
}

function isSame(object: KubeObject, path: readonly string[]): JsonPatchOperation {
  return { op: "test", path: pointer(path), value: valueAt(object, path) };
}

function merge(path: readonly string[], value: unknown): KubeChange {
  const content = path.reduceRight<unknown>((inside, name) => ({ [name]: inside }), value);
  return { verb: "patch", type: "merge", content: fieldsOf(content) };
}

function valueAt(object: KubeObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isFields(value) && Object.hasOwn(value, name) ? value[name] : undefined), object);
}

function pointer(path: readonly string[]): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function shownPath(path: readonly string[]): string {
  return path.map((name, index) => (/^\w+$/.test(name) ? `${index === 0 ? "" : "."}${name}` : `[${name}]`)).join("");
}

function textFor(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value).slice(0, 200);
}

/** The reverse of an action that was performed, for a request that repeats it. */
export function reverseOf(id: string | undefined): ActionPlan["undo"] {
  const reverse = toolAction(id)?.reverse;
  return reverse === undefined ? undefined : { name: "tool", parameters: { toolAction: reverse } };
}
