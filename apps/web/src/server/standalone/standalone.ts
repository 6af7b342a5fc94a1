import type { OrganizationFiles } from "@binnacle/organization";
import type { Clock } from "@binnacle/rpc";
import { LRUCache } from "lru-cache";

import { WITHOUT_GIT } from "../main-application/capabilities.ts";
import type { CredentialNames } from "../main-application/credential-names.ts";
import type { AccessOptions, MainApplication, ViewerAccess } from "../main-application/main-application.ts";
import { StandaloneAccess } from "./standalone-access.ts";
import type { UserToken, UserTokensClient } from "./user-tokens-client.ts";

/** What an organization without GitLab is served with. */
export interface StandaloneOptions {
  /** Of the dashboard itself: there is no other program for people. */
  readonly url: string;
  readonly files: Pick<OrganizationFiles, "current">;
  /** Also those of the sessions of this process. */
  readonly names: CredentialNames;
  readonly clock: Clock;
  /** Users with passwords; absent: ID tokens are those of a provider of identities. */
  readonly users: UserTokensClient | undefined;
  /** Claims of ID tokens with the user's name and groups. */
  readonly claims: { readonly username: string; readonly groups: string };
}

const MAX_RENEWED = 10_000;

/** The files of an organization as the main application (ADR 37). Every process renews tokens of its sessions by itself. */
export class StandaloneMainApplication implements MainApplication {
  readonly capabilities = WITHOUT_GIT;
  readonly signIn = "oidc";
  readonly #options: StandaloneOptions;
  /** By credential: what kas issued last. */
  readonly #renewed = new LRUCache<string, UserToken>({ max: MAX_RENEWED });

  constructor(options: StandaloneOptions) {
    this.#options = options;
  }

  get url(): string {
    return this.#options.url;
  }

  open(options: AccessOptions): ViewerAccess {
    return new StandaloneAccess({ ...options, ...this.#options, renewed: this.#renewed });
  }
}
