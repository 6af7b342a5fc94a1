/** What `GET /api/session` says. */
export interface SessionInfo {
  /** Name of the main application; empty when it is not known. */
  readonly mainApplication: string;
  /** How the viewer signed in; absent without a session. */
  readonly way?: "cookie" | "token";
}

/** Reads the answer of `GET /api/session`; what it does not know stays empty. */
export function sessionInfoOf(body: unknown): SessionInfo {
  if (typeof body !== "object" || body === null) return { mainApplication: "" };
  const name = "mainApplication" in body && typeof body.mainApplication === "string" ? body.mainApplication : "";
  const way = "way" in body ? body.way : undefined;
  return { mainApplication: name, ...(way === "cookie" || way === "token" ? { way } : {}) };
}

/** Asks the server; nothing when it does not answer. */
export async function fetchSessionInfo(signal: AbortSignal): Promise<SessionInfo | undefined> {
  try {
    const response = await fetch("/api/session", { signal, headers: { accept: "application/json" } });
    return response.ok ? sessionInfoOf(await response.json()) : undefined;
  } catch {
    return undefined;
  }
}
