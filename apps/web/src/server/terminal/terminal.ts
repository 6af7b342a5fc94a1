import { KubeClientError } from "@binnacle/environment-view";
import { boundedWords } from "@binnacle/health";
import { TerminalEnd, TerminalInputSchema, TerminalOutputSchema, type TerminalOutput, type TerminalSize } from "@binnacle/proto/dashboard";
import { Fault, settlesWithin, sleep } from "@binnacle/rpc";
import { words } from "@binnacle/words";
import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import type { WebSocket } from "ws";

import type { BffContext } from "../bff-context.ts";
import { hasTerminal } from "../config/features.ts";
import type { OpenEnvironment } from "../resource/open-environment.ts";
import type { ViewerAccess } from "../session/viewer-access.ts";
import { CreditedOutput } from "../sockets/credited-output.ts";
import { CLOSE, PageSocket } from "../sockets/page-socket.ts";
import { actorOf } from "../upstream/actor-of.ts";
import { toSentWords } from "../wire/sent-words.ts";
import { Exec, PODS, type ExecEnd, type TerminalDimensions } from "./exec.ts";
import { Recording } from "./recording.ts";
import { TerminalAccess } from "./terminal-access.ts";
import { END_CODES, END_NAMES, wordsOf, type Ended } from "./terminal-end.ts";
import { TerminalRecord } from "./terminal-record.ts";
import { MAX_TERMINAL_SIZE, type TerminalClaims } from "./terminal-tickets.ts";

/** As often as the rights of a stream are proved. */
const CHECK_MS = 30_000;
/** Of checks without an answer in a row; with the next one access ends within the minute that the contract allows. */
const MAX_UNKNOWN_CHECKS = 2;
const REQUEST_MS = 60_000;
/** A program that is not there is known to be missing sooner; one that writes no prompt runs by then. */
const STARTED_MS = 1_000;
/** What waits for the page when the shell has ended is still sent, for so long. */
const LAST_OUTPUT_MS = 10_000;
const INPUT_WINDOW_BYTES = 32 * 1024;
const MAX_STDIN_BYTES = 16 * 1024;
const MAX_WITHHELD_BYTES = 4 * 1024;
const QUOTING = { most: 500, oneLine: false } as const;

/** Codes of a shell for a program that it cannot run, which runtimes use for the first program, too (POSIX, "Exit Status for Commands"). */
const NOT_RUN = new Set([126, 127]);
/** What runtimes say of a program that the image lacks: runc and crun, through containerd and CRI-O. */
const MISSING = /no such file or directory|exec failed/i;

/** What a terminal is made of. */
export interface TerminalParts {
  readonly context: BffContext;
  /** Its page. */
  readonly socket: WebSocket;
  readonly claims: TerminalClaims;
  readonly viewerAccess: ViewerAccess;
  /** Aborts when the viewer signs out; undefined for a session of the main application, whose end is seen when the access is checked. */
  readonly signedOut: AbortSignal | undefined;
  /** Aborts when this process stops. */
  readonly restart: AbortSignal;
}

/** One terminal between a page and a container, from the accepted ticket to the close of the socket. */
export class Terminal {
  readonly #parts: TerminalParts;
  readonly #access: TerminalAccess;
  readonly #page: PageSocket;
  readonly #output: CreditedOutput;
  readonly #over = Promise.withResolvers<Ended>();
  readonly #stop = new AbortController();
  readonly #pausedBy = new Set<"page" | "recording">();
  #drained = Promise.withResolvers<void>();
  #exec: Exec | undefined;
  #recording: Recording | undefined;
  #record: TerminalRecord | undefined;
  #size: TerminalDimensions;
  #sentSize: TerminalDimensions | undefined;
  #program = "";
  #hasStarted = false;
  /** Of a program that may not have started: shown when it has. */
  #withheld: Buffer[] = [];
  #startedMs = 0;
  #activeMs = 0;
  #isGranted = false;
  #inputCredit = 0;
  /** Input that was taken, and is not granted again yet. */
  #inputTaken = 0;
  #bytesIn = 0;
  #bytesOut = 0;

