import { configPath, readConfig, writeConfig } from "../settings/config-file.ts";
import { createClients, failureOf } from "../connection/clients.ts";
import type { CommandSpec } from "../program/command.ts";
import { EXIT, usageFailure } from "../program/exit-codes.ts";
import { dashboardUrl, tokenText } from "../settings/settings.ts";

/** `binnacle login`. */
export const LOGIN: CommandSpec = {
  name: "login",
  summary: "Store the address of a dashboard and a personal access token",
  details: [
    "The token is typed at a prompt, or read from standard input; it is never an argument, which other users of the machine could see. It is tried before it is stored, in $XDG_CONFIG_HOME/binnacle/config.yaml, which only its owner can read.",
  ],
  arguments: [{ name: "URL", help: "address of the dashboard", optional: true }],
  options: [{ name: "project", short: "p", value: "PATH", help: "project of commands that name none" }],
  examples: ["binnacle login https://dashboard.example.com", "binnacle login https://dashboard.example.com < token.txt"],
  run: async ({ terminal, arguments: [given], options }) => {
    const path = configPath(terminal.env);
    const url = dashboardUrl(given ?? terminal.env["BINNACLE_URL"] ?? storedUrl(path));
    if (url.startsWith("http:") && !/^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]|[\w.-]+\.localhost)(?::|\/|$)/.test(url))
      terminal.note("binnacle: the address is not https: the token is sent in clear text\n");
    const token = tokenText(terminal.isInputTerminal ? await terminal.readSecret("Personal access token: ") : await terminal.readInput());
    if (terminal.isInterrupted()) return EXIT.interrupted;
    try {
      const { viewer } = await createClients({ url, token }).dashboard.listProjects({}, { signal: terminal.signal });
      const project = options.text("project");
      writeConfig(path, { url, token, ...(project === undefined ? {} : { project }) });
      terminal.write(`Signed in to ${url} as ${viewer?.username ?? ""}.\n`);
      return EXIT.ok;
    } catch (error) {
      if (terminal.isInterrupted()) return EXIT.interrupted;
      throw failureOf(error, { url });
    }
  },
};

function storedUrl(path: string): string {
  const url = readConfig(path)?.url;
  if (url === undefined) throw usageFailure("URL is missing.", "usage: binnacle login URL");
  return url;
}
