import type { ServerResponse } from "node:http";

import { systemClock, type Clock } from "@binnacle/rpc";

import type { Container } from "./containers/container.ts";
import { runCommand, sendOutput } from "./exec.ts";
import { logInstance, parseLogQuery, type LogInstance } from "./logs/log-query.ts";
import { logBytes, type LogContext } from "./logs/log-stream.ts";
import type { Pod, PodContainer, PodSource } from "./pod.ts";
import { chooseContainer, PodContainers, requireRunning } from "./pod-containers.ts";
import { badRequest, exitCodeOf, StreamError, type Status } from "./status.ts";
import { serveEcho, servePortForward } from "./streams/port-forward.ts";
import { openCommandStreams, type CommandOptions, type CommandStreams } from "./streams/remote-command.ts";
import type { StreamSettings, Upgrade } from "./streams/upgrade.ts";

/** What the streams of pods are served from. */
export interface PodStreamsOptions {
  readonly pods: PodSource;
  /** The shell of an ephemeral container has ended: its status is to say so. */
  readonly ended?: (pod: Pod, container: PodContainer, end: ContainerEnd) => void | Promise<void>;
  readonly clock?: Clock;
  /** An upgraded connection without a byte for so long is closed; 4 h by default, as the kubelet's. */
  readonly idleMs?: number;
}

/** How a container ended, as its status has it. */
export interface ContainerEnd {
  readonly exitCode: number;
  readonly finishedMs: number;
}

/** Which container a request is for. */
export interface ContainerTarget {
  readonly namespace: string;
  readonly pod: string;
  /** The only container when absent. */
  readonly container?: string | undefined;
}

const IDLE_MS = 4 * 60 * 60 * 1000;
const MAX_COMMAND_BYTES = 256 * 1024;

/**
 * Exec, attach, port-forward and logs of simulated containers. Every method rejects with a `StreamError` before it has upgraded or written
 * anything, and resolves when the connection is over.
 */
export class PodStreams {
  readonly #pods: PodSource;
  readonly #settings: StreamSettings;
  readonly #containers: PodContainers;
  readonly #ended: PodStreamsOptions["ended"];

  constructor({ pods, ended, clock = systemClock, idleMs = IDLE_MS }: PodStreamsOptions) {
    this.#pods = pods;
    this.#ended = ended;
    this.#settings = { clock, idleMs };
    this.#containers = new PodContainers(clock);
  }

  /** Runs a program in a container. @throws StreamError */
  async exec(upgrade: Upgrade, target: ContainerTarget, request: CommandOptions & { readonly command: readonly string[] }): Promise<void> {
    const { pod, container } = await this.#find(target);
    requireRunning(pod, container);
    if (request.command.length === 0 || request.command[0] === "")
      throw badRequest("you must specify at least 1 command for the container");
    if (request.command.join("").length > MAX_COMMAND_BYTES) throw badRequest("argument list too long");
    const simulated = this.#containers.get(pod, container);
    await this.#serve(upgrade, request, (streams) => runCommand(simulated, request, streams));
  }

