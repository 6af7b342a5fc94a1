import { stringify } from "yaml";

import type { Flags } from "../flags.ts";
import { K8S_PROXY_PREFIX, type Addresses } from "./addresses.ts";
import type { StandaloneSetting } from "./kas-configuration.ts";
import type { TlsFiles } from "./tls-files.ts";

/** What the dashboard needs to know of the sandbox. */
export interface WebSetting {
  readonly addresses: Addresses;
  readonly sessionSecretFile: string;
  /** The file that kas has, too. */
  readonly secrets: { readonly manifestReader: string };
  readonly tls: TlsFiles;
  readonly flags: Pick<Flags, "actions" | "terminal">;
  /** Absent: there is a main application. */
  readonly standalone?: StandaloneSetting;
}

/** What agentk dials: as those of the sandbox the last kas. */
function agentAddressOf({ kasPorts }: Addresses): string {
  return `ws://127.0.0.1:${kasPorts.at(-1)?.agent ?? 0}`;
}

/** The text of the dashboard's configuration file. It uses the first kas. */
export function webConfiguration({ addresses, sessionSecretFile, secrets, tls, flags, standalone }: WebSetting): string {
  const [kas] = addresses.k8sProxies;
  if (!kas) throw new Error("a sandbox has at least one kas");
  return stringify({
    listen: {
      address: `127.0.0.1:${addresses.dashboard.port}`,
      ...(addresses.dashboard.external.startsWith("https:") ? { certificate_file: tls.certificateFile, key_file: tls.keyFile } : {}),
    },
    external_url: addresses.dashboard.external,
    main_application: {
      name: "Example Company",
      ...(standalone === undefined ? mainApplicationOf(addresses) : organizationOf(standalone, addresses)),
      // Review apps come and go by a push, and a file is changed by hand; both are on this machine.
      poll_period: "2s",
    },
    kas: {
      external_url: kas.external + K8S_PROXY_PREFIX,
      internal_url: kas.internal + K8S_PROXY_PREFIX,
      agent_address: agentAddressOf(addresses),
      manifest_reader_secret_file: secrets.manifestReader,
    },
    // A debug container is offered where the flags allow terminals and all actions.
    features: { actions: flags.actions, terminal: flags.terminal, terminal_debug_image: "busybox:1.37" },
    // What was pushed is on the page within two seconds.
    gitops: { poll_period: "1s" },
    // What is changed in the cluster is judged by soon; it is on this machine.
    health_rules: { poll_period: "5s" },
    session: { secret_file: sessionSecretFile },
    ca_certificate_file: tls.caFile,
    observability: { listen: { address: `127.0.0.1:${addresses.webObservability}` } },
    // No load balancer looks at it.
    shutdown: { not_ready: "0s" },
    log: { level: "info" },
  });
}

function mainApplicationOf({ mainApplication }: Addresses): object {
  return {
    external_url: mainApplication.external,
    internal_url: mainApplication.internal,
    troubleshooting_url: `${mainApplication.external}/help/troubleshooting`,
  };
}

function organizationOf({ organization, state, webSecret }: StandaloneSetting, { dashboard }: Addresses): object {
  const url = dashboard.external;
  return {
    provider: "standalone",
    external_url: url,
    troubleshooting_url: url,
    organization,
    state_file: state,
    web_secret_file: webSecret,
  };
}
