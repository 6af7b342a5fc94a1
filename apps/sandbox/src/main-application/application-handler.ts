import type { Application } from "./application.ts";
import { compareApi } from "./compare-api.ts";
import { graphqlEndpoint } from "./graphql-endpoint.ts";
import { html } from "./html.ts";
import { jsonReply, type HttpReply, type HttpRequest } from "./http-exchange.ts";
import { internalApi } from "./internal-api.ts";
import { putManyEnvironments } from "./many-environments.ts";
import { pageReply, sessionCookie, STYLE } from "./page-layout.ts";
import { projectPage, projectsPage } from "./project-pages.ts";
import { redirect, signIn, signInPage, signOut } from "./sign-in.ts";
import type { Session } from "./sessions.ts";
import { signedInUser } from "./signed-in-user.ts";

/** Answers one request to the main application's stand-in. */
export async function handleRequest(app: Application, request: HttpRequest): Promise<HttpReply> {
  if (request.path === "/api/graphql") return graphqlEndpoint(app, request);
  const change = CHANGES_OF_TESTS[request.path];
  if (change) return changeForTest(request, () => change(app, request));
  if (request.path === "/-/health") return jsonReply(200, { status: "ok" });
  if (request.path === "/assets/application.css")
    return { status: 200, headers: { "content-type": "text/css; charset=utf-8" }, body: STYLE };
  // Browsers ask for it beside the first page, with the cookie of before a sign-in: no answer to that may set one.
  if (request.path === "/favicon.ico") return { status: 204, headers: { "cache-control": "max-age=86400" } };
  if (request.path.startsWith("/api/"))
    return (await internalApi(app, request)) ?? (await compareApi(app, request)) ?? jsonReply(404, { error: "404 Not Found" });
  return browserPage(app, request);
}

/** What tests do to tokens and environments. */
const CHANGES_OF_TESTS: Readonly<Record<string, (app: Application, request: HttpRequest) => void>> = {
  "/-/sandbox/many-environments": ({ world }, { query }) => putManyEnvironments(world, query),
  "/-/sandbox/revoke-tokens": ({ world }) => world.revokeTokens(),
  "/-/sandbox/revoke-agent-tokens": ({ world }) => world.revokeAgentTokens(true),
  "/-/sandbox/restore-agent-tokens": ({ world }) => world.revokeAgentTokens(false),
};

/** What is answered to those who have no session yet begins one. */
const PUBLIC_PAGES: Readonly<Record<string, (app: Application, request: HttpRequest, session: Session) => HttpReply>> = {
  "GET /users/sign_in": signInPage,
  "POST /users/sign_in": signIn,
  "GET /help/troubleshooting": troubleshootingPage,
};

function browserPage(app: Application, request: HttpRequest): HttpReply {
  const known = app.sessions.find(request.cookies.get("_gitlab_session"));
  const call = `${request.method} ${request.path}`;
  const publicPage = PUBLIC_PAGES[call];
  if (publicPage) return known ? publicPage(app, request, known) : beginSession(app, (session) => publicPage(app, request, session));
  if (call === "POST /users/sign_out") return known ? signOut(app, request, known) : redirect("/users/sign_in");
  if (request.method !== "GET" && request.method !== "HEAD") return { status: 405, headers: { allow: "GET, HEAD" } };
  const user = signedInUser(app, known);
  if (!known || !user) return redirect(`/users/sign_in?return_to=${encodeURIComponent(request.path)}`);
  const viewer = { session: known, user };
  const page = request.path === "/" ? projectsPage(app, viewer) : projectPage(app, viewer, request.path);
  return (
    page ??
    pageReply(
      app,
      {
        ...viewer,
        title: "Not found",
        content: html`<main>
          <h1>404</h1>
          <p>There is no such page, or you may not see it.</p>
        </main>`,
      },
      404,
    )
  );
}

/** Only an answer that begins a session sets its cookie: a late one must not take away that of a sign-in in the meantime. */
function beginSession(app: Application, answer: (session: Session) => HttpReply): HttpReply {
  const session = app.sessions.create();
  const reply = answer(session);
  return { ...reply, headers: { "set-cookie": [sessionCookie(app, session.id)], ...reply.headers } };
}

/** Where the dashboard's two messages lead. */
function troubleshootingPage(app: Application, _request: HttpRequest, session: Session): HttpReply {
  const content = html`<main>
    <h1>Troubleshooting</h1>
    <h2>You don't have access to the agent</h2>
    <p>
      The file <code>.gitlab/agents/&lt;agent&gt;/config.yaml</code> of the agent's project lists under <code>user_access</code> the
      projects whose developers and maintainers may use it. Ask a maintainer of that file.
    </p>
    <h2>There are no resources</h2>
    <p>The environment shows its Kubernetes namespace. Check that something is deployed there.</p>
  </main>`;
  return pageReply(app, { title: "Troubleshooting", session, user: signedInUser(app, session), content });
}

/** For tests only: from loopback, and never for a page in a browser. */
function changeForTest(request: HttpRequest, change: () => void): HttpReply {
  if (request.method !== "POST") return { status: 405, headers: { allow: "POST" } };
  const local = /^(::ffff:)?127\.|^::1$/.test(request.remoteAddress);
  if (!local || request.headers.has("origin") || request.headers.has("sec-fetch-site")) return jsonReply(403, { message: "403 Forbidden" });
  change();
  return { status: 204 };
}
