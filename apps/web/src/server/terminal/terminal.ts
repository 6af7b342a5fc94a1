import { TerminalEnd, TerminalInputSchema, TerminalOutputSchema, type TerminalSize } from "@binnacle/proto/dashboard";
import { settlesWithin } from "@binnacle/rpc";
import { type Logger } from "@binnacle/telemetry";
import { quoted } from "@binnacle/words";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { type WebSocket } from "ws";
import { type ViewerAccess } from "../main-application/main-application.ts";
import { CreditedInput } from "../sockets/message-credit.ts";
import { CreditedOutput } from "../sockets/credited-output.ts";
import { CLOSE, PageSocket } from "../sockets/page-socket.ts";
import { type KasAccess } from "../kas/kas-access.ts";
import { toSentWords } from "../base/sent-words.ts";
import { Exec, type TerminalDimensions } from "./exec.ts";
import { Recording } from "./recording.ts";
import { ShellProbe } from "./shell-probe.ts";
import { TerminalAccess, type TerminalAccessContext } from "./terminal-access.ts";
import { END_CODES, END_NAMES, endOfError, type Ended, TerminalTime } from "./terminal-end.ts";
import { TerminalRecord } from "./terminal-record.ts";
import { MAX_TERMINAL_SIZE, type TerminalClaims } from "./terminal-tickets.ts";
import { type AuditContext } from "../audit/audit-sink.ts";

/** What a terminal is run with. */
export interface TerminalContext extends TerminalAccessContext, AuditContext {
  readonly log: Logger;
}

/** An input of 16 KiB with what is around it. */
export const MAX_TERMINAL_INPUT_BYTES = 20 * 1024;
/** What waits for the page when the shell has ended is still sent, for so long. */
const LAST_OUTPUT_MS = 10_000;

/** What a terminal works with. */
export interface TerminalParts {
  readonly context: TerminalContext;
  /** Its page. */
  readonly socket: WebSocket;
  readonly claims: TerminalClaims;
  readonly viewerAccess: ViewerAccess;
  /** Aborts when the viewer has signed out. */
  readonly signedOut: AbortSignal;
  /** Aborts when this process stops. */
  readonly restart: AbortSignal;
}

