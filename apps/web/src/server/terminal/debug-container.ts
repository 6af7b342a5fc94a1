import { randomInt } from "node:crypto";

import type { ActionOutcome as WriteOutcome } from "@binnacle/environment-view";
import { fieldsAt, fieldsOf, listAt, textAt, type KubeObject } from "@binnacle/kube";
import {
  ActionOutcome,
  AddDebugContainerResponseSchema,
  PreviewDebugContainerResponseSchema,
  ResourceRefSchema,
  type AddDebugContainerRequest,
  type AddDebugContainerResponse,
  type PreviewDebugContainerRequest,
  type PreviewDebugContainerResponse,
} from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { quoted, words, type Words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { debugImageOf, isProduction, type Features } from "../config/features.ts";
import { withResource, type OpenResource, type ResourceContext } from "../resource/with-resource.ts";
import { MessageFault } from "../base/message-fault.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { missingRight, reviewAccess } from "../kas/access-review.ts";
import { actAsViewer, type ActingContext } from "../authors/act-as-viewer.ts";
import { toSentWords } from "../base/sent-words.ts";
import { PODS } from "./exec.ts";

/** What debug containers are added with. */
export interface DebugContext extends ResourceContext, ActingContext {
  /** What the operator allows viewers to do. */
  readonly features: Features;
}

/** An API server answers sooner; kas waits this long for an agent that is not there. */
const LIMIT_MS = 30_000;
const NAME = /^debug-[a-z0-9]{5}$/;
/** No vowels, so that no name is a word, as in names that the API server generates. */
const LETTERS = "bcdfghjklmnpqrstvwxz2456789";
/** Containers that have not begun: their start is no failure. */
const BEGINNING = new Set(["", "ContainerCreating", "PodInitializing"]);

/** A call about a debug container. */
interface DebugCall<T> {
  readonly viewerAccess: ViewerAccess | undefined;
  readonly request: T;
  readonly signal: AbortSignal;
}

/** The pod, and the image that its environment offers. */
interface DebugPod extends OpenResource {
  readonly uid: string;
  readonly offered: string;
  readonly signal: AbortSignal;
}

/**
 * The container that would be added to a pod: named and tried by a dry run, so that admission and the viewer's rights have been applied.
 *
 * @throws Fault as `withResource`; `environment_forbidden` where none are offered; `not_found` for a container that the pod has not
 */
export function previewDebugContainer(
  context: DebugContext,
  call: DebugCall<PreviewDebugContainerRequest>,
): Promise<PreviewDebugContainerResponse> {
  const { request } = call;
  return withDebugPod(context, call, async (pod) => {
    const { access, environment, ref, uid, offered: image, signal } = pod;
    const seconds = Math.floor(context.features.terminal_session.max_duration / 1_000);
    const shown = { image, uid, seconds, needsName: isProduction(environment.tier) };
    const attributes = { verb: "patch", group: "", version: "v1", resource: "pods", subresource: "ephemeralcontainers" };
    const review = await reviewAccess(access.client, { ...attributes, namespace: ref.namespace, name: ref.name }, signal);
    if (review.right === "denied") {
      const missing = missingRight(attributes, ["patch"], ref.namespace);
      return create(PreviewDebugContainerResponseSchema, { ...shown, refused: toSentWords(missing.words), roleYaml: missing.roleYaml });
    }
    if (review.right === "not-known") return create(PreviewDebugContainerResponseSchema, { ...shown, refused: toSentWords(review.why) });
    const name = newName(pod.object);
    const outcome = await add(context, pod, { name, target: request.container, seconds, dryRun: true });
    const refused = outcome.kind === "done" ? {} : { refused: toSentWords(outcome.error.words) };
    return create(PreviewDebugContainerResponseSchema, { ...shown, name, ...refused });
  });
}

/**
 * Adds the container of a preview, through the function and with the audit line of every action. The same request adds it once.
 *
 * @throws Fault as `previewDebugContainer`; `invalid_request` for a name that no preview has
 */
export function addDebugContainer(context: DebugContext, call: DebugCall<AddDebugContainerRequest>): Promise<AddDebugContainerResponse> {
  const { request } = call;
  if (!NAME.test(request.name)) throw new Fault("invalid_request", "the name of a debug container is that of its preview");
  const refused = (why: Words): AddDebugContainerResponse =>
    create(AddDebugContainerResponseSchema, { outcome: ActionOutcome.REFUSED, words: toSentWords(why) });
  return withDebugPod(context, call, async (pod) => {
    if (pod.uid !== request.uid || pod.offered !== request.image) return refused(words("terminal/debug/changed"));
    if (isProduction(pod.environment.tier) && request.typedName !== pod.ref.name) return refused(words("action/name-not-typed"));
    const seconds = Math.floor(context.features.terminal_session.max_duration / 1_000);
    const outcome = await add(context, pod, { name: request.name, target: request.container, seconds, dryRun: false });
    if (outcome.kind === "done") return create(AddDebugContainerResponseSchema, { outcome: ActionOutcome.DONE });
    if (outcome.kind === "refused") return refused(outcome.error.words);
    return create(AddDebugContainerResponseSchema, { outcome: ActionOutcome.UNKNOWN, words: toSentWords(outcome.error.words) });
  });
}

/** Why a container does not run, in the cluster's words, and whether it may run soon. */
export function whyNotRunning({ spec, status }: KubeObject, container: string): { readonly why: Words; readonly starting?: boolean } {
  const find = (lists: readonly string[], of: unknown) =>
    lists.flatMap((list) => listAt(fieldsOf(of), list)).find((each) => textAt(each, "name") === container);
  const shown = find(["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"], status);
  const { waiting, terminated } = fieldsAt(shown, "state");
  if (terminated !== undefined) {
    const why = textAt(terminated, "message") || textAt(terminated, "reason");
    return { why: words("terminal/debug/ended", { container, why: quoted(why) }) };
  }
  const isAdded = shown === undefined && find(["ephemeralContainers"], spec) !== undefined;
  if (waiting === undefined && !isAdded) return { why: words("terminal/container-not-running", { container }) };
  const [reason, message] = [textAt(waiting, "reason"), textAt(waiting, "message")];
  if (BEGINNING.has(reason)) return { why: words("terminal/debug/starting", { container }), starting: true };
  const why = message === "" ? reason : `${reason}: ${message}`;
  return { why: words("terminal/debug/waits", { container, why: quoted(why) }), starting: true };
}

/** @throws Fault as `previewDebugContainer` */
function withDebugPod<T>(
  context: DebugContext,
  { viewerAccess, request, signal }: DebugCall<PreviewDebugContainerRequest | AddDebugContainerRequest>,
  work: (pod: DebugPod) => Promise<T>,
): Promise<T> {
  const { projectPath, environment, namespace, pod: name, container } = request;
  if (namespace === "") throw new Fault("invalid_request", "the namespace of the pod is not named");
  const ref = create(ResourceRefSchema, { version: "v1", kind: "Pod", resource: "pods", namespace, name });
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]);
  const question = { viewerAccess, request: { projectPath, environment, ref }, signal: inTime };
  return withResource(context, question, async (resource) => {
    const offered = debugImageOf(context.features, resource.environment.tier);
    if (offered === undefined)
      throw new MessageFault("environment_forbidden", words("terminal/debug/not-offered", { environment: resource.environment.name }));
    const { uid } = resource.object.metadata;
    // Every object of an API server has one.
    if (uid === undefined) throw new MessageFault("cluster_unavailable", words("answer/not-of-api"));
    const isThere = listAt(fieldsAt(resource.object, "spec"), "containers").some((each) => textAt(each, "name") === container);
    if (!isThere) throw new MessageFault("not_found", words("terminal/container-not-running", { container }));
    return work({ ...resource, uid, offered, signal: inTime });
  });
}

