import type { Flags } from "../flags.ts";
import { K8S_PROXY_PREFIX, type Addresses } from "./addresses.ts";
import type { KasEndpoint } from "./endpoints-file.ts";
import { ENTRY_POINTS, serverCommand, webCommand } from "./entry-points.ts";
import { kasConfiguration, type KasSetting } from "./kas-configuration.ts";
import { ManagedProcess, type Command } from "./managed-process.ts";
import type { OrphanGuard } from "./orphan-guard.ts";
import type { SandboxDirectory } from "./sandbox-directory.ts";
import { webConfiguration } from "./web-configuration.ts";

/** What one agentk is started with. */
export interface AgentSetting {
  readonly processName: string;
  readonly token: string;
  /** How it reaches its cluster. */
  readonly flags: readonly string[];
}

/** What the programs are started with. */
export interface ProgramSetting extends KasSetting {
  readonly flags: Flags;
  readonly directory: SandboxDirectory;
  readonly agents: readonly AgentSetting[];
  readonly sessionSecretFile: string;
  readonly say: (line: string) => void;
  readonly guard: OrphanGuard;
  readonly onChange: () => void;
}

/** The processes of the product. */
export interface Programs {
  readonly kas: readonly ManagedProcess[];
  /** One per agent, in their order. */
  readonly agentk: readonly ManagedProcess[];
  readonly web: ManagedProcess;
}

/** Writes the configuration files and prepares the processes; nothing is started yet. */
export function createPrograms(setting: ProgramSetting): Programs {
  const { directory, addresses, flags } = setting;
  const managed = (name: string, command: (readyFile: string) => Command): ManagedProcess => {
    const readyFile = directory.file("run", `${name}.json`);
    return new ManagedProcess({
      name,
      command: command(readyFile),
      readyFile,
      logFile: directory.file("log", `${name}.log`),
      restartMs: flags.restartMs,
      say: setting.say,
      onChange: (pid) => {
        setting.guard.note(name, pid);
        setting.onChange();
      },
    });
  };
  const kas = addresses.kasPorts.map((ports, index) => {
    const file = directory.write(`run/kas-${index + 1}.yaml`, kasConfiguration(setting, ports));
    const env = { OWN_PRIVATE_API_URL: `grpc://127.0.0.1:${ports.privateApi}` };
    return managed(`kas-${index + 1}`, (ready) =>
      serverCommand(ENTRY_POINTS.kas, ["--configuration-file", file, "--ready-file", ready], env),
    );
  });
  // agentk knows the last kas only, the dashboard the first: with two of them every request takes the hop between them.
  const kasAddress = `grpc://127.0.0.1:${addresses.kasPorts.at(-1)?.agent}`;
  const agentk = setting.agents.map(({ processName: name, token, flags: own }, index) => {
    const tokenFile = directory.write(`secrets/${name}-token`, token);
    const observability = `127.0.0.1:${addresses.agentkObservability[index] ?? 0}`;
    return managed(name, (ready) =>
      serverCommand(
        ENTRY_POINTS.agentk,
        [
          "--kas-address",
          kasAddress,
          "--token-file",
          tokenFile,
          ...own,
          "--observability-listen-address",
          observability,
          // The dashboard, which ends first, leaves watches of kas open; their end is not awaited.
          "--shutdown-grace",
          "1",
          "--ready-file",
          ready,
        ],
        { POD_NAMESPACE: "gitlab-agent", POD_NAME: `${name}-sandbox` },
      ),
    );
  });
  const webFile = directory.write("run/web.yaml", webConfiguration(setting));
  const web = managed("web", (ready) =>
    webCommand(ENTRY_POINTS.web, ["--configuration-file", webFile, "--ready-file", ready], {
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
    }),
  );
  return { kas, agentk, web };
}

/** How the kas instances are reached. */
export function kasEndpoints(addresses: Addresses): readonly KasEndpoint[] {
  return addresses.kasPorts.map((ports, index) => ({
    agent: `grpc://127.0.0.1:${ports.agent}`,
    api: `127.0.0.1:${ports.api}`,
    k8sProxy: addresses.k8sProxies[index]?.external ?? "",
    k8sProxyInternal: addresses.k8sProxies[index]?.internal ?? "",
    urlPathPrefix: K8S_PROXY_PREFIX,
    internal: `127.0.0.1:${ports.privateApi}`,
    observability: `http://127.0.0.1:${ports.observability}`,
  }));
}
