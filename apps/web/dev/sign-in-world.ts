/**
 * The built dashboard with sign-in by a real OpenID Connect provider (npm `oidc-provider`), and stand-ins of GitLab and kas behind it: one
 * process, for a browser that signs in. `--ready-file` gets its addresses when it serves. Nothing that ships imports this.
 */
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { systemClock } from "@binnacle/rpc";
import { createLogger, Secret } from "@binnacle/telemetry";

import { createBff } from "../src/server/bff.ts";
import { signInSchema } from "../src/server/config/sign-in.ts";
import { heldFile } from "../src/server/config/testing/held-file.ts";
import { standInConfig } from "../src/server/config/testing/stand-in-config.ts";
import { StandInMainApplication } from "../src/server/gitlab/testing/stand-in-main-application.ts";
import { createWebServer } from "../src/server/http/web-server.ts";
import { provideInProcess } from "../src/server/in-process.ts";
import { StandInKas } from "../src/server/kas/testing/stand-in-kas.ts";
import { openPages } from "../src/server/pages/open-pages.ts";
import { CLIENT_ID, CLIENT_SECRET, OidcServer } from "../src/server/session/testing/oidc-server.ts";

const { values } = parseArgs({
  options: {
    "ready-file": { type: "string", default: "" },
    port: { type: "string", default: "0" },
    /** Life of access tokens. */
    "token-seconds": { type: "string", default: "3600" },
  },
});
const url = `http://localhost:${values.port}`;
const main = new StandInMainApplication();
const kas = new StandInKas(main);
kas.allowed.add("ann");
kas.put("pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "first" } });
// The viewer pastes it where no token is made.
main.tokens.set("glpat-pasted", "ann");
const provider = await OidcServer.start({
  callback: `${url}/api/session/callback`,
  signedOut: `${url}/sign-in?signed_out=everywhere`,
  tokenSeconds: Number(values["token-seconds"]),
  issued: (token, account) => main.tokens.set(token, account),
});
const { oidc } = signInSchema.parse({
  oidc: { name: "Example ID", issuer: provider.issuer, client_id: CLIENT_ID, scopes: ["openid", "api"] },
});
const config = {
  ...standInConfig({ mainApplication: await main.listen(), kas: await kas.listen() }),
  external_url: url,
  sign_in: oidc && { oidc: { ...oidc, client_secret_file: heldFile(new Secret(CLIENT_SECRET)) } },
};
const log = createLogger("web", "warn");
const bff = createBff({
  config: { ...config, sign_in: config.sign_in ?? {} },
  clock: systemClock,
  log,
  metrics: { refused: () => undefined },
});
provideInProcess(bff.inProcess);
const pages = await openPages(fileURLToPath(new URL("..", import.meta.url)), "");
const server = createWebServer({
  config,
  bff,
  handle: pages.handle,
  build: pages.build,
  failed: (error) => log.error({ error }, "answering a request failed"),
  refused: () => undefined,
  upgrade: bff.upgrade,
  clock: systemClock,
  ready: () => true,
});
await new Promise<void>((resolve) => server.listen(Number(values.port), "127.0.0.1", resolve));

/** What the test changes and reads: `?refuse=1`, `?declines=1`, and how many refresh tokens were used. */
const control = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", url);
  if (searchParams.has("refuse")) main.refusesProxyTokens = searchParams.get("refuse") === "1" ? 403 : undefined;
  if (searchParams.has("declines")) provider.declines = searchParams.get("declines") === "1";
  const renewals = provider.grants.filter((grant) => grant === "refresh_token").length;
  response.setHeader("content-type", "application/json").end(JSON.stringify({ renewals }));
});
await new Promise<void>((resolve) => control.listen(0, "127.0.0.1", resolve));
const address = control.address();
const controlUrl = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
if (values["ready-file"] !== "") writeFileSync(values["ready-file"], JSON.stringify({ url, issuer: provider.issuer, controlUrl }));

process.once("SIGTERM", () => {
  void Promise.all([bff.close(), pages.close(), provider.close(), main.close(), kas.close()]).finally(() => process.exit(0));
});
