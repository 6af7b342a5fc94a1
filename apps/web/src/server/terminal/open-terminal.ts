import { fieldsAt, fieldsOf, listAt, textAt, type KubeObject } from "@binnacle/kube";
import {
  OpenTerminalResponseSchema,
  ResourceRefSchema,
  type OpenTerminalRequest,
  type OpenTerminalResponse,
} from "@binnacle/proto/dashboard";
import { Fault } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import { create } from "@bufbuild/protobuf";

import { debugImageOf, hasTerminal, isProduction, type Features } from "../config/features.ts";
import { withResource, type ResourceContext } from "../resource/with-resource.ts";
import { MessageFault } from "../base/message-fault.ts";
import type { ViewerAccess } from "../main-application/main-application.ts";
import { toSentWords } from "../base/sent-words.ts";
import { whyNotRunning } from "./debug-container.ts";
import { missingExec, reviewExec } from "./exec-right.ts";
import { MAX_TERMINAL_SIZE, type TerminalTickets } from "./terminal-tickets.ts";

/** What terminals are offered with. */
export interface OpenTerminalContext extends ResourceContext {
  /** What the operator allows viewers to do. */
  readonly features: Features;
}

/** Tried in this order. */
const SHELLS = ["bash", "ash", "sh"];
const MAX_CONTAINERS = 100;
/** The annotation that kubectl reads, too (Kubernetes reference, "Well-Known Labels, Annotations and Taints"). */
const DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

/** A call of `OpenTerminal`, with its viewer and its session. */
export interface OpenTerminalCall {
  readonly viewerAccess: ViewerAccess | undefined;
  /** Name of the session that the call comes with; undefined without one. */
  readonly session: string | undefined;
  readonly request: OpenTerminalRequest;
  readonly signal: AbortSignal;
}

/**
 * A ticket for a terminal, or why there is none: no container runs, or the viewer lacks the right to pods/exec, which the cluster
 * authorizes once more when the terminal is opened.
 *
 * @throws Fault as `withResource`; `environment_forbidden` where terminals are switched off; `invalid_request` for a size or a shell that is none
 */
export async function openTerminal(
  context: OpenTerminalContext,
  tickets: Pick<TerminalTickets, "seal">,
  { viewerAccess, session, request, signal }: OpenTerminalCall,
): Promise<OpenTerminalResponse> {
  const { projectPath, namespace, pod, shell } = request;
  const { columns = 0, rows = 0 } = request.size ?? {};
  if (![columns, rows].every((size) => size >= 1 && size <= MAX_TERMINAL_SIZE))
    throw new Fault("invalid_request", `a terminal has 1 to ${MAX_TERMINAL_SIZE} columns and rows`);
  if (shell !== "" && !SHELLS.includes(shell)) throw new Fault("invalid_request", `the shell must be one of ${SHELLS.join(", ")}`);
  const ref = create(ResourceRefSchema, { version: "v1", kind: "Pod", resource: "pods", namespace, name: pod });
  if (namespace === "") throw new Fault("invalid_request", "the namespace of the pod is not named");
  const named = { projectPath, environment: request.environment, ref };
  return withResource(context, { viewerAccess, request: named, signal }, async ({ object, access, environment, viewer }) => {
    if (!hasTerminal(context.features, environment.tier))
      throw new MessageFault("environment_forbidden", words("terminal/off", { environment: environment.name }));
    const containers = runningContainers(object);
    const { uid } = object.metadata;
    // Every object of an API server has one.
    if (uid === undefined) throw new MessageFault("cluster_unavailable", words("answer/not-of-api"));
    const shown = {
      containers,
      production: isProduction(environment.tier),
      recorded: context.features.terminal_recording.directory !== undefined,
      debug: debugImageOf(context.features, environment.tier) !== undefined,
    };
    const container = containers.find(({ name }) => name === (request.container || defaultContainer(object))) ?? containers[0];
    if (container === undefined || (request.container !== "" && container.name !== request.container)) {
      const { why, starting } = request.container === "" ? { why: words("terminal/none-runs") } : whyNotRunning(object, request.container);
      return create(OpenTerminalResponseSchema, { ...shown, starting: starting === true, words: toSentWords(why) });
    }
    const answer = { ...shown, container: container.name };
    const review = await reviewExec(access.client, { namespace, pod }, signal);
    if (review.right === "denied") {
      const missing = missingExec(namespace);
      return create(OpenTerminalResponseSchema, { ...answer, words: toSentWords(missing.words), roleYaml: missing.roleYaml });
    }
    if (review.right === "not-known") return create(OpenTerminalResponseSchema, { ...answer, words: toSentWords(review.why) });
    if (session === undefined) throw new Fault("session_ended", "a terminal needs a session");
    const where = { projectPath, environment: environment.name, namespace, pod, uid, container: container.name };
    const shells = shell === "" ? SHELLS : [shell];
    return create(OpenTerminalResponseSchema, {
      ...answer,
      ticket: await tickets.seal({ session, viewer: viewer.username, ...where, shells, columns, rows }),
    });
  });
}

/** Ephemeral ones last; init containers only while they run, as sidecars do. */
function runningContainers({ status }: KubeObject): { readonly name: string; readonly image: string }[] {
  const of = fieldsOf(status);
  return ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]
    .flatMap((list) => listAt(of, list))
    .filter((each) => fieldsOf(fieldsAt(each, "state"))["running"] !== undefined)
    .slice(0, MAX_CONTAINERS)
    .map((each) => ({ name: textAt(each, "name"), image: textAt(each, "image") }));
}

function defaultContainer({ metadata }: KubeObject): string {
  return metadata.annotations?.[DEFAULT_CONTAINER] ?? "";
}
