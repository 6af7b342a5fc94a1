import { connect } from "node:net";

import { Fault } from "@binnacle/rpc";

import { findExecutable } from "./executable.ts";
import type { RedisSetting } from "./kas-configuration.ts";
import type { SandboxDirectory } from "./sandbox-directory.ts";
import { startProgram } from "./start-program.ts";

/** The Redis of a sandbox. */
export interface SandboxRedis {
  readonly url: string;
  readonly setting: RedisSetting;
  /** Of a server that the sandbox started itself. */
  readonly pid?: number;
  stop(): Promise<void>;
}

/** A Redis program of this machine. */
export function findRedisServer(): string | undefined {
  return findExecutable("redis-server", "valkey-server");
}

/**
 * Uses the Redis of `--redis`.
 *
 * @throws Fault `store_unavailable` that names the flag when nothing listens there
 */
export async function useRedis(address: string, directory: SandboxDirectory): Promise<SandboxRedis> {
  const url = new URL(address);
  const port = url.port === "" ? 6379 : Number(url.port);
  if (!(await isListening(url.hostname, port))) throw new Fault("store_unavailable", `nothing listens at --redis ${url.hostname}:${port}`);
  return {
    url: address,
    setting: {
      address: `${url.hostname}:${port}`,
      username: url.username === "" ? undefined : decodeURIComponent(url.username),
      passwordFile: url.password === "" ? undefined : directory.write("secrets/redis", decodeURIComponent(url.password)),
      tls: url.protocol === "rediss:",
    },
    stop: async () => {},
  };
}

/** Starts a Redis that keeps nothing on disk. */
export async function startRedis(
  program: string,
  options: { readonly port: number; readonly directory: SandboxDirectory; readonly signal: AbortSignal },
): Promise<SandboxRedis> {
  const { port, directory, signal } = options;
  const logFile = directory.file("log", "redis.log");
  const argv = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", directory.file("run")];
  const { pid, stop } = await startProgram([program, ...argv], {
    logFile,
    isReady: () => isListening("127.0.0.1", port),
    failure: "store_unavailable",
    signal,
  });
  const setting = { address: `127.0.0.1:${port}`, username: undefined, passwordFile: undefined, tls: false };
  return { url: `redis://127.0.0.1:${port}`, setting, ...(pid === undefined ? {} : { pid }), stop };
}

function isListening(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    const done = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => done(true));
    socket.once("error", () => done(false));
    socket.once("timeout", () => done(false));
  });
}
