import type { CommandCall } from "../program/command.ts";
import { EXIT } from "../program/exit-codes.ts";
import { projectOf, readSettings, type Settings } from "../settings/settings.ts";
import { createClients, failureOf, type Clients } from "./clients.ts";

/** What a command that asks a dashboard works with. */
export interface Session {
  readonly settings: Settings;
  readonly clients: Clients;
}

/** Runs a command against the configured dashboard: what fails becomes a sentence and an exit code. @throws CommandFailure */
export async function withSession(call: CommandCall, work: (session: Session) => Promise<number>): Promise<number> {
  const settings = readSettings(call.terminal);
  try {
    return await work({ settings, clients: createClients(settings) });
  } catch (error) {
    if (call.terminal.isInterrupted()) return EXIT.interrupted;
    throw failureOf(error, settings);
  }
}

/** An environment that a command is about. */
export interface NamedEnvironment {
  readonly projectPath: string;
  readonly environment: string;
}

/** The environment that the first argument names. @throws CommandFailure (64) without a project */
export function environmentOf({ arguments: [environment = ""], options }: CommandCall, settings: Settings): NamedEnvironment {
  return { projectPath: projectOf(options, settings), environment };
}
