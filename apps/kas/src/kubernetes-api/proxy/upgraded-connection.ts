import type { OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";

import { copyWithBudget, HTTP_REQUEST_UPGRADE_DATA, TurnBatch, wrapBytes, writeInTurn } from "@binnacle/grpc-wire";
import type { Clock, Fault } from "@binnacle/rpc";

import type { AgentCall } from "../../agent-call/agent-call.ts";
import type { UpgradedEnd } from "../../http-exchange/http-exchange.ts";
import { IdleTimer } from "../../http-exchange/idle-timer.ts";
import { closeSocket, type UpgradeResponse } from "../http/upgrade-response.ts";

/** How an upgraded connection ended. */
export const UPGRADE_OUTCOMES = [
  "ended",
  "client_left",
  "access_withdrawn",
  "idle",
  "too_long",
  "stalled",
  "agent_lost",
  "draining",
] as const;
export type UpgradeOutcome = (typeof UPGRADE_OUTCOMES)[number];

/** How long upgraded connections may last, and who counts them. */
export interface UpgradeRules {
  /** Without a byte in either direction, in milliseconds. */
  readonly idleMs: number;
  /** From the 101 on, in milliseconds. */
  readonly maxMs: number;
  /** Called at a 101. */
  readonly onOpened?: () => void;
  /** Called once for each that was opened. */
  readonly onEnded?: (outcome: UpgradeOutcome) => void;
}

/** What one connection is made of. */
export interface UpgradedConnectionOptions {
  readonly response: UpgradeResponse;
  /** Headers of the 101 beside those that name the protocol. */
  readonly headers: OutgoingHttpHeaders;
  readonly call: AgentCall;
  readonly clock: Clock;
  readonly rules: UpgradeRules;
}

/** A peer that takes nothing for so long while bytes wait for it has its connection cut (T14). */
const STALL_MS = 20_000;
/** Largest message to an agent of ours, and to others (docs/design/tunnel.md "Bytes on the way"). */
const MESSAGE_BYTES = { ours: 64 * 1024, others: 32 * 1024 } as const;
/** How long the cluster may be silent when the client has ended its half: Go agents do not tell it. */
const HALF_CLOSED_MS = 30_000;

/**
 * Bytes between a client's socket and the call that transports them, from the 101 on, for the Kubernetes API and for services alike. They
 * are not parsed: when access is withdrawn both sides are cut, and the reason goes to the audit record and the metrics.
 */
export class UpgradedConnection implements UpgradedEnd {
  readonly #socket: Socket;
  readonly #call: AgentCall;
  readonly #clock: Clock;
  readonly #rules: UpgradeRules;
  readonly #idle: IdleTimer;
  /** Of the client, and of the agent. */
  readonly #reader: IdleTimer;
  readonly #agent: IdleTimer;
  readonly #cancelMax: () => void;
  readonly #toAgent: TurnBatch;
  /** Bytes that waited for the client when it was last looked at. */
  #unread = 0;
  #clientEnded = false;
  #outcome: UpgradeOutcome | undefined;
  #bytesIn = 0;
  #bytesOut = 0;

  /** Sends the 101, and begins. */
  constructor({ response, headers, call, clock, rules }: UpgradedConnectionOptions) {
    const { socket, early } = response.switchProtocols(headers);
    this.#socket = socket;
    this.#call = call;
    this.#clock = clock;
    this.#rules = rules;
    this.#toAgent = new TurnBatch(MESSAGE_BYTES[call.agentIsOurs === true ? "ours" : "others"], (chunks) => this.#writeToAgent(chunks));
    this.#idle = new IdleTimer(clock, () => this.cut(this.#clientEnded ? "client_left" : "idle"));
    this.#reader = new IdleTimer(clock, () => this.#lookAtReader());
    this.#agent = new IdleTimer(clock, () => this.cut("stalled"));
    this.#cancelMax = clock.after(rules.maxMs, () => this.cut("too_long"));
    this.#idle.start(rules.idleMs);
    socket.on("drain", () => this.#reader.stop());
    socket.once("close", () => this.#closed());
    rules.onOpened?.();
    this.#send(early);
  }

  get bytesIn(): number {
    return this.#bytesIn;
  }

  get bytesOut(): number {
    return this.#bytesOut;
  }

  /** Why it ended; `client_left` unless kas or the agent ended it. */
  get outcome(): UpgradeOutcome {
    return this.#outcome ?? "client_left";
  }

  data(bytes: Uint8Array): boolean {
    if (this.#outcome !== undefined || this.#socket.destroyed) return true;
    this.#bytesOut += bytes.byteLength;
    this.#idle.touch();
    if (writeInTurn(this.#socket, bytes)) return true;
    this.#awaitReader();
    return false;
  }

  end(fault?: Fault): void {
    if (this.#outcome !== undefined || this.#socket.destroyed) return;
    this.#outcome = fault === undefined ? "ended" : "agent_lost";
    this.#stopTimers();
    // The last words are still on their way.
    if (this.#socket.writableLength > 0) this.#awaitReader();
    closeSocket(this.#socket, this.#clock);
  }

  /** Ends both sides at once. */
  cut(outcome: UpgradeOutcome): void {
    this.#outcome ??= outcome;
    this.#call.cancel();
    this.#socket.destroy();
  }

  #send(early: readonly Buffer[]): void {
    let resume = (): void => {};
    const write = (chunk: Uint8Array): boolean => this.#write(chunk);
    this.#call.onDrain(() => {
      this.#toAgent.drained();
      this.#agent.stop();
      resume();
    });
    let hasRoom = true;
    for (const chunk of early) hasRoom = write(chunk);
    const sink = { write, onDrain: (again: () => void) => ((resume = again), () => {}) };
    copyWithBudget(this.#socket, sink).then(
      () => this.#halfClose(),
      // The code that closed it has set the outcome.
      () => {},
    );
    if (hasRoom) this.#socket.resume();
  }

  #write(chunk: Uint8Array): boolean {
    // What comes behind the end of the other side is thrown away.
    if (this.#outcome !== undefined) return true;
    this.#bytesIn += chunk.byteLength;
    this.#idle.touch();
    return this.#toAgent.write(chunk);
  }

  #writeToAgent(chunks: readonly Uint8Array[]): boolean {
    if (this.#outcome !== undefined || this.#call.write(wrapBytes(HTTP_REQUEST_UPGRADE_DATA, chunks))) return true;
    this.#agent.start(STALL_MS);
    return false;
  }

  /** The client sends no more. */
  #halfClose(): void {
    if (this.#outcome !== undefined) return;
    this.#clientEnded = true;
    this.#toAgent.flush();
    this.#call.closeSend();
    this.#idle.start(Math.min(HALF_CLOSED_MS, this.#rules.idleMs));
  }

  #awaitReader(): void {
    this.#unread = this.#socket.writableLength;
    this.#reader.start(STALL_MS);
  }

  /** A slow reader is none that stalls. */
  #lookAtReader(): void {
    if (this.#socket.writableLength < this.#unread) this.#awaitReader();
    else if (this.#socket.writableLength > 0) this.cut("stalled");
  }

  #closed(): void {
    this.#stopTimers();
    this.#reader.stop();
    this.#outcome ??= "client_left";
    this.#rules.onEnded?.(this.#outcome);
  }

  #stopTimers(): void {
    this.#cancelMax();
    this.#idle.stop();
    this.#agent.stop();
  }
}
