import { connect, type ClientHttp2Session, type ClientHttp2Stream } from "node:http2";
import { connect as connectTcp, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectTls, TLSSocket } from "node:tls";

import { clientSessionOptions, encodeFrame, FrameReader, TUNNEL_SUBPROTOCOL, WebSocketDuplex } from "@binnacle/grpc-wire";
import { WebSocket } from "ws";

import { encodeAnswer, encodeAttackFrame } from "./attack-message.ts";
import type { AttackWorld } from "./attack-world.ts";
import { PATHS, type Attack, type Step } from "./attack.ts";
import { clientHello } from "./client-hello.ts";
import { encodeRawFrame, HTTP2_PREFACE } from "./raw-frame.ts";

/** A client that attacks; it stays until `leave`, and ignores all errors. */
export interface AttackClient {
  /** Settles when every step is done and what it wrote is on its way. */
  readonly done: Promise<void>;
  leave(): void;
}

const CONNECT_MS = 5_000;
const QUIET_MS = 250;
const QUIET_TURNS = 5;
/** An attacker has memory enough. */
const OWN_MEMORY_MB = 8_000;
/** Streams of one round have numbers of their own; even, so that odd ones stay odd. */
const STREAMS_A_ROUND = 100;

/** Lets one client attack. */
export function startAttackClient(world: AttackWorld, attack: Attack): AttackClient {
  const open: Duplex[] = [];
  const agents: { close(): void }[] = [];
  const leave = (): void => {
    for (const socket of open) socket.destroy();
    for (const agent of agents.splice(0)) agent.close();
  };
  const connectTo = async (): Promise<OpenSocket> => {
    const opened = await openSocket(world, attack);
    opened.socket.on("error", () => undefined);
    open.push(opened.socket);
    return opened;
  };
  const run = attack.speaks === "http2" ? runHttp2 : runRaw;
  const done = (async () => {
    const parts = splitAt(attack.steps);
    for (const [index, steps] of parts.entries()) {
      if (index > 0) leave();
      await run({ world, attack, steps, agents, ...(await connectTo()) });
    }
    // What an attacker cannot even begin has failed, and that is all.
  })().catch(() => undefined);
  return { done, leave };
}

interface Run extends OpenSocket {
  readonly world: AttackWorld;
  readonly attack: Attack;
  /** What connects besides, until the client leaves. */
  readonly agents: { close(): void }[];
  readonly steps: readonly Step[];
}

interface OpenSocket {
  readonly socket: Duplex;
  readonly sentBytes: () => number;
}

function splitAt(steps: readonly Step[]): readonly (readonly Step[])[] {
  const parts: Step[][] = [[]];
  for (const step of steps) {
    if (step.do === "leave") parts.push([]);
    else parts.at(-1)?.push(step);
  }
  return parts;
}

function openSocket(world: AttackWorld, { target, tls }: Attack): Promise<OpenSocket> {
  const address = world.addressOf(target);
  const [host = "", port = ""] = address.split(":");
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("no connection")), CONNECT_MS);
    const opened = (socket: Duplex, carrier: Socket): void => {
      clearTimeout(timer);
      resolve({ socket, sentBytes: () => carrier.bytesWritten });
    };
    if (target === "agent-websocket") {
      const options = { perMessageDeflate: false, rejectUnauthorized: false };
      const socket = new WebSocket(`${tls ? "wss" : "ws"}://${address}/-/kubernetes-agent/`, TUNNEL_SUBPROTOCOL, options);
      socket.once("error", reject);
      let carrier = new Socket();
      socket.once("upgrade", (response) => (carrier = response.socket));
      socket.once("open", () => opened(new WebSocketDuplex(socket), carrier));
    } else {
      const carrier = connectTcp(Number(port), host);
      carrier.once("error", reject);
      if (tls === undefined) carrier.once("connect", () => opened(carrier, carrier));
      else {
        const { alpn, servername, newest } = tls;
        const socket = connectTls({ socket: carrier, ALPNProtocols: alpn, servername, maxVersion: newest, rejectUnauthorized: false });
        socket.once("error", reject).once("secureConnect", () => opened(socket, carrier));
      }
    }
  });
}

