import { timingSafeEqual } from "node:crypto";

import type { Application } from "./application.ts";
import { html } from "./html.ts";
import type { HttpReply, HttpRequest } from "./http-exchange.ts";
import { pageReply, sessionCookie } from "./page-layout.ts";
import type { Session } from "./sessions.ts";
import type { User } from "./world.ts";

/** `GET /users/sign_in`: the form. */
export function signInPage(app: Application, request: HttpRequest, session: Session): HttpReply {
  return form(app, { session, returnTo: request.query.get("return_to") ?? "", problem: "", status: 200 });
}

/** `POST /users/sign_in`: checks name and password and begins a new session. */
export function signIn(app: Application, request: HttpRequest, session: Session): HttpReply {
  const fields = new URLSearchParams(request.body.toString("utf8"));
  const returnTo = fields.get("return_to") ?? "";
  if (!app.sessions.isCsrfToken(session, fields.get("authenticity_token") ?? undefined)) {
    return form(app, { session, returnTo, problem: "The form has expired. Please try again.", status: 422 });
  }
  const user = app.world.users.find((candidate) => candidate.username === fields.get("user[login]"));
  if (!user || !isPassword(user, fields.get("user[password]") ?? "")) {
    return form(app, { session, returnTo, problem: "Invalid login or password.", status: 422 });
  }
  app.sessions.destroy(session);
  const signedIn = app.sessions.create(user.id);
  return redirect(safeReturnTo(app, returnTo), [sessionCookie(app, signedIn.id)]);
}

/** `POST /users/sign_out`. */
export function signOut(app: Application, request: HttpRequest, session: Session): HttpReply {
  const fields = new URLSearchParams(request.body.toString("utf8"));
  const token = request.headers.get("x-csrf-token") ?? fields.get("authenticity_token") ?? undefined;
  if (!app.sessions.isCsrfToken(session, token))
    return { status: 422, body: "The form has expired.", headers: { "content-type": "text/plain" } };
  app.sessions.destroy(session);
  return redirect("/users/sign_in", [`${sessionCookie(app, "")}; Max-Age=0`]);
}

/** Sends the browser elsewhere with GET. */
export function redirect(location: string, cookies: readonly string[] = []): HttpReply {
  return { status: 302, headers: { location, "set-cookie": [...cookies] } };
}

/**
 * Where a sign-in may lead: the dashboard, or a path of the main application itself.
 *
 * @returns "/" for every other address
 */
function safeReturnTo(app: Pick<Application, "dashboardUrl" | "externalUrl">, address: string): string {
  const own = new URL(app.externalUrl);
  if (!URL.canParse(address, own.href)) return "/";
  const url = new URL(address, own);
  if (url.username !== "" || url.password !== "") return "/";
  if (url.origin === new URL(app.dashboardUrl).origin) return url.href;
  return url.origin === own.origin ? url.pathname + url.search : "/";
}

function form(app: Application, view: { session: Session; returnTo: string; problem: string; status: number }): HttpReply {
  const problem = view.problem === "" ? html`` : html`<p class="alert" role="alert">${view.problem}</p>`;
  const content = html`<main class="narrow">
    <h1>Sign in</h1>
    ${problem}
    <form action="/users/sign_in" method="post">
      <input type="hidden" name="authenticity_token" value="${app.sessions.csrfToken(view.session)}" />
      <input type="hidden" name="return_to" value="${view.returnTo}" />
      <label for="user_login">Username</label>
      <input id="user_login" name="user[login]" autocomplete="username" autofocus required />
      <label for="user_password">Password</label>
      <input id="user_password" name="user[password]" type="password" autocomplete="current-password" required />
      <button type="submit">Sign in</button>
    </form>
    <p class="note">The sandbox printed the passwords when it started; they are in its endpoints.json too.</p>
  </main>`;
  return pageReply(app, { title: "Sign in", session: view.session, user: undefined, content }, view.status);
}

function isPassword(user: User, password: string): boolean {
  const [given, right] = [Buffer.from(password), Buffer.from(user.password)];
  return given.length === right.length && timingSafeEqual(given, right);
}
