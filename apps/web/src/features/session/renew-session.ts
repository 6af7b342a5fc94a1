import { withPrefix } from "../../ui/path-prefix.ts";

/** How a renewal went: with seconds until the next one, if there is to be one; the session is over; no answer. */
export type Renewal = { readonly kind: "renewed"; readonly nextInSeconds: number | undefined } | { readonly kind: "ended" | "unanswered" };

/** Sends one request for new tokens. @returns `undefined` when there is no answer */
export type AskRenewal = (body: { readonly again?: true }) => Promise<{ readonly status: number; readonly body: unknown } | undefined>;

/** Tabs of one browser take turns: the cookie of the one before is there when the next one asks, so no refresh token is used twice. */
const LOCK = "binnacle renewal";

/** Renews the tokens of this browser's session where they are due. One that is stale is tried once more, with the cookie of then. */
export async function renewSession(ask: AskRenewal = askServer): Promise<Renewal> {
  // Only secure contexts have locks; without them two tabs that ask at once are sorted out by the second try.
  const locks = typeof navigator === "undefined" ? undefined : (navigator as Partial<Navigator>).locks;
  return locks === undefined ? renew(ask) : locks.request(LOCK, () => renew(ask));
}

async function renew(ask: AskRenewal): Promise<Renewal> {
  const first = await ask({});
  const answer = first?.status === 409 ? await ask({ again: true }) : first;
  if (answer === undefined || answer.status >= 500 || answer.status === 429) return { kind: "unanswered" };
  if (answer.status !== 200) return { kind: "ended" };
  const { body } = answer;
  const next = typeof body === "object" && body !== null && "renewInSeconds" in body ? body.renewInSeconds : undefined;
  return { kind: "renewed", nextInSeconds: typeof next === "number" ? next : undefined };
}

async function askServer(body: { readonly again?: true }): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const headers = { "content-type": "application/json", accept: "application/json" };
    const answer = await fetch(withPrefix("/api/session/renew"), { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json().catch(() => undefined) };
  } catch {
    return undefined;
  }
}