async function runHttp2({ world, attack, steps, agents, socket, sentBytes }: Run): Promise<void> {
  const session = connect("http://attacker", {
    ...clientSessionOptions(),
    maxSessionMemory: OWN_MEMORY_MB,
    createConnection: () => socket,
  });
  session.on("error", () => undefined);
  const streams: OpenStreams = { sentBytes, all: new Map(), heard: 0 };
  for (let round = 0; round < attack.times; round += 1) {
    for (const step of steps) await runStep({ world, attack, session, agents, socket, streams: new Streams(streams, round) }, step);
  }
  await quiet(world, streams);
}

interface OpenStreams {
  /** What the socket has sent so far. */
  readonly sentBytes: () => number;
  readonly all: Map<number, ClientHttp2Stream>;
  /** Number of messages from kas. */
  heard: number;
}

/** The streams of one round: numbers mean other streams in each. */
class Streams {
  readonly #open: OpenStreams;
  readonly #offset: number;

  constructor(open: OpenStreams, round: number) {
    this.#open = open;
    this.#offset = round * STREAMS_A_ROUND;
  }

  get(stream: number): ClientHttp2Stream | undefined {
    return this.#open.all.get(stream + this.#offset);
  }

  set(stream: number, opened: ClientHttp2Stream): void {
    this.#open.all.set(stream + this.#offset, opened);
  }

  heard(): void {
    this.#open.heard += 1;
  }
}

interface Http2Run {
  readonly world: AttackWorld;
  readonly attack: Attack;
  readonly session: ClientHttp2Session;
  readonly agents: Run["agents"];
  readonly socket: Duplex;
  readonly streams: Streams;
}

async function runStep(run: Http2Run, step: Step): Promise<void> {
  const { world, attack, session, streams } = run;
  try {
    switch (step.do) {
      case "open": {
        const authorization = world.authorization(attack.target, step.token);
        const stream = session.request(
          {
            ":method": "POST",
            ":path": PATHS[step.path],
            "content-type": "application/grpc+proto",
            te: "trailers",
            "grpc-encoding": "gzip",
            ...(authorization === undefined ? {} : { authorization }),
            ...Object.fromEntries(Object.entries(step.headers).map(([name, value]) => [name, withAgent(world, value)])),
          },
          { endStream: false },
        );
        stream.on("error", () => undefined);
        for (const event of ["response", "trailers", "close"]) stream.on(event, () => streams.heard());
        if (step.path === "connect") answerOn(stream, attack);
        else stream.resume();
        return streams.set(step.stream, stream);
      }
      case "message":
        return void streams.get(step.stream)?.write(frameOf(step));
      case "end":
        return void streams.get(step.stream)?.end();
      case "reset":
        return streams.get(step.stream)?.close(step.code);
      case "ask":
        for (let count = 0; count < step.times; count += 1) void ask(world); // whatever comes of it
        return;
      case "wait":
        return await new Promise((resolve) => setTimeout(resolve, step.ms));
      case "tunnels":
        return await besides(run, step);
      // Node's own client of HTTP/2 ends its process over a renegotiation: raw clients do that.
      case "renegotiate":
      case "text":
      case "frame":
      case "hello":
      case "leave":
        return;
    }
  } catch {
    // Node's client refuses to send some nonsense; raw clients do that.
  }
}

type MessageStep = Extract<Step, { do: "message" }>;

const encoded = new WeakMap<Step, Buffer>();

/** Encodes what is the same each time: to compress a bomb keeps the neighbours waiting, who live in this process too. */
export function encodeAhead({ steps }: Attack): void {
  for (const step of steps) if (step.do === "message" && !isNewEachTime(step)) frameOf(step);
}

function frameOf(step: MessageStep): Buffer {
  const known = encoded.get(step);
  if (known !== undefined) return known;
  const frame = encodeAttackFrame(step.message, step);
  if (!isNewEachTime(step)) encoded.set(step, frame);
  return frame;
}

function isNewEachTime({ message }: MessageStep): boolean {
  return message.kind === "descriptor" && message.nonce;
}

