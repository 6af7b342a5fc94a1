import { StartError, type Container } from "./containers/container.ts";
import { Terminal } from "./containers/terminal.ts";
import { exitStatus, type Status } from "./status.ts";
import { NO_OUTPUT } from "./streams/byte-streams.ts";
import { followResizes, type CommandStreams } from "./streams/remote-command.ts";

/** Runs a command in a container over a client's streams, to its outcome. */
export async function runCommand(
  container: Container,
  { command, tty }: { readonly command: readonly string[]; readonly tty: boolean },
  streams: CommandStreams,
): Promise<Status> {
  const terminal = tty ? new Terminal(streams.stdout ?? NO_OUTPUT) : undefined;
  if (terminal !== undefined) {
    // A failure to echo means that the client is gone; then the terminal is hung up.
    terminal.consume(streams.stdin).catch(() => terminal.hangUp());
    if (streams.resize !== undefined) void followResizes(streams.resize, (size) => terminal.resize(size));
  }
  const [stdin, stdout, stderr] =
    terminal === undefined ? [streams.stdin, streams.stdout ?? NO_OUTPUT, streams.stderr ?? NO_OUTPUT] : [terminal, terminal, terminal];
  try {
    const ownSignal = terminal === undefined ? streams.signal : AbortSignal.any([streams.signal, terminal.foreground()]);
    const isShell = /(?:^|\/)(?:ba|a)?sh$/.test(command[0] ?? "");
    // A shell on a terminal outlives ^C; any other program in the foreground does not.
    const signal = isShell ? streams.signal : ownSignal;
    return exitStatus(await container.exec(command, { stdin, stdout, stderr, terminal, signal }));
  } catch (error) {
    if (!(error instanceof StartError))
      return { metadata: {}, status: "Failure", message: "error executing command in container", reason: "InternalError", code: 500 };
    await stderr.write(`${error.message}: unknown\n`).catch(() => undefined);
    return exitStatus(error.exitCode);
  }
}

/** Copies chunks to the client as attach does: no input, until the container or the client ends. */
export async function sendOutput(chunks: AsyncIterable<Buffer>, streams: CommandStreams): Promise<Status> {
  const sink = streams.stdout ?? NO_OUTPUT;
  try {
    for await (const chunk of chunks) await sink.write(chunk);
  } catch {
    // The client is gone.
  }
  return { metadata: {}, status: "Success" };
}
