import { outgoingProxyFor } from "@binnacle/rpc/outgoing-proxy";
import { z } from "zod";

import { textSecretFile } from "./config-files.ts";
import { proxyAddress } from "./proxy-address.ts";

/** RFC 6749 §3.3, "scope-token". */
const scope = z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/, "must be one scope, without spaces");

const oidcSchema = z.strictObject({
  name: z.string().min(1).optional().meta({ description: "What the button says after “Sign in with”; default: main_application.name" }),
  issuer: z
    .string()
    .refine(isIssuer, "must be an https URL without query and fragment; http only for this machine (localhost, 127.0.0.1)")
    .meta({
      description: "Issuer of the OpenID Connect provider; its endpoints come from <issuer>/.well-known/openid-configuration",
    }),
  proxy: proxyAddress.optional().meta({
    description: "HTTP proxy to the provider, http(s)://[user:password@]host[:port]; wins over HTTPS_PROXY, HTTP_PROXY and NO_PROXY",
  }),
  client_id: z.string().min(1).meta({ description: "Id of the dashboard at the provider" }),
  client_secret_file: textSecretFile.optional().meta({
    description: "Secret of the dashboard at the provider, as the provider shows it; none: a public client, held by PKCE alone",
  }),
  scopes: z
    .array(scope)
    .refine((scopes) => scopes.includes("openid"), 'must include "openid"')
    .meta({
      description: "Scopes that are requested: openid and api for GitLab (read_api for no tokens of clusters), openid and others elsewhere",
    }),
  username_claim: z.string().min(1).default("sub").meta({
    description: "With standalone: claim of the ID token with the name of the viewer; main_application.oidc.username_claim of kas",
  }),
  groups_claim: z.string().min(1).default("groups").meta({
    description: "Claim of the ID token with the groups of the viewer, where the ID token is the viewer's credential",
  }),
});

/** How people sign in beside a session of the main application and a token. */
export const signInSchema = z.strictObject({
  oidc: oidcSchema.optional().meta({ description: "Sign-in by an OpenID Connect provider; see docs/design/sign-in.md" }),
});

/** `sign_in.oidc`, checked. */
export type OidcConfig = z.output<typeof oidcSchema>;

type SignInConfig = z.output<typeof signInSchema>;

/** The same, with the environment's proxy to the issuer where the file names none. @throws Fault `configuration_invalid` */
export function withProxy({ oidc }: SignInConfig, env: Readonly<Record<string, string | undefined>>): SignInConfig {
  return oidc === undefined ? {} : { oidc: { ...oidc, proxy: oidc.proxy ?? outgoingProxyFor(new URL(oidc.issuer), { env }) } };
}

/** Tokens pass over it: plain http never leaves this machine (RFC 6761 §6.3 for "localhost"). */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || text.includes("?") || text.includes("#") || `${url.username}${url.password}` !== "") return false;
  return (
    url.protocol === "https:" || (url.protocol === "http:" && /^(?:(?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname))
  );
}
