import { sleep } from "@binnacle/rpc";

import type { Status } from "../status.ts";
import { NO_INPUT, type ByteSink, type ByteSource } from "./byte-streams.ts";
import { SpdyConnection } from "./spdy-connection.ts";
import type { SpdyStream } from "./spdy-stream.ts";
import { acceptSpdy, acceptWebSocket, agree, type StreamSettings, type Upgrade } from "./upgrade.ts";
import { WebSocketChannels } from "./websocket-channels.ts";

/** Which streams a client of exec or attach asks for. */
export interface CommandOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** The streams of one exec or attach, whatever carries them. */
export interface CommandStreams {
  readonly stdin: ByteSource;
  readonly stdout: ByteSink | undefined;
  readonly stderr: ByteSink | undefined;
  /** JSON objects `{Width, Height}`, one after the other; present with a TTY. */
  readonly resize: ByteSource | undefined;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Reports the outcome and closes everything. */
  finish(status: Status): Promise<void>;
}

/** Old versions report failures as text. `v4` and `v5` report a Status in JSON. */
const SPDY_PROTOCOLS = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"];
const WEBSOCKET_PROTOCOLS = ["v5.channel.k8s.io", "v4.channel.k8s.io", "channel.k8s.io", ""];
const STREAMS_MS = 30_000;
const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/**
 * Upgrades a request to the streams of exec or attach.
 *
 * @throws StreamError 400 when no protocol is common
 * @returns `undefined` when the client did not open its streams in 30 s or left
 */
export async function openCommandStreams(
  upgrade: Upgrade,
  options: CommandOptions,
  settings: StreamSettings,
): Promise<CommandStreams | undefined> {
  const { transport, protocol } = agree(upgrade.request, { spdy: SPDY_PROTOCOLS, websocket: WEBSOCKET_PROTOCOLS });
  return transport === "spdy"
    ? overSpdy(upgrade, { ...options, protocol }, settings)
    : overWebSocket(upgrade, { ...options, protocol }, settings);
}

type Negotiated = CommandOptions & { readonly protocol: string };

/** Text of a Status for a protocol; nothing for a success that the protocol does not report. */
function statusText(protocol: string, status: Status): string {
  if (/^v[45]\./.test(protocol)) return JSON.stringify(status);
  return status.status === "Success" ? "" : (status.message ?? "");
}

async function overSpdy(upgrade: Upgrade, options: Negotiated, settings: StreamSettings): Promise<CommandStreams | undefined> {
  acceptSpdy(upgrade, options.protocol);
  const { clock, idleMs } = settings;
  const canResize = options.tty && /^v[34]\./.test(options.protocol);
  const expected = new Set(["error", ...(["stdin", "stdout", "stderr"] as const).filter((name) => options[name])]);
  if (options.tty) expected.delete("stderr");
  if (canResize) expected.add("resize");
  const streams = new Map<string, SpdyStream>();
  const complete = new AbortController();
  const connection = new SpdyConnection(upgrade.socket, "server", {
    clock,
    idleMs,
    head: upgrade.head,
    onStream: (stream) => {
      const type = stream.headers.get("streamtype") ?? "";
      if (!expected.has(type) || streams.has(type)) return `unexpected stream type ${type}`;
      streams.set(type, stream);
      return () => {
        if (streams.size === expected.size) complete.abort();
      };
    },
  });
  await sleep(clock, STREAMS_MS, AbortSignal.any([complete.signal, connection.signal]));
  if (!complete.signal.aborted) {
    await connection.close();
    return undefined;
  }
  return {
    stdin: streams.get("stdin") ?? NO_INPUT,
    stdout: streams.get("stdout"),
    stderr: streams.get("stderr"),
    resize: streams.get("resize"),
    signal: connection.signal,
    async finish(status) {
      streams.get("stdin")?.discard();
      const error = streams.get("error");
      // A client that left needs no outcome.
      await error?.write(statusText(options.protocol, status)).catch(() => undefined);
      for (const stream of streams.values()) await stream.end();
      await connection.close();
    },
  };
}

async function overWebSocket(upgrade: Upgrade, options: Negotiated, settings: StreamSettings): Promise<CommandStreams> {
  const socket = await acceptWebSocket(upgrade, options.protocol);
  const readable = [...(options.stdin ? [CHANNEL.stdin] : []), ...(options.tty ? [CHANNEL.resize] : [])];
  const channels = new WebSocketChannels(socket, readable, settings);
  const hasStderr = options.stderr && !options.tty;
  const first = options.stdout ? CHANNEL.stdout : hasStderr ? CHANNEL.stderr : CHANNEL.error;
  await channels.announce(first).catch(() => undefined);
  return {
    stdin: options.stdin ? channels.channel(CHANNEL.stdin) : NO_INPUT,
    stdout: options.stdout ? channels.channel(CHANNEL.stdout) : undefined,
    stderr: hasStderr ? channels.channel(CHANNEL.stderr) : undefined,
    resize: options.tty ? channels.channel(CHANNEL.resize) : undefined,
    signal: channels.signal,
    async finish(status) {
      channels.discard(CHANNEL.stdin);
      await channels
        .channel(CHANNEL.error)
        .write(statusText(options.protocol, status))
        .catch(() => undefined);
      channels.close();
    },
  };
}

/** Calls back with each size that the client reports; ends with the stream. Sizes that make no sense are skipped. */
export async function followResizes(
  source: ByteSource,
  resized: (size: { readonly columns: number; readonly rows: number }) => void,
): Promise<void> {
  for (let chunk = await source.read(); chunk !== undefined; chunk = await source.read()) {
    // client-go's encoder writes each object as one line and as one message.
    for (const line of chunk.toString().split("\n")) {
      const [width, height] = [/"Width": ?(\d{1,5})\b/, /"Height": ?(\d{1,5})\b/].map((field) => field.exec(line.slice(0, 200))?.[1]);
      if (width !== undefined && height !== undefined) resized({ columns: Number(width), rows: Number(height) });
    }
  }
}
