import { queryOptions } from "@tanstack/react-query";
import { withPrefix } from "../../ui/path-prefix.ts";
import { queryKeys } from "../queries/query-keys.ts";

/** What `GET /api/session` says. */
export interface SessionInfo {
  /** Name of the main application; empty when it is not known. */
  readonly mainApplication: string;
  /** How the viewer signed in; absent without a session. */
  readonly way?: "cookie" | "token" | "provider" | "password";
  /** What the sign-in page offers: the main application's or a provider's sign-in, or a user name with a password. */
  readonly signIn: "provider" | "password";
  /** Whether the main application has personal access tokens, with which one can sign in beside `signIn`. */
  readonly hasTokens: boolean;
  /** What signs viewers in beside the main application; absent: that does. */
  readonly provider?: string;
  /** The main application made no token for clusters, and the viewer has pasted none. */
  readonly needsClusterToken?: true;
}

/** Reads the answer of `GET /api/session`; what it does not know stays empty. */
export function sessionInfoOf(body: unknown): SessionInfo {
  if (typeof body !== "object" || body === null) return { mainApplication: "", signIn: "provider", hasTokens: true };
  const name = "mainApplication" in body && typeof body.mainApplication === "string" ? body.mainApplication : "";
  const way = "way" in body ? body.way : undefined;
  const signIn = "signIn" in body ? body.signIn : undefined;
  const offered = typeof signIn === "object" && signIn !== null ? signIn : undefined;
  const provider = offered !== undefined && "name" in offered && typeof offered.name === "string" ? offered.name : undefined;
  const isPassword = signIn === "password";
  return {
    mainApplication: name,
    signIn: isPassword ? "password" : "provider",
    hasTokens: !isPassword && !(offered !== undefined && "tokens" in offered && offered.tokens === false),
    ...(way === "cookie" || way === "token" || way === "provider" || way === "password" ? { way } : {}),
    ...(provider === undefined ? {} : { provider }),
    ...("clusterToken" in body && body.clusterToken === "missing" ? { needsClusterToken: true } : {}),
  };
}

/** How the viewer signed in, and where else one can. @param ask gives the body of `GET /api/session` */
export function sessionQuery(ask: (signal: AbortSignal) => Promise<unknown> = askServer) {
  return queryOptions({ queryKey: queryKeys.session, queryFn: async ({ signal }) => sessionInfoOf(await ask(signal)) });
}

async function askServer(signal: AbortSignal): Promise<unknown> {
  const response = await fetch(withPrefix("/api/session"), { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  return response.json();
}
