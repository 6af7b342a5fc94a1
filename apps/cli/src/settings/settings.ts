import { usageFailure } from "../program/exit-codes.ts";
import type { GivenOptions } from "../program/command.ts";
import type { Terminal } from "../program/terminal.ts";
import { configPath, readConfig } from "./config-file.ts";

/** Which dashboard is called, and as whom. */
export interface Settings {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
  /** Project of commands that name none; empty: none. */
  readonly project: string;
}

/** The configuration file; where there is none BINNACLE_URL and BINNACLE_TOKEN. @throws CommandFailure (64) when neither is there, or one is wrong */
export function readSettings({ env, note }: Pick<Terminal, "env" | "note">): Settings {
  const path = configPath(env);
  const config = readConfig(path);
  const [url = "", token = ""] = [env["BINNACLE_URL"], env["BINNACLE_TOKEN"]];
  const named = [env["BINNACLE_PROJECT"], env["CI_PROJECT_PATH"]].find((each) => each !== undefined && each !== "");
  if (config !== undefined) {
    if (url !== "" && dashboardUrl(url) !== dashboardUrl(config.url))
      note(`binnacle: BINNACLE_URL is not used: ${path} has another address, and comes first\n`);
    return { url: dashboardUrl(config.url), token: tokenText(config.token), project: named ?? config.project ?? "" };
  }
  if (url === "" || token === "")
    throw usageFailure("No dashboard is configured.", "binnacle login URL, or set BINNACLE_URL and BINNACLE_TOKEN");
  return { url: dashboardUrl(url), token: tokenText(token), project: named ?? "" };
}

/** The address of a dashboard without a slash at its end. @throws CommandFailure (64) for anything but a plain http or https URL */
export function dashboardUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.search === "" && url.hash === "";
  if (!isPlain) throw usageFailure(`"${text}" is not the address of a dashboard, such as https://dashboard.example.com.`);
  let path = url.pathname;
  while (path.endsWith("/")) path = path.slice(0, -1);
  return `${url.origin}${path}`;
}

/** A token as it is pasted, without the space around it. @throws CommandFailure (64) for what cannot be one */
export function tokenText(text: string): string {
  const token = text.trim();
  if (!/^[\w.-]+$/.test(token)) throw usageFailure("A personal access token has letters, digits, _, . and - only.");
  return token;
}

/** The project that a call is about. @throws CommandFailure (64) when there is none */
export function projectOf(options: GivenOptions, settings: Pick<Settings, "project">): string {
  const project = options.text("project") ?? settings.project;
  if (project === "") throw usageFailure("No project is named.", "--project PATH, or set BINNACLE_PROJECT");
  return project;
}
