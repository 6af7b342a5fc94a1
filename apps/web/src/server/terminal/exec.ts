import { fieldsAt, listAt, namespacedKind, objectPath, parseJson, textAt } from "@binnacle/kube";
import type { RawData, WebSocket } from "ws";

import type { KasAccess } from "../kas/kas-access.ts";

/** Pods, as requests name them. */
export const PODS = namespacedKind({ group: "", version: "v1", kind: "Pod", resource: "pods" });

/** A program in a container. */
export interface ExecTarget {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly program: string;
}

/** In characters. */
export interface TerminalDimensions {
  readonly columns: number;
  readonly rows: number;
}

/** How an exec ended: with a status of the cluster, or because its connection broke. */
export type ExecEnd =
  { readonly kind: "ended"; readonly exitCode: number | undefined; readonly message: string } | { readonly kind: "lost" };

/** The API server reads 32 KiB at a time from a container. */
const MAX_MESSAGE_BYTES = 64 * 1024;
/** The API server's own order of preference; both have an exit code (`k8s.io/apimachinery/pkg/util/remotecommand`). */
const PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
/** Numbers of the channels of those protocols: the first byte of each message. With a terminal nothing comes on that of stderr, 2. */
const CHANNEL = { stdin: 0, stdout: 1, error: 3, resize: 4 } as const;

/** A program in a container with a terminal, over a WebSocket to the Kubernetes API. */
export class Exec {
  /** Settles once. */
  readonly ended: Promise<ExecEnd>;
  readonly #socket: WebSocket;
  #size: TerminalDimensions | undefined;
  #isSendingSize = false;

  private constructor(socket: WebSocket, output: (bytes: Buffer) => void) {
    this.#socket = socket;
    socket.binaryType = "nodebuffer";
    this.ended = new Promise((resolve) => {
      socket.on("message", (data: RawData) => {
        // Set by binaryType.
        const message = data as Buffer;
        const channel = message[0];
        const bytes = message.subarray(1);
        if (channel === CHANNEL.error) resolve(endOf(bytes));
        else if (channel === CHANNEL.stdout && bytes.length > 0) output(bytes);
      });
      socket.once("close", () => resolve({ kind: "lost" }));
    });
  }

  /**
   * Starts the program as the viewer. Nothing is read of it before `resume`, and its connection is cut when `signal` aborts.
   *
   * @param output is called with what it writes
   * @throws KubeClientError; Fault when the viewer's credential cannot be had
   */
  static async start(
    access: Pick<KasAccess, "openSocket">,
    { target, output }: { readonly target: ExecTarget; readonly output: (bytes: Buffer) => void },
    signal: AbortSignal,
  ): Promise<Exec> {
    const { namespace, pod, container, program } = target;
    const query = new URLSearchParams({ container, command: program, stdin: "true", stdout: "true", tty: "true" });
    const path = `${objectPath(PODS, { namespace, name: pod }, "exec")}?${query}`;
    return new Exec(await access.openSocket({ path, protocols: PROTOCOLS, mostMessageBytes: MAX_MESSAGE_BYTES }, signal), output);
  }

  /** @param taken called when the bytes have left this process */
  write(bytes: Uint8Array, taken: () => void): void {
    this.#send(CHANNEL.stdin, bytes, taken);
  }

  /** While a size is being sent only the last one of those that follow counts. */
  resize(size: TerminalDimensions): void {
    this.#size = size;
    if (this.#isSendingSize) return;
    this.#isSendingSize = true;
    this.#send(CHANNEL.resize, Buffer.from(JSON.stringify({ Width: size.columns, Height: size.rows })), () => {
      this.#isSendingSize = false;
      if (this.#size !== undefined && this.#size !== size) this.resize(this.#size);
    });
  }

  /** Output that is not read yet waits where it is. */
  pause(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.pause();
  }

  resume(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.resume();
  }

  /** Cuts the connection, upon which a kubelet ends the terminal's program with SIGHUP. */
  stop(): void {
    this.#socket.terminate();
  }

  #send(channel: number, bytes: Uint8Array, taken: () => void): void {
    // What is sent into a connection that has ended is lost; its end is an event of its own.
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(Buffer.concat([Buffer.from([channel]), bytes]), () => taken());
  }
}

/** A `Status` of the error channel: a program that ended with another code than 0 has a cause `ExitCode`. */
function endOf(bytes: Buffer): ExecEnd {
  const status = parseJson(bytes.toString("utf8"));
  const message = textAt(status, "message");
  if (textAt(status, "status") === "Success") return { kind: "ended", exitCode: 0, message: "" };
  const cause = listAt(fieldsAt(status, "details"), "causes").find((each) => textAt(each, "reason") === "ExitCode");
  const code = /^\d{1,3}$/.exec(textAt(cause, "message"))?.[0];
  return { kind: "ended", exitCode: code === undefined ? undefined : Number(code), message };
}
