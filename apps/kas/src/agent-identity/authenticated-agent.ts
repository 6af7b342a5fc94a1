import type { ServerHttp2Stream } from "node:http2";

import { Fault } from "@binnacle/rpc";
import { createContextKey, type ContextValues, type HandlerContext } from "@connectrpc/connect";

import type { AgentInfo } from "../main-application/agent-info.ts";

/** The agent of a stream, and who wants to know the version that it sends in `AgentMeta`. */
interface StreamAgent {
  readonly info: AgentInfo;
  readonly onMetaVersion: (version: string) => void;
}

const agents = new WeakMap<ServerHttp2Stream, StreamAgent>();
const AGENT = createContextKey<StreamAgent | undefined>(undefined, { description: "agent whose token was checked" });

/** The token of the stream is this agent's. Kept beside the stream, where no client can write. */
export function rememberAgent(stream: ServerHttp2Stream, info: AgentInfo, onMetaVersion: (version: string) => void): void {
  agents.set(stream, { info, onMetaVersion });
}

/** Hands it to the typed handlers of the stream. */
export function passAgent(stream: ServerHttp2Stream, values: ContextValues): void {
  values.set(AGENT, agents.get(stream));
}

/** The agent that calls. @throws Fault `token_missing` when the listener has checked nothing */
export function agentOf(context: HandlerContext): AgentInfo {
  const info = context.values.get(AGENT)?.info;
  if (!info) throw new Fault("token_missing", "an agent token is needed: authorization: Bearer <token>");
  return info;
}

/** Passes on the version that the agent sends in the `AgentMeta` of its request. */
export function noteMetaVersion(context: HandlerContext, version: string | undefined): void {
  if (version !== undefined) context.values.get(AGENT)?.onMetaVersion(version);
}
