import { queryOptions } from "@tanstack/react-query";
import { withPrefix } from "../../ui/path-prefix.ts";
import { tLater } from "../../ui/messages.ts";

/** A token as the list has it: its text is nowhere. */
export interface AccessToken {
  /** Absent: it stands in the organization's files, which pages do not change. */
  readonly id?: string;
  readonly name: string;
  /** ISO 8601; absent: not known. */
  readonly createdAt?: string;
  /** ISO 8601; `null`: never. */
  readonly expiresAt: string | null;
}

/** An agent whose cluster a token opens. */
interface TokenAgent {
  readonly id: number;
  readonly name: string;
  readonly project: string;
}

/** The viewer's tokens, and what they are good for. */
export interface AccessTokenList {
  /** New tokens are stored; else the page shows lines for the organization's file. */
  readonly writable: boolean;
  /** Address of the k8s-proxy. */
  readonly server: string;
  readonly agents: readonly TokenAgent[];
  readonly tokens: readonly AccessToken[];
}

/** A new token. */
export interface CreatedToken {
  readonly token: string;
  /** Absent: it is stored. */
  readonly yaml?: string;
}

const PATH = "/api/session/access-tokens";

/** The list. @throws Error with a sentence for people */
export const accessTokensQuery = queryOptions({
  queryKey: ["access-tokens"],
  // The server's own answer.
  queryFn: async ({ signal }) => (await ask("GET", undefined, signal)) as AccessTokenList,
  retry: false,
});

/** @throws Error with a sentence for people */
export async function createToken(of: { readonly name: string; readonly days: number }): Promise<CreatedToken> {
  return (await ask("POST", of)) as CreatedToken; // the server's own answer
}

/** @throws Error with a sentence for people */
export async function deleteToken(id: string): Promise<void> {
  await ask("DELETE", { id });
}

async function ask(method: string, body?: object, signal?: AbortSignal): Promise<unknown> {
  const init = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  let response: Response;
  try {
    response = await fetch(withPrefix(PATH), { method, signal: signal ?? null, ...init });
  } catch {
    throw new Error(tLater("session/binnacle-unavailable"));
  }
  if (response.status === 204) return undefined;
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const message = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : undefined;
  throw new Error(typeof message === "string" ? message : tLater("session/signing-in-failed", { status: response.status }));
}
