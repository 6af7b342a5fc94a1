import { completionScript, SHELLS } from "../program/completion.ts";
import type { CommandSpec } from "../program/command.ts";
import { EXIT, usageFailure } from "../program/exit-codes.ts";
import { AGENT_CHECK } from "./agent-check.ts";
import { ENVIRONMENTS } from "./environments.ts";
import { EVENTS } from "./events.ts";
import { GRAPH } from "./graph.ts";
import { CREDENTIAL, KUBECONFIG } from "./kubeconfig.ts";
import { LOGIN } from "./login.ts";
import { LOGS } from "./logs.ts";
import { STATUS } from "./status.ts";
import { WHY } from "./why.ts";

const COMPLETION: CommandSpec = {
  name: "completion",
  summary: "Print the script that completes commands in a shell",
  arguments: [{ name: "SHELL", help: SHELLS.join(", ") }],
  options: [],
  examples: ["source <(binnacle completion bash)", "binnacle completion fish > ~/.config/fish/completions/binnacle.fish"],
  run: ({ terminal, arguments: [name] }) => {
    const shell = SHELLS.find((each) => each === name);
    if (shell === undefined) throw usageFailure(`SHELL is ${SHELLS.join(", ")}, not "${name ?? ""}".`);
    terminal.write(completionScript(shell, COMMANDS));
    return Promise.resolve(EXIT.ok);
  },
};

/** Every command, as help, completion and the reference list them. */
export const COMMANDS: readonly CommandSpec[] = [
  LOGIN,
  ENVIRONMENTS,
  STATUS,
  WHY,
  GRAPH,
  LOGS,
  EVENTS,
  KUBECONFIG,
  CREDENTIAL,
  AGENT_CHECK,
  COMPLETION,
];
