import { Dashboard } from "@binnacle/proto/dashboard";
import { Logs } from "@binnacle/proto/dashboard-logs";
import { Overview } from "@binnacle/proto/dashboard-overview";
import { createClient, type Client, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

import { pick } from "./endpoints.ts";
import type { Sandbox } from "./sandbox.ts";

/** A session of the dashboard, as a browser has it. */
export interface DashboardSession {
  /** Of the dashboard, "http://host:port". */
  readonly origin: string;
  /** Value of the header. */
  readonly cookie: string;
}

/** Signs in with the user's personal access token. @throws when it is refused */
export async function openSession(sandbox: Sandbox, username: string): Promise<DashboardSession> {
  const { dashboard, users } = sandbox.endpoints;
  const { personalAccessToken } = pick(users, (user) => user.username === username);
  return openSessionAt(new URL(dashboard).origin, personalAccessToken);
}

/** The same at the dashboard of this origin. @throws when it is refused */
export async function openSessionAt(origin: string, personalAccessToken: string): Promise<DashboardSession> {
  const answer = await fetch(`${origin}/api/session/token`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ token: personalAccessToken }),
  });
  if (!answer.ok) throw new Error(`the dashboard refused the token: ${answer.status} ${await answer.text()}`);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return { origin, cookie };
}

/** Signs in with the user's personal access token and talks to the dashboard as the browser does. */
export async function openDashboard(sandbox: Sandbox, username: string): Promise<Client<typeof Dashboard>> {
  return clientOf(await openSession(sandbox, username));
}

/** Talks to the dashboard as a browser with that session does. */
export function clientOf(session: DashboardSession): Client<typeof Dashboard> {
  return createClient(Dashboard, transportOf(session));
}

/** The same for logs. */
export function logsOf(session: DashboardSession): Client<typeof Logs> {
  return createClient(Logs, transportOf(session));
}

/** The same for overviews. */
export function overviewOf(session: DashboardSession): Client<typeof Overview> {
  return createClient(Overview, transportOf(session));
}

function transportOf({ origin, cookie }: DashboardSession): Transport {
  return createConnectTransport({
    baseUrl: `${origin}/api/rpc`,
    httpVersion: "1.1",
    interceptors: [
      (next) => (request) => {
        request.header.set("cookie", cookie);
        request.header.set("origin", origin);
        return next(request);
      },
    ],
  });
}