  /** Joins the container's own program: a shell when its spec has `stdin`, its log otherwise. @throws StreamError */
  async attach(upgrade: Upgrade, target: ContainerTarget, options: CommandOptions): Promise<void> {
    const { pod, container } = await this.#find(target);
    requireRunning(pod, container);
    if (options.tty && !container.tty) throw badRequest(`unable to upgrade: container ${container.name} has no TTY`);
    const simulated = this.#containers.get(pod, container);
    await this.#serve(upgrade, options, (streams) => {
      if (container.isInteractive && options.stdin) return this.#runShell({ pod, container, simulated }, options.tty, streams);
      const query = parseLogQuery(new URLSearchParams("follow=true&tailLines=0"), this.#settings.clock.now());
      const instance = logInstance(pod, container, false);
      return sendOutput(logBytes(instance, query, this.#logContext(pod, container, { instance, signal: streams.signal })), streams);
    });
  }

  /** Connects to ports of a pod's containers. @throws StreamError */
  async portForward(upgrade: Upgrade, target: ContainerTarget, ports: readonly string[]): Promise<void> {
    const pod = await this.#findPod(target);
    if (pod.phase !== "Running") throw badRequest(`unable to forward port because pod is not running. Current status=${pod.phase}`);
    const open = new Set(pod.containers.filter(({ state }) => state.kind === "running").flatMap((container) => container.ports));
    await servePortForward(
      upgrade,
      {
        ports,
        forward: async (port, connection) => {
          if (!open.has(port)) {
            const why = `failed to connect to localhost:${port} inside namespace: dial tcp4 127.0.0.1:${port}: connect: connection refused`;
            return `error forwarding port ${port} to pod ${pod.name}, uid ${pod.uid}: ${why}`;
          }
          await serveEcho(port, connection, pod.name);
          return undefined;
        },
      },
      this.#settings,
    );
  }

  /**
   * Writes a container's log as text; ends the response.
   *
   * @param signal aborts when the client is gone
   * @throws StreamError before anything is written
   */
  async log(
    response: ServerResponse,
    target: ContainerTarget,
    { query, signal }: { readonly query: URLSearchParams; readonly signal: AbortSignal },
  ): Promise<void> {
    const { pod, container } = await this.#find(target);
    const parsed = parseLogQuery(query, this.#settings.clock.now());
    const instance = logInstance(pod, container, parsed.previous);
    response.writeHead(200, { "content-type": "text/plain", "cache-control": "no-cache, private" });
    response.flushHeaders();
    for await (const chunk of logBytes(instance, parsed, this.#logContext(pod, container, { instance, signal }))) {
      if (response.write(chunk) || response.destroyed) continue;
      await new Promise<void>((resolve) => {
        const done = (): void => {
          response.off("drain", done);
          response.off("close", done);
          resolve();
        };
        response.on("drain", done);
        response.on("close", done);
      });
    }
    response.end();
  }

  /** The program of an interactive container: an ephemeral one ends with it. */
  async #runShell(
    { pod, container, simulated }: { readonly pod: Pod; readonly container: PodContainer; readonly simulated: Container },
    tty: boolean,
    streams: CommandStreams,
  ): Promise<Status> {
    const status = await runCommand(simulated, { command: ["sh"], tty }, streams);
    // A client that leaves takes the shell along only where the input is open once.
    const hasEnded = !streams.signal.aborted || container.stdinOnce;
    if (container.kind === "ephemeral" && hasEnded)
      await this.#ended?.(pod, container, { exitCode: exitCodeOf(status), finishedMs: this.#settings.clock.now() });
    return status;
  }

  async #findPod({ namespace, pod: name }: ContainerTarget): Promise<Pod> {
    const pod = await this.#pods(namespace, name);
    if (pod === undefined) throw new StreamError(404, "NotFound", `pods "${name}" not found`);
    if (pod.nodeName === undefined) throw badRequest(`pod ${name} does not have a host assigned`);
    return pod;
  }

  async #find(target: ContainerTarget): Promise<{ readonly pod: Pod; readonly container: PodContainer }> {
    const pod = await this.#findPod(target);
    return { pod, container: chooseContainer(pod, target.container) };
  }

  async #serve(upgrade: Upgrade, options: CommandOptions, run: (streams: CommandStreams) => Promise<Status>): Promise<void> {
    if (!options.stdin && !options.stdout && !options.stderr) throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
    const streams = await openCommandStreams(upgrade, options, this.#settings);
    if (streams !== undefined) await streams.finish(await run(streams));
  }

  #logContext(pod: Pod, container: PodContainer, of: { readonly instance: LogInstance; readonly signal: AbortSignal }): LogContext {
    const { clock } = this.#settings;
    return {
      clock,
      signal: of.signal,
      endedMs: async () => {
        const now = await this.#pods(pod.namespace, pod.name);
        const present = now?.uid === pod.uid ? now.containers.find((one) => one.name === container.name) : undefined;
        if (present?.state.kind === "running" && present.restartCount === of.instance.restart) return undefined;
        // The start may have been written again by a kubelet that was restarted; the run is the same.
        const ended = present?.restartCount === of.instance.restart ? present.state : present?.lastTermination;
        return ended?.kind === "terminated" ? Math.max(ended.finishedMs, of.instance.profile.startedMs) : clock.now();
      },
    };
  }
}
