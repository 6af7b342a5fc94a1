import { createLogger } from "@binnacle/telemetry";
import { HurriedClock } from "@binnacle/testing";
import { decodeJwt } from "jose";
import { afterEach, expect, test } from "vitest";

import { sessionEnded } from "../../base/session-ended.ts";
import { randomSessionKeys, SessionKeyRing } from "../../config/session-keys.ts";
import { signInSchema } from "../../config/sign-in.ts";
import { heldFile } from "../../config/testing/held-file.ts";
import { SignInLimit } from "../../http/sign-in-limit.ts";
import { WITHOUT_GIT } from "../../main-application/capabilities.ts";
import { CredentialNames } from "../../main-application/credential-names.ts";
import type { Credential } from "../../main-application/credential.ts";
import { Secret } from "@binnacle/telemetry";
import type { MainApplication, ViewerAccess } from "../../main-application/main-application.ts";
import { parseCookies } from "../../main-application/credential.ts";
import { CLIENT_ID, CLIENT_SECRET, OidcServer } from "../testing/oidc-server.ts";
import { WebBrowser } from "../testing/web-browser.ts";
import { SessionCookies } from "../session-cookies.ts";
import { OidcSessions } from "./oidc-sessions.ts";
import type { OidcSession } from "./oidc-seal.ts";

const ORIGIN = "http://app.localhost:3000";
const cookieOptions = { secure: false, path: "/" };
const clock = new HurriedClock();

let provider: OidcServer;
afterEach(() => provider.close());

/** A main application that takes ID tokens, of which it knows the subjects that it is given. */
class IdTokenApplication implements MainApplication {
  readonly url = ORIGIN;
  readonly signIn = "oidc";
  readonly capabilities = WITHOUT_GIT;

  open({ credential }: { readonly credential: Credential }): ViewerAccess {
    const viewer = (): Promise<{ username: string; name: string }> => {
      const subject = credential.way === "oidc" ? decodeJwt(credential.idToken.reveal()).sub : undefined;
      return subject === undefined ? Promise.reject(sessionEnded()) : Promise.resolve({ username: subject, name: subject });
    };
    // A sign-in reads the viewer only.
    return { viewer } as unknown as ViewerAccess;
  }
}

/** The endpoints alone, without the rest of web. */
async function openSessions(groups: readonly string[] = []) {
  provider = await OidcServer.start({ callback: `${ORIGIN}/api/session/callback`, signedOut: `${ORIGIN}/sign-in`, groups });
  const { oidc } = signInSchema.parse({ oidc: { issuer: provider.issuer, client_id: CLIENT_ID, scopes: ["openid"] } });
  if (oidc === undefined) throw new Error("it was given");
  const mainApplication = new IdTokenApplication();
  const sessions = new OidcSessions({
    config: { ...oidc, client_secret_file: heldFile(new Secret(CLIENT_SECRET)) },
    externalUrl: ORIGIN,
    pathPrefix: "",
    caCertificate: undefined,
    keys: new SessionKeyRing(randomSessionKeys()),
    cookieOptions,
    mainApplication,
    names: new CredentialNames(),
    limit: new SignInLimit({ clock, refused: () => undefined }),
    accessOf: (of) => mainApplication.open(of),
    endPresent: () => Promise.resolve(),
    over: () => undefined,
    overHere: () => undefined,
    tellPeers: () => undefined,
    clock,
    log: createLogger("web", "silent"),
  });
  const browser = new WebBrowser(new Map());
  const cookies = new SessionCookies(cookieOptions);

  /** Signs in through the provider. @returns where the callback leads, and its cookies */
  async function signIn(): Promise<{ readonly location: string; readonly cookie: string }> {
    const start = await sessions.navigate(new Request(`${ORIGIN}/api/session/start?return_to=%2Fa`), undefined);
    const begun = (start?.headers.getSetCookie() ?? []).map((line) => line.split(";", 1)[0]).join("; ");
    const { url } = await browser.open(start?.headers.get("location") ?? "", (at) => at.startsWith(ORIGIN));
    const answer = await sessions.navigate(new Request(url, { headers: { cookie: begun } }), undefined);
    const cookie = (answer?.headers.getSetCookie() ?? []).map((line) => line.split(";", 1)[0]).join("; ");
    return { location: answer?.headers.get("location") ?? "", cookie };
  }

  /** The session in cookies. */
  async function sessionIn(cookie: string): Promise<OidcSession> {
    const session = await sessions.open(cookies.read(parseCookies(cookie)) ?? "");
    if (session === undefined) throw new Error("there is no session");
    return session;
  }
  return { sessions, signIn, sessionIn };
}

test("the credential is the ID token, and the same credential has the next one after a renewal", async () => {
  const { sessions, signIn, sessionIn } = await openSessions(["team"]);
  const { location, cookie } = await signIn();
  expect(location).toBe("/a");
  const session = await sessionIn(cookie);
  const credential = sessions.credentialOf(session);
  if (credential.way !== "oidc") throw new Error("it is another way");
  const first = credential.idToken.reveal();
  expect(decodeJwt(first)).toMatchObject({ iss: provider.issuer, aud: CLIENT_ID, sub: "ann", groups: ["team"] });
  clock.skip(3_600_000 - 60_000);
  provider.tamper = async (answer, sign) => {
    answer.id_token = await sign({ sub: "ann", exp: Math.floor(Date.now() / 1_000) + 3_600, renewed: true });
  };
  const renewed = await sessions.handle(new Request(`${ORIGIN}/api/session/renew`, { method: "POST", body: "{}" }), session);
  expect(renewed?.status).toBe(200);
  expect(decodeJwt(credential.idToken.reveal())).toMatchObject({ sub: "ann", renewed: true });
  const next = (renewed?.headers.getSetCookie() ?? []).map((line) => line.split(";", 1)[0]).join("; ");
  expect(await sessionIn(next)).toMatchObject({ id: session.id, renewal: 1, expiresAtMs: session.expiresAtMs });
});

test("a provider that renews no ID tokens ends the session with the token: the page signs in again", async () => {
  const { sessions, signIn, sessionIn } = await openSessions();
  const session = await sessionIn((await signIn()).cookie);
  provider.tamper = async (answer) => void delete answer.id_token;
  clock.skip(3_600_000 - 60_000);
  const renew = (body: string) => sessions.handle(new Request(`${ORIGIN}/api/session/renew`, { method: "POST", body }), session);
  expect((await renew("{}"))?.status).toBe(409);
  expect((await renew('{"again":true}'))?.status).toBe(401);
});

test("T88: more than 200 groups are refused in words; what does not fit into three cookies, too", async () => {
  const many = await openSessions(Array.from({ length: 201 }, (_, index) => `g${index}`));
  expect((await many.signIn()).location).toBe("/sign-in?problem=too-many-groups&return_to=%2Fa");
  await provider.close();
  const long = await openSessions(Array.from({ length: 200 }, (_, index) => `${index}-${"g".repeat(60)}`));
  const { location, cookie } = await long.signIn();
  expect(location).toBe("/sign-in?problem=too-large&return_to=%2Fa");
  expect(cookie).not.toContain("_binnacle_session");
});

test("T88: 200 groups of an ordinary length fit", async () => {
  const { signIn, sessionIn } = await openSessions(Array.from({ length: 200 }, (_, index) => `teams/group-${index}`));
  const { location, cookie } = await signIn();
  expect(location).toBe("/a");
  expect(await sessionIn(cookie)).toMatchObject({ subject: "ann" });
});
