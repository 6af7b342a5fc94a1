import { KubeClientError, type ActionOutcome, type Actor } from "@binnacle/environment-view";
import { fieldsAt, KEPT_FIELDS, MAX_KEPT_FIELDS, namespacedKind, textAt, type KubeObject } from "@binnacle/kube";
import { AskGitopsResponseSchema, GitopsAskOutcome, type AskGitopsRequest, type AskGitopsResponse } from "@binnacle/proto/dashboard";
import { toTimestamp } from "@binnacle/proto/wire-values";
import { Fault } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { recordEvent } from "../audit/audit-sink.ts";
import { levelOf, type Features } from "../config/features.ts";
import { MessageFault } from "../base/message-fault.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { actAsViewer, actorOf, type ActingContext } from "../authors/act-as-viewer.ts";
import { toSentWords } from "../base/sent-words.ts";
import { findSync, isMarked, type FoundSync, type FindSyncContext } from "./find-sync.ts";
import { isHeldFor, intentOf, type GitopsIntent } from "../syncs/gitops-intent.ts";
import { annotationOf, objectIntentOf, type ObjectIntent } from "../syncs/object-intent.ts";

/** What requests to sync need. */
export interface AskGitopsContext extends FindSyncContext, ActingContext {
  /** What the operator allows viewers to do. */
  readonly features: Features;
}

/** kas waits so long for an agent that is not there; an API server answers sooner. */
const LIMIT_MS = 30_000;
const CONFIG_MAPS = namespacedKind({ group: "", version: "v1", kind: "ConfigMap", resource: "configmaps" });

const OUTCOME = {
  done: GitopsAskOutcome.WRITTEN,
  refused: GitopsAskOutcome.REFUSED,
  unknown: GitopsAskOutcome.UNKNOWN,
} as const satisfies Record<ActionOutcome["kind"], GitopsAskOutcome>;

/**
 * Asks something of a sync: one annotation of its inventory is written as the viewer, whose right the cluster judges. What it has to say
 * is in the answer.
 *
 * @throws Fault as findSync; `invalid_request` for a request that is not supported; `environment_forbidden` where actions are switched off; `conflict` when the ConfigMap is not the inventory, or nothing waits for this consent
 */
export async function askGitops(
  context: AskGitopsContext,
  { viewerAccess, request }: { readonly viewerAccess: ViewerAccess | undefined; readonly request: AskGitopsRequest },
  signal: AbortSignal,
): Promise<AskGitopsResponse> {
  const requestedAtMs = context.clock.now();
  const intent = objectIntentOf(request);
  const syncIntent = intent === undefined ? intentOf(request, requestedAtMs) : { name: intent.name, annotations: {}, commit: "" };
  if (!syncIntent) throw new Fault("invalid_request", "a sync does not support this request");
  const found = await findSync(context, { viewerAccess, target: request.target }, signal);
  const { tier, name } = found.environment;
  if (levelOf(context.features, tier) === "off")
    throw new MessageFault("environment_forbidden", words("action/off", { environment: name }));
  if (syncIntent.commit !== "" && !isHeldFor(found.sync, syncIntent.commit))
    throw new MessageFault("conflict", words("gitops/nothing-held"));
  const outcome = await write(context, { found, syncIntent, intent }, AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]));
  return create(AskGitopsResponseSchema, {
    outcome: OUTCOME[outcome.kind],
    askedAt: toTimestamp(requestedAtMs),
    ...(outcome.why && { words: toSentWords(outcome.why) }),
  });
}

interface Written {
  readonly kind: ActionOutcome["kind"];
  readonly why?: Words;
}

async function write(
  context: AskGitopsContext,
  {
    found,
    syncIntent,
    intent,
  }: { readonly found: FoundSync; readonly syncIntent: GitopsIntent; readonly intent: ObjectIntent | undefined },
  signal: AbortSignal,
): Promise<Written> {
  const { access, sync, viewer, environment } = found;
  const purpose = {
    wish: syncIntent.name,
    manifest_project: sync.project,
    // Of a consent the one that may prune, of all else the one that the viewer sees.
    commit: syncIntent.commit || (sync.commit?.sha ?? sync.sha),
    ...(intent && { object: intent.object, field: intent.field }),
  };
  let actor: Actor | undefined;
  let inventory: KubeObject;
  try {
    inventory = await readInventory(found, signal);
    actor = await actorOf(context, found, signal);
  } catch (error) {
    if (!(error instanceof KubeClientError)) throw error;
    const { inventoryNamespace: namespace, inventoryName: name } = sync;
    const who = { viewer: viewer.username, clusterUser: "", cluster: environment.agent.name };
    const action = { verb: "patch", apiGroup: "", resource: "configmaps", namespace, name };
    const by = { actor: actor ?? who, agentId: access.agentId };
    const about = { ...purpose, project_path: environment.projectPath, environment: environment.name };
    recordEvent(context, by, { event: "complete", action, purpose: about, dryRun: false, outcome: "not_begun" });
    return { kind: "refused", why: error.words };
  }
  const annotations = intent === undefined ? syncIntent.annotations : annotationsOf(intent, { context, found, inventory });
  const { uid = "", resourceVersion = "" } = inventory.metadata;
  // A change of the object that was read must not overwrite what another client has written meanwhile.
  const version = intent === undefined ? {} : { resourceVersion };
  const target = { kind: CONFIG_MAPS, namespace: sync.inventoryNamespace, name: sync.inventoryName, uid, ...version };
  const change = { verb: "patch", type: "merge", content: { metadata: { annotations } } } as const;
  const outcome = await actAsViewer(
    context,
    { ...found, actor, object: inventory },
    { name: syncIntent.name, target, change, purpose, signal },
  );
  return outcome.kind === "done" ? { kind: "done" } : { kind: outcome.kind, why: outcome.error.words };
}

/** @throws Fault `conflict` when it does not bear the mark that was reported: an agent may report anything @throws KubeClientError */
async function readInventory({ access, sync }: FoundSync, signal: AbortSignal): Promise<KubeObject> {
  const { inventoryNamespace: namespace, inventoryName: name, inventoryId } = sync;
  const inventory = await access.client.get({ kind: CONFIG_MAPS, namespace, name }, signal);
  if (!isMarked(inventory, inventoryId) || inventory.metadata.uid === undefined) {
    throw new MessageFault("conflict", words("gitops/not-marked", { namespace, name }));
  }
  return inventory;
}

/** @throws Fault `not_found` for an object that the inventory does not list; `conflict` when no further field can be kept */
function annotationsOf(
  intent: ObjectIntent,
  { context, found, inventory }: { readonly context: AskGitopsContext; readonly found: FoundSync; readonly inventory: KubeObject },
): GitopsIntent["annotations"] {
  const isListed = Object.hasOwn(fieldsAt(inventory, "data"), intent.object);
  if (!isListed && intent.name !== "undo-keep") throw new MessageFault("not_found", words("gitops/object-not-in-inventory"));
  const annotations = annotationOf(intent, {
    user: found.viewer.username,
    nowMs: context.clock.now(),
    inventory: `${found.sync.inventoryNamespace}/${found.sync.inventoryName}`,
    kept: textAt(inventory.metadata.annotations, KEPT_FIELDS),
    proofs: context.gitops.proofs,
  });
  if (annotations === undefined) throw new MessageFault("conflict", words("gitops/too-many-kept", { count: MAX_KEPT_FIELDS }));
  return annotations;
}
