"use client";
import type { EditConflict, EditField, OpenEditorResponse } from "@binnacle/proto/dashboard";
import type { EditPreference } from "@binnacle/proto/action-enums";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { sentenceOfError } from "../../queries/request-error.ts";
import { detailKeys } from "../../queries/detail-keys.ts";
import type { ReviewedResource } from "../use-action-review.ts";
import type { TargetInit } from "../use-action-calls.ts";
import { loadDashboard } from "../../live/load-dashboard.ts";
import { parseSchema, type KindSchema } from "./schema-path.ts";

const LIMIT_MS = 35_000;
/** A rollout changes a workload many times a second; a document may be large. */
const CHECK_EVERY_MS = 5_000;
const NOTHING: readonly EditField[] = [];

/** The document that the viewer edits, as the cluster has it. */
export interface OpenDocument {
  readonly yaml: string;
  readonly resourceVersion: string;
  readonly isMasked: boolean;
  /** The document with the viewer's changes. */
  readonly text: string;
  /** Fields that another writer has changed too, when it was opened. */
  readonly conflicts: readonly EditConflict[];
  /** Another one whenever the text is to be shown anew. */
  readonly serial: number;
  /** Of the resource in the view when it was opened. */
  readonly revision: number;
}

/** What the viewer began with and has made of it. */
interface Changes {
  readonly base: string;
  readonly edited: string;
}

/** How a document is opened. */
interface OpenQuestion {
  readonly changes?: Changes;
  readonly reveal: boolean;
  readonly preference?: EditPreference;
}

/** The document of a resource as far as it has come. */
export interface DocumentState {
  readonly document: OpenDocument | undefined;
  readonly isLoading: boolean;
  /** A sentence. */
  readonly problem: string | undefined;
  /** Fields that have changed since it was opened. */
  readonly changed: readonly EditField[];
  /** Opens it anew, with changes. */
  readonly open: (how: OpenQuestion) => void;
}

/** Opens a resource for editing. @param first changes that it begins with @param node the resource as the view has it */
export function useDocument({ projectPath, environment, node }: ReviewedResource, first: Changes | undefined): DocumentState {
  const target: TargetInit = { projectPath, environment, ...(node.ref && { ref: node.ref }) };
  const [document, setDocument] = useState<OpenDocument>();
  const { mutate, isPending, error } = useMutation({
    networkMode: "always",
    retry: false,
    mutationFn: ({ changes, ...how }: OpenQuestion) => openEditor(target, { ...changes, ...how }),
    onSuccess: ({ yaml, resourceVersion, isMasked, conflicts, edited }, { changes }) =>
      setDocument((before) => {
        const serial = (before?.serial ?? 0) + 1;
        return { yaml, resourceVersion, isMasked, conflicts, serial, revision: node.revision, text: changes === undefined ? yaml : edited };
      }),
  });
  const begin = useEffectEvent(() => mutate({ reveal: false, ...(first && { changes: first }) }));
  useEffect(() => begin(), []);
  const { yaml = "", resourceVersion = "", serial = 0 } = document ?? {};
  // Another revision may be of the status alone, so the changes are requested, at most once for each revision.
  const { revision } = node;
  const { data } = useQuery({
    queryKey: detailKeys.editorChanges({ projectPath, environment, id: node.id, life: node.life }, serial),
    networkMode: "always",
    retry: false,
    enabled: document !== undefined && document.revision !== revision,
    refetchInterval: ({ state }) => (state.data?.revision === revision ? false : CHECK_EVERY_MS),
    queryFn: async () => ({ revision, answer: await openEditor(target, { base: yaml, reveal: false }) }),
  });
  const changed = data === undefined || data.answer.resourceVersion === resourceVersion ? NOTHING : data.answer.changed;
  return { document, isLoading: isPending, problem: sentenceOfError(error), changed, open: mutate };
}

async function openEditor(
  target: TargetInit,
  request: Partial<Changes> & { readonly reveal: boolean; readonly preference?: EditPreference },
): Promise<OpenEditorResponse> {
  return (await loadDashboard()).openEditor({ target, ...request }, { timeoutMs: LIMIT_MS });
}

/** The schema of a resource's kind; `null`: the cluster has none, or it is not known; `undefined`: it has not come yet. */
export function useSchema({ projectPath, environment, node }: ReviewedResource): KindSchema | null | undefined {
  const target: TargetInit = { projectPath, environment, ...(node.ref && { ref: node.ref }) };
  const { data, isError } = useQuery({
    queryKey: detailKeys.schema({ projectPath, environment, id: node.id, life: node.life }),
    networkMode: "always",
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => parseSchema((await (await loadDashboard()).getSchema({ target }, { timeoutMs: LIMIT_MS })).schema) ?? null,
  });
  return isError ? null : data;
}