/** One terminal between a page and a container, from the accepted ticket to the close of the socket. */
export class Terminal {
  readonly #parts: TerminalParts;
  readonly #access: TerminalAccess;
  readonly #time: TerminalTime;
  readonly #page: PageSocket;
  readonly #input: CreditedInput;
  readonly #output: CreditedOutput;
  readonly #over = Promise.withResolvers<Ended>();
  readonly #stop = new AbortController();
  readonly #pausedBy = new Set<"page" | "recording">();
  #drained = Promise.withResolvers<void>();
  #exec: Exec | undefined;
  #recording: Recording | undefined;
  #record: TerminalRecord | undefined;
  #size: TerminalDimensions;
  #program = "";
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(parts: TerminalParts) {
    const { context, claims, socket } = parts;
    this.#parts = parts;
    this.#access = new TerminalAccess(context, parts);
    this.#time = new TerminalTime(context);
    this.#size = claims;
    this.#page = new PageSocket(socket, {
      clock: context.clock,
      events: { received: (message) => this.#receive(message), closed: () => this.#over.resolve({ end: undefined }) },
    });
    this.#input = new CreditedInput((bytes) => this.#send({ case: "credit", value: bytes }));
    this.#output = new CreditedOutput({
      send: (stdout) => this.#send({ case: "stdout", value: stdout }),
      slow: (isSlow) => {
        this.#pause("page", isSlow);
        if (!isSlow) this.#drained.resolve();
      },
    });
  }

  /** Settles with the outcome, of a closed set, when it has ended and all that it used is closed. Never rejects. */
  async run(): Promise<string> {
    const { signedOut, restart } = this.#parts;
    this.#endOn(signedOut, TerminalEnd.SIGNED_OUT);
    this.#endOn(restart, TerminalEnd.RESTART);
    this.#endWith(this.#serve());
    const { end, exitCode, words: why } = await this.#over.promise;
    this.#stop.abort();
    this.#output.drop();
    if (end === undefined) this.#page.close(CLOSE.done);
    else {
      const code = exitCode === undefined ? {} : { exitCode };
      this.#send({ case: "ended", value: { end, ...code, ...(why === undefined ? {} : { words: toSentWords(why) }) } });
      this.#page.close(END_CODES[end] ?? CLOSE.done);
    }
    await this.#recording?.end();
    const [program, bytesIn, bytesOut] = [this.#program, this.#bytesIn, this.#bytesOut];
    const outcome = end === undefined ? "client_left" : (END_NAMES[end] ?? "unknown");
    this.#record?.ended({ outcome, exitCode, program, bytesIn, bytesOut }, this.#time.durationMs);
    return outcome;
  }

  #endOn(signal: AbortSignal, end: TerminalEnd): void {
    const over = (): void => this.#over.resolve({ end });
    if (signal.aborted) over();
    else signal.addEventListener("abort", over, { signal: this.#stop.signal });
  }

  #endWith(work: Promise<Ended | undefined>): void {
    work.then(
      (ended) => ended && this.#over.resolve(ended),
      (error: unknown) => this.#over.resolve(this.#endOf(error)),
    );
  }

  #endOf(error: unknown): Ended {
    if (this.#stop.signal.aborted) return { end: undefined };
    const ended = endOfError(error);
    if (ended !== undefined) return ended;
    this.#parts.context.log.error({ error }, "a terminal failed");
    return { end: TerminalEnd.LOST };
  }

  /** From the first request to the end of the shell. */
  async #serve(): Promise<Ended> {
    const { context, claims } = this.#parts;
    const { signal } = this.#stop;
    const { access, actor } = await this.#access.begin(signal);
    if (!(await this.#startRecording())) return { end: TerminalEnd.NOT_RECORDED };
    if (signal.aborted) {
      // It may have begun after `run` ended what there was.
      await this.#recording?.end();
      return { end: undefined };
    }
    this.#record = new TerminalRecord(context, { by: { actor, agentId: access.agentId }, claims, recorded: this.#recording !== undefined });
    this.#record.begun();
    this.#time.used();
    this.#endWith(this.#access.untilWithdrawn(signal));
    this.#endWith(this.#time.untilOver(signal));
    for (const program of claims.shells) {
      const ended = await this.#attempt(access, program);
      if (ended !== "missing") return ended;
    }
    return { end: TerminalEnd.NO_SHELL };
  }

  /** Runs one program to its end. */
  async #attempt(access: KasAccess, program: string): Promise<Ended | "missing"> {
    const { clock } = this.#parts.context;
    const { signal } = this.#stop;
    const target = { ...this.#parts.claims, program };
    const exec = await Exec.start(access, { target, output: (bytes) => probe.receive(bytes) }, signal);
    const probe = new ShellProbe({ clock, started: () => this.#start(program), output: (bytes) => this.#show(bytes) });
    this.#exec = exec;
    exec.resize(this.#size);
    if (this.#pausedBy.size === 0) exec.resume();
    const ended = await exec.ended;
    exec.stop();
    if (signal.aborted) return { end: undefined };
    if (ended.kind === "ended" && probe.end(ended, this.#bytesIn > 0)) return "missing";
    probe.stop();
    if (ended.kind === "lost") return this.#access.whyLost(signal);
    this.#drained = Promise.withResolvers();
    if (this.#output.heldBytes > 0) await settlesWithin(this.#drained.promise, LAST_OUTPUT_MS, clock);
    const { exitCode, message } = ended;
    return { end: TerminalEnd.EXITED, ...(exitCode === undefined ? { words: quoted(message) } : { exitCode }) };
  }

  /** From now on the page can type. */
  #start(program: string): void {
    if (this.#stop.signal.aborted) return;
    this.#program = program;
    this.#send({ case: "started", value: { shell: program } });
    this.#input.open();
  }

  #show(bytes: Buffer): void {
    if (this.#stop.signal.aborted) return;
    this.#time.used();
    this.#bytesOut += bytes.length;
    this.#recording?.output(bytes);
    this.#output.push(bytes);
  }

  #receive(message: Buffer): void {
    try {
      const { message: input } = fromBinary(TerminalInputSchema, message);
      switch (input.case) {
        case "stdin":
          return this.#type(input.value);
        case "resize":
          return this.#resize(input.value);
        case "credit":
          return this.#output.grant(input.value);
        default:
          return this.#reject();
      }
    } catch {
      this.#reject();
    }
  }

  #type(bytes: Uint8Array): void {
    if (!this.#input.take(bytes.length)) return this.#reject();
    this.#bytesIn += bytes.length;
    this.#time.used();
    this.#exec?.write(bytes, () => this.#input.passed(bytes.length));
  }

  #resize({ columns, rows }: TerminalSize): void {
    if (![columns, rows].every((size) => size >= 1 && size <= MAX_TERMINAL_SIZE)) return this.#reject();
    this.#size = { columns, rows };
    this.#recording?.resize(this.#size);
    this.#exec?.resize(this.#size);
  }

  /** A message that none of our pages sends. */
  #reject(): void {
    this.#page.close(CLOSE.protocol);
    this.#over.resolve({ end: undefined });
  }

  #pause(by: "page" | "recording", paused: boolean): void {
    if (paused) this.#pausedBy.add(by);
    else this.#pausedBy.delete(by);
    if (this.#pausedBy.size > 0) this.#exec?.pause();
    else this.#exec?.resume();
  }

  #send(message: MessageInitShape<typeof TerminalOutputSchema>["message"] & object): void {
    this.#page.send(toBinary(TerminalOutputSchema, create(TerminalOutputSchema, { message })));
  }

  /** @returns whether there is a recording, or none is wanted */
  async #startRecording(): Promise<boolean> {
    const { context, claims } = this.#parts;
    const { directory } = context.features.terminal_recording;
    if (directory === undefined) return true;
    const failed = (error: unknown): void => {
      context.log.error({ error }, "a terminal could not be recorded");
      this.#over.resolve({ end: TerminalEnd.NOT_RECORDED });
    };
    try {
      const slow = (isSlow: boolean): void => this.#pause("recording", isSlow);
      this.#recording = await Recording.start({ directory, claims, size: this.#size, clock: context.clock, slow, failed });
    } catch (error) {
      failed(error);
      return false;
    }
    return true;
  }
}
