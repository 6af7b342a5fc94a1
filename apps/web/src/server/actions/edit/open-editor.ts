import {
  EditPreference,
  OpenEditorResponseSchema,
  type EditConflictSchema,
  type OpenEditorRequest,
  type OpenEditorResponse,
} from "@binnacle/proto/dashboard";
import { renderEnglish } from "@binnacle/words/render-english";
import { Fault } from "@binnacle/rpc";
import { create, type MessageInitShape } from "@bufbuild/protobuf";

import { recordEvent, type AuditContext } from "../../audit/audit-sink.ts";
import { MessageFault } from "../../base/message-fault.ts";
import type { ViewerAccess } from "../../main-application/main-application.ts";
import { actorOf } from "../../authors/act-as-viewer.ts";
import { levelRefusal, plannedObjectOf, withActionResource, type ActionResource, type ActionContext } from "../open-action.ts";
import { fieldsOfEdits, MAX_FIELDS, ownersOf } from "./edit-preview.ts";
import { documentOf, editableObject, isSecret } from "../../action-plans/edit/editable-object.ts";
import { applyEdits, diffObjects, pathOfEdit, type EditCollision } from "../../action-plans/edit/object-edit.ts";
import { maskRules, readEdits } from "../../action-plans/edit/plan-edit.ts";
import type { IdentitiesContext } from "../../kas/proved-identities.ts";

/** What an editor is opened with: values of a Secret are shown after a record. */
export interface EditorContext extends ActionContext, IdentitiesContext, AuditContext {}

const MAX_VALUE_CHARS = 1000;

/**
 * An object as a document that can be edited; with `base` and `edited` also the object with the viewer's changes; with `base` alone no
 * document, but what has changed since. It is read as the viewer, so a viewer who may not get a Secret gets none, and values that are
 * revealed have a line in the audit.
 *
 * @throws Fault as `withActionResource`; `environment_forbidden` where the operator allows no edits; `invalid_request` for documents that cannot be compared
 */
export async function openEditor(
  context: EditorContext,
  {
    viewerAccess,
    request,
    signal,
  }: { readonly viewerAccess: ViewerAccess | undefined; readonly request: OpenEditorRequest; readonly signal: AbortSignal },
): Promise<OpenEditorResponse> {
  const { target, reveal, base, edited, preference } = request;
  return withActionResource(context, { viewerAccess, target, signal }, async (resource) => {
    const { kind, object, uid } = resource;
    const forbidden = levelRefusal(context, resource, "edit");
    if (forbidden) throw new MessageFault("environment_forbidden", forbidden);
    const ofSecret = isSecret(kind.resource, object);
    const isMasked = ofSecret && !reveal;
    if (ofSecret && reveal) await recordReveal(context, resource);
    const shown = editableObject(object, { isMasked });
    const version = { resourceVersion: object.metadata.resourceVersion ?? "", uid, isMasked };
    const about = { ...version, yaml: documentOf(shown) };
    if (base === "" && edited === "") return create(OpenEditorResponseSchema, about);
    const read = readEdits(plannedObjectOf(resource), { base, edited: edited === "" ? base : edited });
    if ("problem" in read) throw new Fault("invalid_request", renderEnglish(read.problem.words));
    const changed = fieldsOfEdits(diffObjects(read.base, comparable(read.base, resource)), object).fields;
    if (edited === "") return create(OpenEditorResponseSchema, { ...version, changed });
    const overwrites = preference === EditPreference.EDITED;
    const { content } = applyEdits(shown, read.edits, { ...maskRules(resource), overwrites });
    // Without overwriting: what is in conflict, whichever side is kept.
    const { collisions } = applyEdits(shown, read.edits, maskRules(resource));
    return create(OpenEditorResponseSchema, {
      ...about,
      edited: documentOf(content),
      conflicts: conflictsOf(collisions, { resource, ofSecret }),
      changed,
    });
  });
}

/** The object in the form of a document: masked where that is. */
function comparable(base: unknown, { object, kind }: ActionResource): unknown {
  const isMasked = isSecret(kind.resource, object) && JSON.stringify(base).includes("*****");
  return editableObject(object, { isMasked });
}

function conflictsOf(
  collisions: readonly EditCollision[],
  { resource, ofSecret }: { readonly resource: ActionResource; readonly ofSecret: boolean },
): MessageInitShape<typeof EditConflictSchema>[] {
  const owners = ownersOf(resource.object);
  return collisions.slice(0, MAX_FIELDS).map(({ edit, present }) => {
    const path = pathOfEdit(edit);
    const about = { path, managers: [...owners(path)] };
    if (ofSecret) return { ...about, hidden: true };
    return { ...about, ...textIn("before", edit.before), ...textIn("edited", edit.after), ...textIn("present", present) };
  });
}

function textIn<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  if (value === undefined) return {};
  const text = JSON.stringify(value);
  // The computed key is `name`.
  return { [name]: text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text } as Partial<Record<Name, string>>;
}

/** Who has seen the values of which Secret: names, never a value. @throws KubeClientError when the viewer's identity cannot be read */
async function recordReveal(context: EditorContext, resource: ActionResource): Promise<void> {
  const { environment, ref, access, signal } = resource;
  const actor = await actorOf(context, resource, signal);
  const action = { verb: "get", apiGroup: ref.group, resource: ref.resource, namespace: ref.namespace, name: ref.name };
  const purpose = { action: "reveal", project_path: environment.projectPath, environment: environment.name, cluster: actor.cluster };
  recordEvent(context, { actor, agentId: access.agentId }, { event: "complete", action, purpose });
}