/** Sends the answers of the attack when kas sends a request on this tunnel. */
function answerOn(stream: ClientHttp2Stream, { answers }: Attack): void {
  let isAnswered = false;
  let frames = 0;
  const reader = new FrameReader({}, { message: () => (frames += 1), packed: () => (frames += 1), piece: () => undefined });
  stream.on("data", (chunk: Buffer) => {
    try {
      if (!isAnswered) reader.push(chunk);
    } catch {
      return;
    }
    if (isAnswered || frames === 0) return;
    isAnswered = true;
    for (const answer of answers) {
      const times = "times" in answer ? answer.times : 1;
      const message = encodeAnswer(answer);
      const frame = message === undefined ? [] : encodeFrame([message]);
      for (let count = 0; count < times; count += 1) for (const piece of frame) stream.write(piece);
      if (answer.send === "end") stream.end();
      if (answer.send === "reset") stream.close(answer.code);
    }
  });
}

/** What is done beside what goes over the connection. */
async function besides({ world, agents, socket }: Pick<Run, "world" | "agents" | "socket">, step: Step): Promise<void> {
  if (step.do === "tunnels") agents.push(await world.openTunnels(step.count));
  if (step.do !== "renegotiate" || !(socket instanceof TLSSocket)) return;
  for (let count = 0; count < step.times && !socket.destroyed; count += 1) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, QUIET_MS);
      const isStarted = socket.renegotiate({}, () => {
        clearTimeout(timer);
        resolve();
      });
      if (isStarted === false) resolve();
    });
  }
}

function withAgent(world: AttackWorld, text: string): string {
  return text.replaceAll("{agent}", String(world.hostileAgent));
}

async function ask(world: AttackWorld): Promise<void> {
  try {
    await world.ask(world.authorization("k8s-proxy", "good") ?? "", CONNECT_MS);
  } catch {
    // An agent like that answers as it likes.
  }
}

/** Settles when kas has neither read nor sent anything for a while in which it has answered others, so it has handled the attack. */
async function quiet(world: AttackWorld, open: OpenStreams): Promise<void> {
  let [before, since, turns] = ["", performance.now(), 0];
  while (world.alive && (performance.now() - since <= QUIET_MS || turns < QUIET_TURNS)) {
    const now = `${open.sentBytes()} ${open.heard} ${await world.turn()}`;
    if (now !== before) [before, since, turns] = [now, performance.now(), 0];
    turns += 1;
  }
}

async function runRaw({ world, attack, steps, agents, socket }: Run): Promise<void> {
  // Reads all, heeds nothing.
  socket.resume();
  if (steps.some((step) => step.do === "frame")) socket.write(HTTP2_PREFACE);
  const hello = steps.some((step) => step.do === "hello") ? await clientHello() : Buffer.alloc(0);
  for (let round = 0; round < attack.times && !socket.destroyed; round += 1) {
    for (const step of steps) {
      const bytes = rawBytesOf({ world, attack, round, hello }, step);
      await besides({ world, agents, socket }, step);
      if (bytes === undefined && step.do === "wait") await new Promise((resolve) => setTimeout(resolve, step.ms));
      const times = "times" in step ? step.times : 1;
      if (bytes === undefined) continue;
      for (let count = 0; count < times && !socket.destroyed; count += 1) {
        if (!socket.write(bytes)) await Promise.race([drained(socket), new Promise((resolve) => setTimeout(resolve, QUIET_MS))]);
      }
    }
  }
}

function rawBytesOf(
  { world, attack, round, hello }: Pick<Run, "world" | "attack"> & { readonly round: number; readonly hello: Buffer },
  step: Step,
): Buffer | undefined {
  const filled = (text: string): string => {
    const of = (token: "good" | "unknown"): string => (world.authorization(attack.target, token) ?? "").replace(/^Bearer /, "");
    const unknown = attack.target === "k8s-proxy" ? `pat:${world.hostileAgent}:${of("unknown")}` : of("unknown");
    return withAgent(world, text).replaceAll("{good}", of("good")).replaceAll("{unknown}", unknown);
  };
  if (step.do === "text") return Buffer.from(filled(step.text), "latin1");
  if (step.do === "hello") return hello.subarray(0, Math.ceil(hello.length * step.sent));
  if (step.do !== "frame") return undefined;
  // Stream 0 is the connection in every round.
  return encodeRawFrame({ ...step, payload: filled(step.payload), stream: step.stream === 0 ? 0 : step.stream + STREAMS_A_ROUND * round });
}

function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    socket.once("drain", () => resolve());
    socket.once("close", () => resolve());
  });
}
