import type { Clock } from "@binnacle/rpc";
import type { Logger } from "@binnacle/telemetry";
import { Secret } from "@binnacle/telemetry";

import { ORIGIN } from "../config/testing/stand-in-config.ts";
import { heldFile } from "../config/testing/held-file.ts";
import { signInSchema } from "../config/sign-in.ts";
import { CLIENT_ID, CLIENT_SECRET, OidcServer, type OidcServerOptions } from "../session/testing/oidc-server.ts";
import { WebBrowser } from "../session/testing/web-browser.ts";
import { keyLine, WebProcesses, type WebProcess } from "./web-processes.ts";

/** Host of the dashboard in a browser. */
export const HOST = new URL(ORIGIN).host;
const CALLBACK = `${ORIGIN}/api/session/callback`;

/** A real provider, the stand-in of the main application that accepts its access tokens, and web processes that sign in by it. */
export class OidcWorld {
  readonly web: WebProcesses;
  readonly provider: OidcServer;
  readonly keys: string;
  readonly #scopes: readonly string[];

  private constructor(web: WebProcesses, provider: OidcServer, of: { readonly keys: string; readonly scopes: readonly string[] }) {
    this.web = web;
    this.provider = provider;
    this.keys = of.keys;
    this.#scopes = of.scopes;
  }

  static async open({
    scopes = ["openid", "api"],
    backchannel = false,
    ...options
  }: Pick<OidcServerOptions, "tokenSeconds" | "groups"> & {
    readonly scopes?: readonly string[];
    readonly backchannel?: boolean;
  } = {}): Promise<OidcWorld> {
    const web = await WebProcesses.open();
    const provider = await OidcServer.start({
      callback: CALLBACK,
      signedOut: `${ORIGIN}/sign-in?signed_out=everywhere`,
      issued: (token, account) => web.main.tokens.set(token, account),
      ...(backchannel ? { backchannel: `http://${web.balancer}/api/session/backchannel-logout` } : {}),
      ...options,
    });
    const keys = keyLine();
    web.writeKeys(keys);
    return new OidcWorld(web, provider, { keys, scopes });
  }

  /** Starts one more web process. */
  start({
    issuer = this.provider.issuer,
    ...options
  }: { clock?: Clock; log?: Logger; peers?: readonly string[]; issuer?: string } = {}): Promise<WebProcess> {
    const { oidc } = signInSchema.parse({ oidc: { name: "Example ID", issuer, client_id: CLIENT_ID, scopes: this.#scopes } });
    const signIn = oidc && { oidc: { ...oidc, client_secret_file: heldFile(new Secret(CLIENT_SECRET)) } };
    return this.web.start(this.keys, { ...options, signIn });
  }

  /** A browser that finds the dashboard at a process. */
  browser({ address }: Pick<WebProcess, "address">): WebBrowser {
    return new WebBrowser(new Map([[HOST, address]]));
  }

  /** Signs in, and comes back to an address. @returns where the browser ends, as an address of the dashboard */
  async signIn(browser: WebBrowser, returnTo = "/p/group/app/environments"): Promise<string> {
    const { url } = await browser.open(`${ORIGIN}/api/session/start?return_to=${encodeURIComponent(returnTo)}`);
    return url.replace(ORIGIN, "");
  }

  /** Goes as far as the callback, which is not called. */
  async callback(browser: WebBrowser): Promise<string> {
    const { url } = await browser.open(`${ORIGIN}/api/session/start?return_to=%2Fp%2Fgroup%2Fapp%2Fenvironments`, (at) =>
      at.startsWith(CALLBACK),
    );
    return url;
  }

  async close(): Promise<void> {
    await this.web.close();
    await this.provider.close();
  }
}

/** `GET /api/session` as a page has it. */
export async function sessionOf(browser: WebBrowser): Promise<Record<string, unknown>> {
  // It is ours.
  return (await (await browser.fetch(`${ORIGIN}/api/session`)).json()) as Record<string, unknown>;
}

/** A request of a page of ours. */
export function post(browser: WebBrowser, path: string, body: unknown = {}): Promise<Response> {
  return browser.fetch(`${ORIGIN}${path}`, { method: "POST", headers: { origin: ORIGIN }, body: JSON.stringify(body) });
}
