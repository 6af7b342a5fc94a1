import { create, toBinary } from "@bufbuild/protobuf";
import { encodeFrame, valuesOfMetadata, type GrpcStatus, type Metadata } from "@binnacle/grpc-wire";
import { ConnectRequestSchema, type ConnectRequest } from "@binnacle/proto/reverse-tunnel";

import type { AgentMethods } from "./agent-call.ts";

const descriptors = new WeakMap<AgentMethods, readonly Uint8Array[]>();

/** Frame that tells kas what this agent can be asked; made once, for thousands of tunnels say the same. */
export function descriptorFrame(methods: AgentMethods): readonly Uint8Array[] {
  let frame = descriptors.get(methods);
  if (frame === undefined) {
    frame = encodeDescriptor(methods.keys());
    descriptors.set(methods, frame);
  }
  return frame;
}

function encodeDescriptor(methods: Iterable<string>): Uint8Array[] {
  const services = new Map<string, string[]>();
  for (const method of methods) {
    const [, service = "", name = ""] = method.split("/");
    services.set(service, [...(services.get(service) ?? []), name]);
  }
  const described = [...services].map(([name, names]) => ({ name, methods: names.map((method) => ({ name: method })) }));
  return frameOf({ case: "descriptor", value: { agentDescriptor: { services: described } } });
}

const NO_HEADER = frameOf({ case: "header", value: {} });
const TRAILER = frameOf({ case: "trailer", value: {} });

/** Frame with the response headers of a call. */
export function headerFrame(metadata: Metadata): readonly Uint8Array[] {
  if (metadata.size === 0) return NO_HEADER;
  return frameOf({ case: "header", value: { meta: valuesOfMetadata(metadata) } });
}

/** Frame that ends the messages of a call. */
export function trailerFrame(): readonly Uint8Array[] {
  return TRAILER;
}

/** Frame that says a call failed. */
export function errorFrame(status: GrpcStatus): Uint8Array[] {
  return frameOf({ case: "error", value: { status: { code: status.code, message: status.message } } });
}

type FrameInit = NonNullable<Parameters<typeof create<typeof ConnectRequestSchema>>[1]>["msg"];

function frameOf(msg: NonNullable<FrameInit>): Uint8Array[] {
  const message: ConnectRequest = create(ConnectRequestSchema, { msg });
  return encodeFrame([toBinary(ConnectRequestSchema, message)]);
}
