import type { Application } from "./application.ts";
import { html, type Html } from "./html.ts";
import type { HttpReply } from "./http-exchange.ts";
import type { Session } from "./sessions.ts";
import type { User } from "./world.ts";

/** A page of the main application's stand-in. */
export interface Page {
  readonly title: string;
  readonly session: Session;
  readonly user: User | undefined;
  readonly content: Html;
}

/** The style sheet of every page, served at `/assets/application.css`. */
export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: light-dark(#d8dce1, #3a404a); --accent: light-dark(#1f5fbf, #8abdf6); }
body { margin: 0; background: light-dark(#f7f8fa, #16191f); color: light-dark(#1d2127, #e6e9ee); }
header { display: flex; gap: 1rem; align-items: center; padding: .6rem 1.5rem; border-bottom: 1px solid var(--line); background: light-dark(#fff, #1d2128); }
header strong { margin-right: auto; } header form { margin: 0; }
main { max-width: 46rem; margin: 2rem auto; padding: 0 1.5rem; }
main.narrow { max-width: 22rem; }
a { color: var(--accent); } h1 { font-size: 1.5rem; }
label { display: block; margin: .8rem 0 .2rem; } input:not([type=hidden]) { width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; }
button { padding: .5rem 1rem; font: inherit; cursor: pointer; } main button { margin-top: 1.2rem; width: 100%; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .5rem; border-bottom: 1px solid var(--line); }
.alert { border: 1px solid light-dark(#941d1a, #f94443); padding: .5rem .8rem; border-radius: .3rem; }
.note { color: light-dark(#5e6670, #8f99a9); font-size: .9rem; }
`;

/** Wraps a page's content. */
export function pageReply(app: Application, page: Page, status = 200): HttpReply {
  const token = app.sessions.csrfToken(page.session);
  const account = page.user
    ? html`<span>${page.user.name} (@${page.user.username})</span>
        <form action="/users/sign_out" method="post">
          <input type="hidden" name="authenticity_token" value="${token}" /><button>Sign out</button>
        </form>`
    : html``;
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="csrf-param" content="authenticity_token" />
        <meta name="csrf-token" content="${token}" />
        <title>${page.title} · Example Company</title>
        <link rel="stylesheet" href="/assets/application.css" />
      </head>
      <body>
        <header>
          <strong><a href="/">Example Company</a></strong> <a href="${app.dashboardUrl}">Dashboard</a> ${account}
        </header>
        ${page.content}
      </body>
    </html> `;
  return {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `style-src 'self'; object-src 'none'; form-action 'self' ${originOf(app.dashboardUrl)}; base-uri 'none'; frame-ancestors 'none'; connect-src 'self' ${originOf(app.kasUrl)} ${originOf(app.kasUrl).replace(/^http/, "ws")}`,
    },
    body: document.text,
  };
}

/** The session's cookie: for the main application's host (any port), unreadable for scripts. */
export function sessionCookie(app: Application, value: string): string {
  return `_gitlab_session=${value}; Path=/; HttpOnly; SameSite=Lax${secureOf(app)}`;
}

/**
 * The cookie for kas's k8s-proxy: sent only below its path; with a Domain only where kas is a subdomain of the main
 * application's host. `value` is escaped here.
 */
export function kasCookie(app: Application, value: string): string {
  const kas = new URL(app.kasUrl);
  const host = new URL(app.externalUrl).hostname;
  const domain = kas.hostname.endsWith(`.${host}`) ? `; Domain=${host}` : "";
  return `_gitlab_kas=${encodeURIComponent(value)}; Path=${kas.pathname}; Max-Age=86400; HttpOnly; SameSite=Lax${domain}${secureOf(app)}`;
}

function secureOf(app: Application): string {
  return app.externalUrl.startsWith("https:") ? "; Secure" : "";
}

function originOf(url: string): string {
  return new URL(url).origin;
}
