import { stringify } from "yaml";

import { K8S_PROXY_PREFIX, type Addresses, type KasPorts } from "./addresses.ts";
import type { TlsFiles } from "./tls-files.ts";

/** What every kas of a sandbox shares. */
export interface KasSetting {
  readonly addresses: Addresses;
  /** Files with base64 text. */
  readonly secrets: { readonly gitlab: string; readonly api: string; readonly privateApi: string; readonly manifestReader: string };
  readonly redis: RedisSetting | undefined;
  readonly tls: TlsFiles;
  /** Absent: there is a main application. */
  readonly standalone?: StandaloneSetting;
}

/** An organization in a file, in place of a main application. */
export interface StandaloneSetting {
  readonly organization: string;
  /** Written by the dashboard. */
  readonly state: string;
  /** Files with base64 text. */
  readonly signingSecret: string;
  readonly webSecret: string;
}

/** A Redis server as kas's configuration names it. */
export interface RedisSetting {
  readonly address: string;
  readonly username: string | undefined;
  readonly passwordFile: string | undefined;
  readonly tls: boolean;
}

/** The text of one kas's configuration file. */
export function kasConfiguration(setting: KasSetting, ports: KasPorts): string {
  const { addresses, secrets, redis, tls, standalone } = setting;
  const local = (port: number): string => `127.0.0.1:${port}`;
  return stringify({
    ...(standalone === undefined
      ? {
          gitlab: {
            address: addresses.mainApplication.internal,
            external_url: addresses.mainApplication.external,
            authentication_secret_file: secrets.gitlab,
            ca_certificate_file: tls.caFile,
          },
        }
      : {
          main_application: {
            provider: "standalone",
            organization: standalone.organization,
            state_file: standalone.state,
            external_url: addresses.dashboard.external,
            users: { signing_secret_file: standalone.signingSecret, web_secret_file: standalone.webSecret },
          },
        }),
    agent: {
      listen: { address: local(ports.agent) },
      // A pushed configuration is seen soon; nothing here is far away.
      configuration: { poll_period: "2s" },
      // So is a token that is revoked, or good again.
      info_cache_ttl: "5s",
      info_cache_error_ttl: "2s",
      gitops: { project_info_cache_error_ttl: "2s" },
      kubernetes_api: {
        listen: { address: local(ports.k8sProxy), certificate_file: tls.certificateFile, key_file: tls.keyFile },
        url_path_prefix: K8S_PROXY_PREFIX,
        // And so is a right that it gives or takes.
        authorize_proxy_user_cache_ttl: "5s",
        authorize_proxy_user_cache_error_ttl: "2s",
        manifest_reader_secret_file: secrets.manifestReader,
      },
    },
    api: { listen: { address: local(ports.api), authentication_secret_file: secrets.api } },
    private_api: { listen: { address: local(ports.privateApi), authentication_secret_file: secrets.privateApi } },
    observability: { listen: { address: local(ports.observability) } },
    // The dashboard, which reports its users' addresses. All clients here have this address, so all are trusted: this is no model of a network.
    trusted_proxies: ["127.0.0.1"],
    // There is no load balancer: only other kas must be notified of the shutdown.
    shutdown: { not_ready: redis ? "1s" : "0s" },
    ...(redis
      ? {
          redis: {
            server: { address: redis.address },
            ...(redis.username === undefined ? {} : { username: redis.username }),
            ...(redis.passwordFile === undefined ? {} : { password_file: redis.passwordFile }),
            ...(redis.tls ? { tls: { enabled: true } } : {}),
          },
        }
      : {}),
  });
}
