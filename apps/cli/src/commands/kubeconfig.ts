import { stringify } from "yaml";

import { firstWhole } from "../connection/first-whole.ts";
import { environmentOf, withSession } from "../connection/session.ts";
import type { CommandSpec } from "../program/command.ts";
import { ENVIRONMENT, PROJECT } from "../program/common-options.ts";
import { CommandFailure, EXIT, usageFailure } from "../program/exit-codes.ts";
import { dashboardUrl, readSettings } from "../settings/settings.ts";
import { verdictOf } from "../status/verdict.ts";

/** Of exec credential plugins (Kubernetes, "client-go credential plugins"). */
const EXEC_API = "client.authentication.k8s.io/v1";

/** `binnacle kubeconfig`. */
export const KUBECONFIG: CommandSpec = {
  name: "kubeconfig",
  summary: "Write a kubeconfig for the cluster of an environment, without a token in it",
  details: [
    "kubectl calls binnacle for the token of each session (an exec credential plugin), so that the file holds none. The address of the k8s-proxy of kas is not known to the dashboard's API and is an option.",
  ],
  arguments: [ENVIRONMENT],
  options: [
    PROJECT,
    { name: "server", value: "URL", help: "address of the k8s-proxy with its path prefix; default: BINNACLE_KUBERNETES_API" },
  ],
  examples: ["binnacle kubeconfig production --server https://kas.example.com/k8s-proxy/ > production.kubeconfig"],
  run: (call) => {
    const { terminal, options } = call;
    const given = options.text("server") ?? terminal.env["BINNACLE_KUBERNETES_API"] ?? "";
    if (given === "") throw usageFailure("The address of the k8s-proxy is not known.", "--server URL, or set BINNACLE_KUBERNETES_API");
    const server = `${dashboardUrl(given)}/`;
    return withSession(call, async (session) => {
      const named = environmentOf(call, session.settings);
      const { view, nowMs } = await firstWhole(session, named, terminal);
      if (terminal.isInterrupted()) return EXIT.interrupted;
      const { environment } = view;
      if (environment === undefined || environment.agentId === 0n)
        throw new CommandFailure(verdictOf(view, nowMs).gap || "No agent is set on the environment.");
      terminal.write(
        kubeconfigOf({
          server,
          name: `${named.projectPath}/${named.environment}`,
          agentId: environment.agentId,
          namespace: environment.namespace,
          url: session.settings.url,
        }),
      );
      return EXIT.ok;
    });
  },
};

interface KubeconfigFacts {
  readonly server: string;
  readonly name: string;
  readonly agentId: bigint;
  readonly namespace: string;
  readonly url: string;
}

function kubeconfigOf({ server, name, agentId, namespace, url }: KubeconfigFacts): string {
  const exec = {
    apiVersion: EXEC_API,
    command: "binnacle",
    args: ["credential", "--agent", String(agentId), "--url", url],
    interactiveMode: "Never",
    installHint: "Install the command line of Binnacle, then: binnacle login",
  };
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server } }],
    users: [{ name, user: { exec } }],
    contexts: [{ name, context: { cluster: name, user: name, ...(namespace === "" ? {} : { namespace }) } }],
    "current-context": name,
  });
}

/** `binnacle credential`. */
export const CREDENTIAL: CommandSpec = {
  name: "credential",
  summary: "Print the credential of an agent's cluster for kubectl, as the kubeconfig asks for it",
  arguments: [],
  options: [
    { name: "agent", value: "ID", help: "id of the agent" },
    { name: "url", value: "URL", help: "the dashboard that the kubeconfig was made with: the token of another one is not given away" },
  ],
  examples: ["binnacle credential --agent 7"],
  run: ({ terminal, options }) => {
    const agent = options.text("agent") ?? "";
    if (!/^[1-9]\d*$/.test(agent)) throw usageFailure("--agent is the id of an agent.");
    const settings = readSettings(terminal);
    const url = options.text("url");
    if (url !== undefined && dashboardUrl(url) !== settings.url)
      throw usageFailure(
        `The kubeconfig is of ${dashboardUrl(url)}, and the configured dashboard is ${settings.url}.`,
        `binnacle login ${dashboardUrl(url)}`,
      );
    terminal.write(
      `${JSON.stringify({ apiVersion: EXEC_API, kind: "ExecCredential", status: { token: `pat:${agent}:${settings.token}` } })}\n`,
    );
    return Promise.resolve(EXIT.ok);
  },
};
