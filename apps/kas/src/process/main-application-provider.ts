import { readFileSync } from "node:fs";

import { ConfigError, readSecretFile } from "@binnacle/config";
import { OrganizationFiles } from "@binnacle/organization";
import type { Clock } from "@binnacle/rpc";
import { outgoingDispatcher } from "@binnacle/rpc/outgoing-dispatcher";
import { outgoingProxyFor } from "@binnacle/rpc/outgoing-proxy";
import type { Logger } from "@binnacle/telemetry";

import { GitConfigurations } from "../agent-configuration/git-configurations.ts";
import type { ConfigurationSource } from "../agent-configuration/configuration-source.ts";
import type { KasConfig } from "../config/schema.ts";
import type { GitalyClient } from "../gitaly/gitaly-client.ts";
import type { RepositoryPoller } from "../gitaly/repository-poller.ts";
import { CredentialAdmission } from "../limits/credential-admission.ts";
import { SampledLog } from "../limits/sampled-log.ts";
import type { AgentTokens } from "../main-application/agent-info.ts";
import { AgentInfoLookup } from "../main-application/agent-info-lookup.ts";
import { MainApplicationClient } from "../main-application/main-application-client.ts";
import { ProjectInfoLookup, type ProjectReader } from "../main-application/project-info-lookup.ts";
import { ProxyAuthorizer, type CallerAuthorizer } from "../main-application/proxy-authorizer.ts";
import type { RefusalRecorder } from "../main-application/refused-credentials.ts";
import { IdTokenVerifier } from "../standalone/id-token-verifier.ts";
import { OrganizationAgents } from "../standalone/organization-agents.ts";
import { OrganizationAuthorizer, type OrganizationAuthorizerOptions } from "../standalone/organization-authorizer.ts";
import { noProjects, OrganizationConfigurations } from "../standalone/organization-configurations.ts";
import { UserTokens } from "../standalone/user-tokens.ts";
import { UserTokensEndpoint } from "../standalone/user-tokens-endpoint.ts";

/** What kas needs of a main application: GitLab's API is one implementation, the files of an organization are the other. */
export interface MainApplicationProvider {
  /** Where people and agents find it. */
  readonly externalUrl: string;
  readonly authenticator: AgentTokens;
  readonly authorizer: CallerAuthorizer;
  /** Which repositories agents may read. */
  readonly projects: ProjectReader;
  /** The API; `undefined` without one: nothing is reported, and modules of agents cannot call it. */
  readonly client: MainApplicationClient | undefined;
  /** Where the dashboard gets ID tokens for passwords; absent: there is no list of users. */
  readonly userTokens?: Pick<UserTokensEndpoint, "intercept">;
  configurations(shared: { readonly gitaly: GitalyClient; readonly repositories: RepositoryPoller }): ConfigurationSource;
  close(): void;
}

/** What a provider is made from. */
export interface ProviderInput {
  readonly config: KasConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly refusals: RefusalRecorder;
  /** `User-Agent` of requests. */
  readonly userAgent: string;
}

/** The provider that the configuration names. @throws ConfigError for files that cannot be used */
export function openProvider(input: ProviderInput): Promise<MainApplicationProvider> | MainApplicationProvider {
  const { gitlab, main_application: standalone } = input.config;
  if (gitlab !== undefined) return gitlabProvider(gitlab, input);
  if (standalone !== undefined) return standaloneProvider(standalone, input);
  throw new ConfigError("the configuration", [{ path: "gitlab", message: "is missing" }]);
}