/**
 * Its program waits for as long as a terminal may last, and ends at once with its pod: shells run beside it. `sh` is what a terminal needs of its image anyway.
 */
function add(
  context: DebugContext,
  pod: DebugPod,
  debug: { readonly name: string; readonly target: string; readonly seconds: number; readonly dryRun: boolean },
): Promise<WriteOutcome> {
  const { ref, uid, offered: image, signal } = pod;
  const { name, target: targetContainerName, seconds, dryRun } = debug;
  const command = ["sh", "-c", `trap 'exit 0' TERM; sleep ${seconds} & wait`];
  const content = { spec: { ephemeralContainers: [{ name, image, command, targetContainerName }] } };
  const target = { kind: PODS, namespace: ref.namespace, name: ref.name, subresource: "ephemeralcontainers", uid };
  const change = { verb: "patch", type: "strategic", content } as const;
  const action = "debug-container";
  return actAsViewer(context, pod, { name: action, target, change, dryRun, purpose: { action, container: name, image }, signal });
}

/** One that no container of the pod has. */
function newName({ spec }: KubeObject): string {
  const of = fieldsOf(spec);
  const names = ["containers", "initContainers", "ephemeralContainers"]
    .flatMap((list) => listAt(of, list))
    .map((each) => textAt(each, "name"));
  for (;;) {
    const name = `debug-${Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join("")}`;
    if (!names.includes(name)) return name;
  }
}
