import { ByteBudget } from "@binnacle/environment-view";
import { RuleEngine } from "@binnacle/health-lua";
import type { Clock } from "@binnacle/rpc";
import { Secret, type Logger } from "@binnacle/telemetry";

import { safeReturnPath } from "../features/session/safe-return-path.ts";
import type { BffContext } from "./bff-context.ts";
import { CallLimits, type CallBound } from "./call-limits.ts";
import { clientAddressOf } from "./client-address.ts";
import { addressesOf, type WebConfig } from "./config.ts";
import { MAIN_SESSION_COOKIE, parseCookies, type Credential } from "./credential.ts";
import { createDashboardHandler } from "./dashboard-service.ts";
import { HttpDialer } from "./http-dialer.ts";
import { MainApplication } from "./main-application.ts";
import { isSameOrigin } from "./same-origin.ts";
import { SealedStore } from "./sealed-store.ts";
import { SessionStreams } from "./session-streams.ts";
import { SignInLimit, type SignInBound } from "./sign-in-limit.ts";
import { TokenSessions } from "./token-session.ts";
import { ViewRegistry } from "./view-registry.ts";
import { ViewerAccess } from "./viewer-access.ts";
import type { WebMetrics } from "./web-metrics.ts";

/** What the routes of the dashboard ask of the backend-for-frontend. */
export interface Bff {
  /** `dashboard.v1.Dashboard` below `/api/rpc`. */
  rpc(request: Request): Promise<Response>;
  /** `/api/session`, `/api/session/token`, `/api/session/start`. */
  session(request: Request): Promise<Response>;
  /** Whether a request carries a session of either way; whether it is still good is seen when it is used. */
  hasSession(cookieHeader: string | undefined): boolean;
  /** The main application's sign-in that leads back to a path of the dashboard. */
  signInUrl(returnPath: string): string;
  /** Ends live streams: their browsers come back, perhaps to another process. Other calls go on. */
  drain(): void;
  /** Ends calls, views and connections. */
  close(): Promise<void>;
}

/** Everything the BFF is made of. */
export interface BffOptions {
  readonly config: WebConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Pick<WebMetrics, "refused">;
}

const TOKEN_SESSION_SECONDS = 12 * 60 * 60;

/** Builds the backend-for-frontend; nothing is dialled before the first request. */
export function createBff({ config, clock, log, metrics }: BffOptions): Bff {
  const addresses = addressesOf(config);
  const caCertificate = config.ca_certificate_file;
  const mainDialer = new HttpDialer({ ...addresses.mainApplication, caCertificate });
  const kasDialer = new HttpDialer({ ...addresses.kas, caCertificate });
  const mainApplication = new MainApplication(mainDialer);
  const store = new SealedStore({
    key: Buffer.from(config.session.secret_file.reveal(), "base64"),
    clock,
    ttlMs: TOKEN_SESSION_SECONDS * 1000,
  });
  const engine = new RuleEngine({ clock });
  const { argocd_namespace: argocdNamespace, flux, file } = config.health_rules;
  const healthRules = { engine, argocdNamespace, flux, ...(file === undefined ? {} : { file }) };
  const { bytes: viewBytes, process_bytes: processBytes } = config.views;
  const kept = { views: new ByteBudget(processBytes), viewBytes };
  const registry = new ViewRegistry({ clock, log, healthRules, customEdges: config.graph.custom_edges, kept });
  const draining = new AbortController();
  const shutdown = new AbortController();
  const refused = (reason: CallBound | SignInBound): void => {
    metrics.refused(reason);
    log.debug({ reason }, "a request ran into a limit");
  };
  const streams = new SessionStreams();
  const tokens = new TokenSessions({
    store,
    streams,
    limit: new SignInLimit({ clock, refused }),
    accessOf: (credential, clientAddress) => new ViewerAccess({ credential, mainApplication, store, clock, clientAddress }),
    secure: config.external_url.startsWith("https:"),
    ttlSeconds: TOKEN_SESSION_SECONDS,
  });
  const signInUrl = (returnPath: string): string => {
    const url = new URL("/users/sign_in", config.main_application.external_url);
    url.searchParams.set("return_to", new URL(safeReturnPath(returnPath), config.external_url).href);
    return url.href;
  };
  const context: BffContext = {
    clock,
    log,
    registry,
    kasDialer,
    reading: new ByteBudget(processBytes),
    wording: { product: config.main_application.name, troubleshootingUrl: config.main_application.troubleshooting_url },
    signInUrl,
  };
  // A token was pasted on purpose: it wins over whatever session the browser also has.
  const credentialOf = (headers: Headers): (Credential & { readonly id?: string }) | undefined => {
    const session = tokens.sessionOf(headers);
    if (session) return { way: "token", ...session };
    const sessionCookie = parseCookies(headers.get("cookie")).get(MAIN_SESSION_COOKIE);
    return sessionCookie === undefined || sessionCookie === "" ? undefined : { way: "cookie", sessionCookie: new Secret(sessionCookie) };
  };
  const rpc = createDashboardHandler({
    context,
    prefix: "/api/rpc",
    draining: draining.signal,
    shutdown: shutdown.signal,
    limits: new CallLimits(refused),
    streams,
    session: (headers, identified) => {
      const credential = credentialOf(headers);
      if (!credential) return undefined;
      const clientAddress = clientAddressOf(headers);
      const viewerAccess = new ViewerAccess({ credential, mainApplication, store, clock, clientAddress, identified });
      return { viewerAccess, id: credential.id };
    },
  });
  return {
    rpc: async (request) => (isSameOrigin(request.headers, config.external_url) ? rpc(request) : foreignOrigin()),
    session: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const reading = request.method === "GET" || request.method === "HEAD";
      if (pathname === "/api/session/start" && reading) return redirect(signInUrl(searchParams.get("return_to") ?? "/"));
      if (pathname === "/api/session" && reading) {
        const way = credentialOf(request.headers)?.way ?? null;
        return Response.json({ mainApplication: config.main_application.name, way }, { headers: { "cache-control": "no-store" } });
      }
      if (!isSameOrigin(request.headers, config.external_url)) return foreignOrigin();
      return tokens.handle(request);
    },
    hasSession: (cookieHeader) => credentialOf(new Headers(cookieHeader === undefined ? {} : { cookie: cookieHeader })) !== undefined,
    signInUrl,
    drain: () => draining.abort(),
    async close() {
      shutdown.abort();
      await registry.close();
      await engine.close();
      await Promise.all([mainDialer.close(), kasDialer.close()]);
    },
  };
}

function foreignOrigin(): Response {
  return Response.json({ message: "This address answers only to the dashboard's own pages." }, { status: 403 });
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location, "cache-control": "no-store" } });
}
