"use client";
import type { GitopsSync } from "@binnacle/proto/dashboard";
import { ActionKind } from "@binnacle/proto/action-enums";
import { GitopsState } from "@binnacle/proto/dashboard-enums";
import { useState, type ReactNode } from "react";
import { useCommand } from "../../ui/commands.ts";
import { LazyCode, useLazyCode } from "../../ui/lazy-code.ts";
import { tLater } from "../../ui/messages.ts";
import { commitToConsent } from "../gitops/sync-intent.ts";
import { useEnvironmentStore, useView } from "../live/environment-context.tsx";
import { nodeIdOf } from "../live/live-node.ts";
import { takesParameters, textsOf, type ActionIntent } from "./action-intent.ts";
import { useActionResult, type ResultIdentity } from "./action-results.ts";
import type { ActedNode } from "./follow-action.ts";
import { useActionReview } from "./use-action-review.ts";
import { useActor } from "./use-action-calls.ts";

const LAZY_DIALOG = new LazyCode(async () => (await import("./action-dialog.tsx")).ActionDialog);
/** More commands than that are no help in a palette; the card of GitOps has all of them. */
const MAX_SYNCS = 20;

/** A dialog that is open. */
interface OpenDialog {
  readonly sync: GitopsSync;
  readonly intent: ActionIntent;
}

/** What can be requested of the syncs of the environment that is open, in the command palette. */
export function SyncPalette(): ReactNode {
  const { environment, viewer, pause, kept } = useView();
  const [dialog, setDialog] = useState<OpenDialog>();
  const syncs = environment?.delivery?.sync?.value?.syncs ?? [];
  if (environment === undefined || pause !== undefined || kept) return null;
  const of = { username: viewer?.username ?? "", projectPath: environment.projectPath, environment: environment.name };
  return (
    <>
      {syncs
        .filter(({ inventoryName }) => inventoryName !== "")
        .slice(0, MAX_SYNCS)
        .flatMap((sync) =>
          intentsOf(sync).map((intent) => (
            <SyncCommand key={`${sync.project} ${intent.kind}`} sync={sync} intent={intent} run={() => setDialog({ sync, intent })} />
          )),
        )}
      {dialog !== undefined && <SyncDialog {...dialog} of={of} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function SyncCommand({ sync, intent, run }: OpenDialog & { readonly run: () => void }): ReactNode {
  const texts = textsOf(intent.kind);
  const action = texts === undefined ? "" : tLater(texts.confirm);
  const text = action === "" ? "" : tLater("actions/command-of", { action, of: tLater("actions/gitops", { project: sync.project }) });
  useCommand(`sync ${intent.kind} ${sync.inventoryNamespace}/${sync.inventoryName}`, text, run);
  return null;
}

function intentsOf(sync: GitopsSync): readonly ActionIntent[] {
  const commit = commitToConsent(sync);
  const kinds = sync.state === GitopsState.PAUSED ? [ActionKind.RESUME_SYNCS] : [ActionKind.SYNC, ActionKind.PAUSE_SYNCS];
  return [...kinds.map((kind) => ({ kind })), ...(commit === undefined ? [] : [{ kind: ActionKind.CONSENT_PRUNE, commit }])];
}

/** The dialog of an action of the inventory, which need not be in the view. */
function SyncDialog(props: OpenDialog & { readonly of: Omit<ResultIdentity, "id">; readonly onClose: () => void }): ReactNode {
  const { sync, intent, onClose } = props;
  const store = useEnvironmentStore();
  const { code: Dialog } = useLazyCode(LAZY_DIALOG, true);
  const ref = inventoryRef(sync);
  const id = nodeIdOf(ref);
  const node: ActedNode = store.node(id) ?? { id, ref, life: 0, revision: 0, images: [] };
  const of: ResultIdentity = { ...props.of, id };
  const attempt = useActionResult(of);
  const actor = useActor(of);
  const review = useActionReview({ ...of, node }, true);
  const offered = review.answer?.actions.find(({ kind }) => kind === intent.kind);
  if (Dialog === undefined) return null;
  return (
    <Dialog
      of={of}
      node={node}
      intent={intent}
      isComplete={!takesParameters(intent.kind)}
      review={review.answer}
      roleYaml={offered?.roleYaml ?? ""}
      actor={actor}
      attempt={attempt}
      onClose={onClose}
    />
  );
}

function inventoryRef({ inventoryNamespace, inventoryName }: GitopsSync): NonNullable<ActedNode["ref"]> {
  const names = { namespace: inventoryNamespace, name: inventoryName };
  return { $typeName: "dashboard.v1.ResourceRef", group: "", version: "v1", kind: "ConfigMap", resource: "configmaps", ...names };
}
