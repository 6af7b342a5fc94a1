import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";
import type { Pod } from "@binnacle/proto/kas";
import { PodSchema } from "@binnacle/proto/kas";
import { Fault } from "@binnacle/rpc";
import { z } from "zod";

import type { AgentCall, AgentRouter } from "../agent-call/agent-call.ts";
import type { CallContext } from "../agent-call/call-context.ts";
import { MAKE_REQUEST } from "../kubernetes-api/make-request-method.ts";

const PAGE = "500";
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
/** A cluster has at most 150,000 pods; who says more does not end. */
const MAX_PODS = 500_000;
const ACCEPT = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

const listSchema = z.object({
  metadata: z.object({ continue: z.string().optional() }).default({}),
  items: z.array(z.object({ metadata: z.object({ name: z.string(), namespace: z.string().default("") }) })).nullish(),
});

/** Which pods to list, and through which agent. */
export interface PodListRequest {
  readonly agentId: bigint;
  /** 0: any replica. */
  readonly connectionId: bigint;
  readonly context: CallContext;
  readonly signal: AbortSignal;
}

/**
 * Pods of all namespaces, as agentk itself sees them: names only, in pages.
 *
 * @throws Fault of the router, `cluster_unavailable` when the API server refuses
 */
export async function listPods(router: AgentRouter, request: PodListRequest): Promise<Pod[]> {
  const pods: Pod[] = [];
  let next = "";
  do {
    const page = listSchema.safeParse(jsonOf(await get(router, request, next)));
    if (!page.success) throw new Fault("cluster_unavailable", "the cluster answered something else than a list", { cause: page.error });
    for (const { metadata } of page.data.items ?? []) pods.push(create(PodSchema, { namespace: metadata.namespace, name: metadata.name }));
    if (pods.length > MAX_PODS) throw new Fault("message_too_large", "the pod list is too large");
    next = page.data.metadata.continue ?? "";
  } while (next !== "");
  return pods;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function get(router: AgentRouter, request: PodListRequest, continueToken: string): Promise<string> {
  const header = create(HttpRequestSchema, {
    message: {
      case: "header",
      value: {
        request: {
          method: "GET",
          urlPath: "/api/v1/pods",
          header: { Accept: { value: [ACCEPT] } },
          query: { limit: { value: [PAGE] }, ...(continueToken === "" ? {} : { continue: { value: [continueToken] } }) },
        },
      },
    },
  });
  const trailer = create(HttpRequestSchema, { message: { case: "trailer", value: {} } });
  return new Promise((resolve, reject) => {
    let status = 0;
    let bytes = 0;
    const body: Uint8Array[] = [];
    let call: AgentCall | undefined;
    let failed = false;
    const fail = (error: Fault): void => {
      failed = true;
      reject(error);
      call?.cancel();
    };
    const { agentId, connectionId, context, signal } = request;
    router
      .open(
        { agentId, method: MAKE_REQUEST, context, metadata: new Map(), signal, ...(connectionId === 0n ? {} : { connectionId }) },
        {
          header: () => undefined,
          message(data) {
            if (failed) return;
            let message;
            try {
              ({ message } = fromBinary(HttpResponseSchema, data));
            } catch (cause) {
              return fail(new Fault("cluster_unavailable", "the agent answered something we cannot read", { cause }));
            }
            if (message.case === "header") status = message.value.response?.statusCode ?? 0;
            if (message.case !== "data") return;
            bytes += message.value.data.length;
            if (bytes > MAX_PAGE_BYTES) return fail(new Fault("message_too_large", "a page of the pod list is too large"));
            // The view is only good until this function returns.
            body.push(message.value.data.slice());
          },
          end(result) {
            if (result.code !== 0) reject(new Fault("cluster_unavailable", `the agent could not list pods: ${result.message}`));
            else if (status !== 200) reject(new Fault("cluster_unavailable", `the cluster answered ${status} to the list of pods`));
            else resolve(Buffer.concat(body).toString());
          },
        },
      )
      .then((opened) => {
        call = opened;
        if (failed) return opened.cancel();
        opened.write([toBinary(HttpRequestSchema, header)]);
        opened.write([toBinary(HttpRequestSchema, trailer)]);
        opened.closeSend();
      })
      .catch(reject);
  });
}
