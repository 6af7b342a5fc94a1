import type { ActionOutcome } from "@binnacle/environment-view";
import { fieldsAt, isFields, isKubeObject, listAt, ownsField, splitFieldPath, textAt, type KubeObject } from "@binnacle/kube";
import type { EditFieldSchema, EditPreviewSchema, EditProblemSchema, PreviewActionResponseSchema } from "@binnacle/proto/dashboard";
import { quoted, words, type Words } from "@binnacle/words";
import type { MessageInitShape } from "@bufbuild/protobuf";

import { toSentWords } from "../../base/sent-words.ts";
import type { ActionParameters, ActionPlan } from "../../action-plans/action-plan.ts";
import type { ActionResource } from "../open-action.ts";
import { documentOf, editableObject, isSecret } from "../../action-plans/edit/editable-object.ts";
import { pathOfEdit, type FieldEdit } from "../../action-plans/edit/object-edit.ts";
import type { DocumentProblem } from "../../action-plans/edit/read-document.ts";

/** Fields that are named of one edit. */
export const MAX_FIELDS = 100;
const MAX_PROBLEMS = 50;
const MAX_MANAGERS = 10;
const MAX_CAUSE_CHARS = 500;
/** Entries of an object that are looked at; a few is usual. */
const MAX_ENTRIES = 50;
const OWN_MANAGER = "binnacle";

type Preview = MessageInitShape<typeof PreviewActionResponseSchema>;

/** Whether the object has another document than the one that was edited. */
export function isOutdated({ edit, field }: ActionPlan, { resourceVersion }: ActionParameters): boolean {
  return edit !== undefined && field.before !== resourceVersion && field.before !== field.after;
}

/** The preview of an edit of an outdated document: nothing is sent. */
export function outdatedPreview({ edit }: ActionPlan): Preview {
  return {
    refused: toSentWords(words("edit/changed")),
    edit: { changedSince: true, moreFields: Math.max(0, (edit?.edits.length ?? 0) - MAX_FIELDS) },
  };
}

/** What is wrong with a document that cannot be planned. */
export function problemOf({ problem }: { readonly problem?: DocumentProblem }): Preview {
  return problem === undefined ? {} : { edit: { problems: [toProblem(problem)] } };
}

/** The object that the API server answered with. */
export function writtenBy(outcome: ActionOutcome): KubeObject | undefined {
  return outcome.kind === "done" && isKubeObject(outcome.answer) ? outcome.answer : undefined;
}

/** What an edit would do, as the API server has answered the dry run; nothing for other actions. */
export function editPreview(
  { edit }: ActionPlan,
  { outcome, resource: { kind, object } }: { readonly outcome: ActionOutcome; readonly resource: Pick<ActionResource, "kind" | "object"> },
): { readonly edit?: MessageInitShape<typeof EditPreviewSchema> } {
  if (edit === undefined) return {};
  const { edits, lineOf } = edit;
  const written = writtenBy(outcome);
  const shown = written !== undefined && !isSecret(kind.resource, written) && !isSecret(kind.resource, object) ? written : undefined;
  return {
    edit: {
      ...fieldsOfEdits(edits, object),
      problems: problemsOf(outcome).map(({ path, words: sentence }) =>
        toProblem({ line: path === "" ? 0 : lineOf(stepsOf(path)), path, words: sentence }),
      ),
      warnings: outcome.kind === "done" ? [...outcome.warnings] : [],
      resultYaml: shown === undefined ? "" : documentOf(editableObject(shown, { isMasked: false })),
    },
  };
}

/** Fields of edits with who else manages them in an object. */
export function fieldsOfEdits(
  edits: readonly FieldEdit[],
  object: KubeObject,
): { readonly fields: MessageInitShape<typeof EditFieldSchema>[]; readonly moreFields: number } {
  const owners = ownersOf(object);
  const fields = edits.slice(0, MAX_FIELDS).map((edit) => ({ path: pathOfEdit(edit), managers: [...owners(pathOfEdit(edit))] }));
  return { fields, moreFields: edits.length - fields.length };
}

/** Who manages a field of an object, other than Binnacle. */
export function ownersOf({ metadata }: KubeObject): (path: string) => readonly string[] {
  const entries = listAt(metadata, "managedFields")
    .slice(0, MAX_ENTRIES)
    .map((entry) => ({ manager: textAt(entry, "manager").slice(0, 128), fields: fieldsAt(entry, "fieldsV1") }))
    .filter(({ manager }) => manager !== "" && manager !== OWN_MANAGER);
  return (path) => {
    const parts = splitFieldPath(path);
    const managers = new Set(entries.filter(({ fields }) => ownsField(fields, parts)).map(({ manager }) => manager));
    return [...managers].slice(0, MAX_MANAGERS);
  };
}

/** The causes of an answer 422. Of a patch the real API server quotes all in one cause, behind which strict decoding names the fields. */
function problemsOf(outcome: ActionOutcome): readonly { readonly path: string; readonly words: Words }[] {
  if (outcome.kind !== "refused") return [];
  const { status } = outcome.error;
  const causes = listAt(status?.details, "causes").filter(isFields).slice(0, MAX_PROBLEMS);
  const found = causes.flatMap((cause) => {
    const message = textAt(cause, "message");
    const unknown = unknownFields(message);
    return unknown.length > 0 ? unknown : [{ path: textAt(cause, "field"), words: quoted(message.slice(0, MAX_CAUSE_CHARS)) }];
  });
  return (found.length > 0 ? found : unknownFields(status?.message ?? "")).slice(0, MAX_PROBLEMS);
}

function unknownFields(message: string): { readonly path: string; readonly words: Words }[] {
  const found = message.matchAll(/(?:unknown|duplicate) field "([^"\\]{1,500})"/g);
  return [...found].map(([text, path = ""]) => ({ path, words: quoted(text) }));
}

/** Keys and places of a path as the API server writes it: "spec.containers[0].image", "metadata.labels[a.b/c]". */
function stepsOf(path: string): string[] {
  return [...path.matchAll(/\[([^[\]]*)\]|[^.[\]]+/g)].map(([text, bracketed]) => (bracketed ?? text).replaceAll(/^"|"$/g, ""));
}

function toProblem({ line, path, words: sentence }: DocumentProblem): MessageInitShape<typeof EditProblemSchema> {
  return { line, path, words: toSentWords(sentence) };
}