function gitlabProvider(
  gitlab: NonNullable<KasConfig["gitlab"]>,
  { config, clock, log, refusals, userAgent }: ProviderInput,
): MainApplicationProvider {
  const proxy = gitlab.proxy ?? outgoingProxyFor(new URL(gitlab.address), { env: process.env });
  if (proxy !== undefined) log.info({ proxy: proxy.name }, "the main application is reached through a proxy");
  const dispatcher = outgoingDispatcher({ proxy, tls: { ca: textOf(gitlab.ca_certificate_file) }, agent: { connections: 64 } });
  const failures = new SampledLog(clock);
  const { refill_rate_per_second: perSecond, bucket_size: burst } = gitlab.api_rate_limit;
  const client = new MainApplicationClient({
    address: gitlab.address.replace(/\/$/, ""),
    ...(gitlab.external_url === undefined ? {} : { externalUrl: gitlab.external_url }),
    secret: readSecretFile(gitlab.authentication_secret_file, "gitlab.authentication_secret_file"),
    clock,
    admission: new CredentialAdmission({
      clock,
      rate: { perSecond, burst },
      failures: {
        perAddress: failuresOf(config.limits.failed_credentials_per_address),
        inAll: failuresOf(config.limits.failed_credentials),
      },
    }),
    dispatcher,
    userAgent,
    onFailure: (detail) =>
      failures.event(detail, (count) => log.warn({ detail, count }, "the main application did not answer as it should")),
  });
  const proxied = config.agent.kubernetes_api;
  return {
    externalUrl: gitlab.external_url ?? gitlab.address,
    client,
    authenticator: new AgentInfoLookup(client, clock, {
      okMs: config.agent.info_cache_ttl,
      refusedMs: config.agent.info_cache_error_ttl,
      refusals,
    }),
    authorizer: new ProxyAuthorizer(client, clock, {
      users: { okMs: proxied?.authorize_proxy_user_cache_ttl ?? 0, refusedMs: proxied?.authorize_proxy_user_cache_error_ttl ?? 0 },
      jobs: { okMs: proxied?.allowed_agent_cache_ttl ?? 0, refusedMs: proxied?.allowed_agent_cache_error_ttl ?? 0 },
      refusals,
    }),
    projects: new ProjectInfoLookup(client, clock, {
      okMs: config.agent.gitops.project_info_cache_ttl,
      refusedMs: config.agent.gitops.project_info_cache_error_ttl,
    }),
    configurations: (shared) =>
      new GitConfigurations({
        ...shared,
        mainApplication: client,
        log,
        maxFileBytes: config.agent.configuration.max_configuration_file_size,
      }),
    close: () => void dispatcher.destroy(), // nothing uses cached connections now
  };
}

async function standaloneProvider(
  { organization, state_file: statePath, external_url: externalUrl, oidc, users }: NonNullable<KasConfig["main_application"]>,
  { config, clock, log, refusals }: ProviderInput,
): Promise<MainApplicationProvider> {
  const files = await OrganizationFiles.open({ path: organization, statePath, clock, log });
  const signIn =
    oidc === undefined ? users && usersOf(users, { files, issuer: externalUrl, clock, log }) : providerOfIdentities(oidc, clock);
  if (signIn === undefined)
    throw new ConfigError("the configuration", [{ path: "main_application", message: "needs either oidc or users" }]);
  return {
    externalUrl,
    client: undefined,
    authenticator: new OrganizationAgents({ files, clock, refusals }),
    authorizer: new OrganizationAuthorizer({ files, clock, refusals, ...signIn }),
    ...(signIn.userTokens && { userTokens: signIn.userTokens }),
    projects: noProjects,
    configurations: () => new OrganizationConfigurations({ files, clock, pollMs: config.agent.configuration.poll_period }),
    close: () => {
      files.close();
      signIn.close();
    },
  };
}

type StandaloneConfig = NonNullable<KasConfig["main_application"]>;

/** How users of an organization prove who they are. */
interface SignIn extends Pick<OrganizationAuthorizerOptions, "verifier" | "usernamePrefix" | "groupsPrefix"> {
  readonly userTokens?: UserTokensEndpoint;
  close(): void;
}

function providerOfIdentities(oidc: NonNullable<StandaloneConfig["oidc"]>, clock: Clock): SignIn {
  const proxy = outgoingProxyFor(new URL(oidc.issuer_url), { env: process.env });
  const dispatcher = outgoingDispatcher({ proxy, tls: { ca: textOf(oidc.ca_certificate_file) }, agent: { connections: 4 } });
  const verifier = new IdTokenVerifier({
    issuerUrl: oidc.issuer_url,
    clientId: oidc.client_id,
    usernameClaim: oidc.username_claim,
    groupsClaim: oidc.groups_claim,
    clock,
    dispatcher,
  });
  return { verifier, usernamePrefix: oidc.username_prefix, groupsPrefix: oidc.groups_prefix, close: () => void dispatcher.destroy() };
}

/** @throws ConfigError for a secret file that cannot be used */
function usersOf(
  users: NonNullable<StandaloneConfig["users"]>,
  { log, ...shared }: { readonly files: OrganizationFiles; readonly issuer: string; readonly clock: Clock; readonly log: Logger },
): SignIn {
  const tokens = new UserTokens({
    ...shared,
    secret: readSecretFile(users.signing_secret_file, "main_application.users.signing_secret_file"),
  });
  const secret = readSecretFile(users.web_secret_file, "main_application.users.web_secret_file");
  return {
    verifier: tokens,
    usernamePrefix: users.username_prefix,
    groupsPrefix: users.groups_prefix,
    userTokens: new UserTokensEndpoint({ tokens, secret, clock: shared.clock, log }),
    close: () => undefined,
  };
}

const failuresOf = (rate: { per_minute: number; burst: number }) => ({ perMinute: rate.per_minute, burst: rate.burst });

function textOf(file: string | undefined): string | undefined {
  return file === undefined ? undefined : readFileSync(file, "utf8");
}