  constructor(parts: TerminalParts) {
    const { clock } = parts.context;
    this.#parts = parts;
    this.#access = new TerminalAccess(parts.context, parts);
    this.#size = parts.claims;
    this.#page = new PageSocket(parts.socket, {
      clock,
      events: { received: (message) => this.#receive(message), closed: () => this.#over.resolve({ end: undefined }) },
    });
    this.#output = new CreditedOutput({
      send: (stdout) => this.#send({ case: "stdout", value: stdout }),
      pause: () => this.#pause("page", true),
      resume: () => this.#pause("page", false),
      drained: () => this.#drained.resolve(),
    });
  }

  /** Settles when it has ended and nothing of it is left, with a word for how it did. Never rejects. */
  async run(): Promise<string> {
    const { context, signedOut, restart } = this.#parts;
    const { clock } = context;
    this.#startedMs = clock.now();
    const endWith = (end: TerminalEnd) => (): void => this.#over.resolve({ end });
    const [onSignedOut, onRestart] = [endWith(TerminalEnd.SIGNED_OUT), endWith(TerminalEnd.RESTART)];
    signedOut?.addEventListener("abort", onSignedOut);
    restart.addEventListener("abort", onRestart);
    if (signedOut?.aborted === true) onSignedOut();
    if (restart.aborted) onRestart();
    this.#serve().then(
      (ended) => this.#over.resolve(ended),
      (error: unknown) => this.#over.resolve(this.#endOf(error)),
    );
    const ended = await this.#over.promise;
    this.#stop.abort();
    signedOut?.removeEventListener("abort", onSignedOut);
    restart.removeEventListener("abort", onRestart);
    this.#exec?.stop();
    this.#output.drop();
    const { end, exitCode, words: why } = ended;
    if (end === undefined) this.#page.close(CLOSE.done);
    else {
      const code = exitCode === undefined ? {} : { exitCode };
      this.#send({ case: "ended", value: { end, ...code, ...(why === undefined ? {} : { words: toSentWords(why) }) } });
      this.#page.close(END_CODES[end] ?? CLOSE.done);
    }
    await this.#recording?.end();
    const [bytesIn, bytesOut] = [this.#bytesIn, this.#bytesOut];
    const outcome = end === undefined ? "client_left" : (END_NAMES[end] ?? "unknown");
    this.#record?.ended({ outcome, exitCode, program: this.#program, bytesIn, bytesOut }, clock.now() - this.#startedMs);
    return outcome;
  }

  /** From the first request to the end of the shell. */
  async #serve(): Promise<Ended> {
    const { context, claims } = this.#parts;
    const signal = this.#stop.signal;
    const opened = await this.#access.open(this.#stop.signal);
    const { access, environment } = opened;
    if (!hasTerminal(context.features, environment.tier))
      return { end: TerminalEnd.REFUSED, words: words("terminal/off", { environment: environment.name }) };
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    const pod = await access.client.get({ kind: PODS, namespace: claims.namespace, name: claims.pod }, inTime);
    if (pod.metadata.uid !== claims.uid) return { end: TerminalEnd.REFUSED, words: words("action/replaced") };
    const actor = await actorOf(context, opened, inTime);
    if (!(await this.#startRecording())) return { end: TerminalEnd.NOT_RECORDED };
    if (signal.aborted) return { end: undefined };
    this.#record = new TerminalRecord(context.log, { actor, claims, recorded: this.#recording !== undefined });
    this.#record.begun();
    this.#activeMs = context.clock.now();
    void this.#watchAccess(); // resolves `#over`, never rejects
    void this.#watchTime(); // the same
    for (const program of claims.shells) {
      const ended = await this.#attempt(opened, program);
      if (signal.aborted) return { end: undefined };
      if (ended.kind === "lost") return this.#whyLost();
      if (this.#isMissing(ended)) {
        this.#withheld = [];
        this.#hasStarted = false;
        continue;
      }
      this.#start(program);
      this.#drained = Promise.withResolvers();
      if (this.#output.heldBytes > 0) await settlesWithin(this.#drained.promise, LAST_OUTPUT_MS, context.clock);
      const { exitCode, message } = ended;
      return { end: TerminalEnd.EXITED, ...(exitCode === undefined ? { words: boundedWords(message, QUOTING) } : { exitCode }) };
    }
    return { end: TerminalEnd.NO_SHELL };
  }

  /** Runs one program to its end. */
  async #attempt({ access }: OpenEnvironment, program: string): Promise<ExecEnd> {
    const { clock } = this.#parts.context;
    const target = { ...this.#parts.claims, program };
    const exec = await Exec.start(access, { target, output: (bytes) => this.#receiveOutput(program, bytes) }, this.#stop.signal);
    this.#exec = exec;
    this.#sentSize = undefined;
    this.#sendSize();
    if (this.#pausedBy.size === 0) exec.resume();
    const cancel = clock.after(STARTED_MS, () => this.#start(program));
    try {
      return await exec.ended;
    } finally {
      cancel();
      exec.stop();
    }
  }

  #receiveOutput(program: string, bytes: Buffer): void {
    if (this.#stop.signal.aborted) return;
    this.#activeMs = this.#parts.context.clock.now();
    if (this.#hasStarted) return this.#show(bytes);
    this.#withheld.push(bytes);
    const text = Buffer.concat(this.#withheld);
    // Some runtimes write to the terminal that there is no such program.
    if (text.length > MAX_WITHHELD_BYTES || !isMissing(text.toString("latin1"))) this.#start(program);
  }

  #show(bytes: Buffer): void {
    this.#bytesOut += bytes.length;
    this.#recording?.output(bytes);
    this.#output.push(bytes);
  }

  /** From now on the page can type. */
  #start(program: string): void {
    if (this.#hasStarted || this.#stop.signal.aborted) return;
    this.#hasStarted = true;
    this.#program = program;
    this.#send({ case: "started", value: { shell: program } });
    if (!this.#isGranted) {
      this.#isGranted = true;
      this.#inputCredit = INPUT_WINDOW_BYTES;
      this.#send({ case: "credit", value: INPUT_WINDOW_BYTES });
    }
    for (const bytes of this.#withheld.splice(0)) this.#show(bytes);
  }

  #isMissing(ended: Extract<ExecEnd, { kind: "ended" }>): boolean {
    if (this.#bytesIn > 0 || this.#bytesOut > 0) return false;
    return (ended.exitCode !== undefined && NOT_RUN.has(ended.exitCode)) || isMissing(ended.message);
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
    if (bytes.length > Math.min(MAX_STDIN_BYTES, this.#inputCredit)) return this.#reject();
    this.#inputCredit -= bytes.length;
    this.#bytesIn += bytes.length;
    this.#activeMs = this.#parts.context.clock.now();
    this.#exec?.write(bytes, () => {
      this.#inputTaken += bytes.length;
      if (this.#inputTaken < INPUT_WINDOW_BYTES / 2) return;
      this.#inputCredit += this.#inputTaken;
      this.#send({ case: "credit", value: this.#inputTaken });
      this.#inputTaken = 0;
    });
  }

  #resize({ columns, rows }: TerminalSize): void {
    if (![columns, rows].every((size) => size >= 1 && size <= MAX_TERMINAL_SIZE)) return this.#reject();
    this.#size = { columns, rows };
    this.#recording?.resize(this.#size);
    this.#sendSize();
  }

  /** One at a time: of sizes that come faster than the way takes them only the last one counts. */
  #sendSize(): void {
    const exec = this.#exec;
    if (exec === undefined || this.#sentSize !== undefined) return;
    const size = this.#size;
    this.#sentSize = size;
    exec.resize(size, () => {
      if (this.#exec !== exec) return;
      this.#sentSize = undefined;
      if (this.#size !== size) this.#sendSize();
    });
  }

  /** What no page of ours sends. */
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
    const output: TerminalOutput = create(TerminalOutputSchema, { message });
    this.#page.send(toBinary(TerminalOutputSchema, output));
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

  async #watchTime(): Promise<void> {
    const { clock, features } = this.#parts.context;
    const { idle_timeout: idleMs, max_duration: maxMs } = features.terminal_session;
    while (!this.#stop.signal.aborted) {
      const now = clock.now();
      const [idleLeftMs, leftMs] = [this.#activeMs + idleMs - now, this.#startedMs + maxMs - now];
      if (leftMs <= 0) return this.#over.resolve({ end: TerminalEnd.TOO_LONG });
      if (idleLeftMs <= 0) return this.#over.resolve({ end: TerminalEnd.IDLE });
      await sleep(clock, Math.min(idleLeftMs, leftMs), this.#stop.signal);
    }
  }

  /** What the cluster decided when the terminal began holds for no longer than a minute. */
  async #watchAccess(): Promise<void> {
    let unknown = 0;
    for (;;) {
      await sleep(this.#parts.context.clock, CHECK_MS, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      const ended = await this.#access.check(this.#stop.signal);
      unknown = ended === "unknown" ? unknown + 1 : 0;
      if (unknown >= MAX_UNKNOWN_CHECKS) return this.#over.resolve({ end: TerminalEnd.WITHDRAWN, words: words("terminal/not-checked") });
      if (ended !== undefined && ended !== "unknown") return this.#over.resolve(ended);
    }
  }

  /** kas cuts the connection when it finds that the access was withdrawn, and cannot say so in it. */
  async #whyLost(): Promise<Ended> {
    const ended = await this.#access.check(this.#stop.signal);
    return ended === undefined || ended === "unknown" ? { end: TerminalEnd.LOST } : ended;
  }

  #endOf(error: unknown): Ended {
    if (this.#stop.signal.aborted) return { end: undefined };
    if (error instanceof KubeClientError) return { end: TerminalEnd.REFUSED, words: error.words };
    if (error instanceof Fault && error.reason === "session_ended") return { end: TerminalEnd.SIGNED_OUT };
    if (error instanceof Fault) return { end: TerminalEnd.REFUSED, words: wordsOf(error) };
    this.#parts.context.log.error({ error }, "a terminal failed");
    return { end: TerminalEnd.LOST };
  }
}

/** Whether a runtime says that there is no such program. */
function isMissing(text: string): boolean {
  return MISSING.test(text) || (text.includes("executable file") && text.includes("not found"));
}
