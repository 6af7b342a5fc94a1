import type { Clock } from "@binnacle/rpc";
import { words } from "@binnacle/words";

import type { ByteBudget } from "../limits/byte-budget.ts";
import { KubeClientError } from "../base/kube-client.ts";
import { apiFailureOf } from "./api-failure.ts";
import type { KubeRequest, KubeResponse, KubeTransport } from "./kube-transport.ts";

/** What sending works with; the budget is shared by all readers of responses. */
export interface Sending {
  readonly transport: KubeTransport;
  readonly budget: ByteBudget;
  readonly clock: Clock;
}

/** The answer to a request when it is none of refusal. @throws KubeClientError */
export async function sendRequest({ transport, budget, clock }: Sending, request: KubeRequest, signal: AbortSignal): Promise<KubeResponse> {
  let response: KubeResponse;
  try {
    response = await transport.request(request, signal);
  } catch (error) {
    if (error instanceof KubeClientError) throw error;
    throw new KubeClientError("connection", words("request/api-silent"), { cause: error });
  }
  if (response.status >= 400) throw await apiFailureOf(response, { budget, clock });
  return response;
}
