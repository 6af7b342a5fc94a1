import { queryOptions } from "@tanstack/react-query";
import { withPrefix } from "../../ui/path-prefix.ts";
import { queryKeys } from "../queries/query-keys.ts";

/** What `GET /api/session` says. */
export interface SessionInfo {
  /** Name of the main application; empty when it is not known. */
  readonly mainApplication: string;
  /** How the viewer signed in; absent without a session. */
  readonly way?: "cookie" | "token" | "oidc";
  /** What the sign-in page offers: the main application's sign-in and tokens, or a user name with a password. */
  readonly signIn: "provider" | "password";
}

/** Reads the answer of `GET /api/session`; what it does not know stays empty. */
export function sessionInfoOf(body: unknown): SessionInfo {
  if (typeof body !== "object" || body === null) return { mainApplication: "", signIn: "provider" };
  const name = "mainApplication" in body && typeof body.mainApplication === "string" ? body.mainApplication : "";
  const way = "way" in body ? body.way : undefined;
  const signIn = "signIn" in body && body.signIn === "password" ? "password" : "provider";
  return { mainApplication: name, signIn, ...(way === "cookie" || way === "token" || way === "oidc" ? { way } : {}) };
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
