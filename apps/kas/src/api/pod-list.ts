import { create } from "@bufbuild/protobuf";
import type { Pod } from "@binnacle/proto/kas";
import { PodSchema } from "@binnacle/proto/kas";
import { Fault } from "@binnacle/rpc";
import { z } from "zod";

import type { CallContext } from "../agent-call/call-context.ts";
import type { HttpExchange, HttpExchangeVia } from "../http-exchange/http-exchange.ts";
import { openHttpExchange } from "../http-exchange/open-http-exchange.ts";

const PAGE = "500";
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
/** A cluster has at most 150,000 pods; a longer list is taken as endless. */
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
export async function listPods(via: HttpExchangeVia, request: PodListRequest): Promise<Pod[]> {
  const pods: Pod[] = [];
  let next = "";
  do {
    const page = listSchema.safeParse(jsonOf(await readPage(via, request, next)));
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

function readPage(via: HttpExchangeVia, request: PodListRequest, continueToken: string): Promise<string> {
  const { agentId, connectionId, context, signal } = request;
  return new Promise((resolve, reject) => {
    const body: Uint8Array[] = [];
    let status = 0;
    let bytes = 0;
    let exchange: HttpExchange | undefined;
    const tooLarge = (): boolean => bytes > MAX_PAGE_BYTES;
    Promise.resolve(
      openHttpExchange(
        via,
        {
          agentId,
          ...(connectionId === 0n ? {} : { connectionId }),
          context,
          signal,
          method: "GET",
          path: "/api/v1/pods",
          query: new URLSearchParams({ limit: PAGE, ...(continueToken === "" ? {} : { continue: continueToken }) }),
          header: { Accept: { value: [ACCEPT] } },
        },
        {
          header: (head) => (status = head.status),
          data(view) {
            bytes += view.length;
            if (!tooLarge()) body.push(view.slice());
            else {
              body.length = 0;
              reject(new Fault("message_too_large", "a page of the pod list is too large"));
              exchange?.cancel();
            }
            return true;
          },
          end() {
            if (status !== 200) reject(new Fault("cluster_unavailable", `the cluster answered ${status} to the list of pods`));
            else resolve(Buffer.concat(body).toString());
          },
          fail: ({ fault }) =>
            reject(new Fault("cluster_unavailable", `the agent could not list pods: ${fault.message}`, { cause: fault })),
        },
      ),
    ).then((opened) => {
      exchange = opened;
      if (tooLarge()) opened.cancel();
    }, reject);
  });
}
