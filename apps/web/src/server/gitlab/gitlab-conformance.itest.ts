import { systemClock } from "@binnacle/rpc";
import { Secret } from "@binnacle/telemetry";
import { describe } from "vitest";

import { HttpDialer } from "../http/http-dialer.ts";
import { CredentialNames } from "../main-application/credential-names.ts";
import type { Credential } from "../main-application/credential.ts";
import { mainApplicationConformance } from "../main-application/testing/conformance.ts";
import { GitlabMainApplication } from "./gitlab.ts";
import { StandInMainApplication } from "./testing/stand-in-main-application.ts";

describe.each<Credential["way"]>(["cookie", "token"])("GitLab by %s", (way) => {
  mainApplicationConformance(async () => {
    const standIn = new StandInMainApplication();
    for (const user of ["maintainer", "developer"]) {
      standIn.sessions.set(`session-${user}`, user);
      standIn.tokens.set(`glpat-${user}`, user);
    }
    const dialer = new HttpDialer({ internalUrl: await standIn.listen(), externalUrl: "http://app.localhost:8080" });
    return {
      application: new GitlabMainApplication(dialer, { names: new CredentialNames(), clock: systemClock }),
      credential: (user) =>
        way === "cookie" ? { way, sessionCookie: new Secret(`session-${user}`) } : { way: "token", token: new Secret(`glpat-${user}`) },
      unknown: [
        { way: "cookie", sessionCookie: new Secret("other") },
        { way: "token", token: new Secret("other") },
        { way: "oidc", idToken: new Secret("a.b.c") },
      ],
      withdraw(user) {
        standIn.sessions.delete(`session-${user}`);
        standIn.tokens.delete(`glpat-${user}`);
      },
      async close() {
        await dialer.close();
        await standIn.close();
      },
    };
  });
});
