import { parseJson } from "@binnacle/kube";
import type { Clock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { words } from "@binnacle/words";
import { z } from "zod";

import { MessageFault } from "../base/message-fault.ts";
import { discard, type DialResponse, type HttpDialer } from "../http/http-dialer.ts";
import type { CreatedProxyToken, ProxyTokens } from "../main-application/main-application.ts";
import { forwardedFor } from "./gitlab-client.ts";

const TIMEOUT_MS = 10_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** What GitLab shows in the viewer's list of tokens. */
const NAME = "Binnacle, for clusters";

const createdSchema = z.object({ id: z.number().int(), token: z.string().min(1) });

/**
 * Personal access tokens of the single scope k8s_proxy, which a viewer's OAuth token may make (GitLab 16.5 and later,
 * `POST /user/personal_access_tokens`). GitLab ends them with a UTC day: with this one, or with the next when less than an hour is left.
 */
export class GitlabProxyTokens implements ProxyTokens {
  readonly #dialer: HttpDialer;
  readonly #clock: Clock;

  constructor(dialer: HttpDialer, clock: Clock) {
    this.#dialer = dialer;
    this.#clock = clock;
  }

  async create(accessToken: Secret, { clientAddress }: { readonly clientAddress: string }): Promise<CreatedProxyToken | undefined> {
    const endsAtMs = Math.floor((this.#clock.now() + HOUR_MS) / DAY_MS + 1) * DAY_MS;
    const body = JSON.stringify({ name: NAME, scopes: ["k8s_proxy"], expires_at: new Date(endsAtMs).toISOString().slice(0, 10) });
    const headers = { "content-type": "application/json", ...bearer(accessToken), ...forwardedFor(clientAddress) };
    const response = await this.#ask({ method: "POST", path: "/api/v4/user/personal_access_tokens", headers, body });
    const { statusCode } = response;
    if (statusCode >= 500 || statusCode === 429) {
      discard(response);
      throw new MessageFault("main_application_unavailable", words("main-application/status", { status: statusCode }));
    }
    const created = createdSchema.safeParse(parseJson(await response.body.text())).data;
    if (statusCode !== 201 || created === undefined) return undefined;
    return { id: String(created.id), token: new Secret(created.token), endsAtMs };
  }

  async revoke(accessToken: Secret, id: string): Promise<void> {
    const path = `/api/v4/personal_access_tokens/${encodeURIComponent(id)}`;
    // It ends by itself with the day.
    await this.#ask({ method: "DELETE", path, headers: bearer(accessToken) }).then(discard, () => undefined);
  }

  async #ask(request: { method: "POST" | "DELETE"; path: string; headers: Record<string, string>; body?: string }): Promise<DialResponse> {
    try {
      return await this.#dialer.request({ ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      throw new MessageFault("main_application_unavailable", words("main-application/silent"), { cause: error });
    }
  }
}

function bearer(accessToken: Secret): Record<string, string> {
  return { authorization: `Bearer ${accessToken.reveal()}` };
}
