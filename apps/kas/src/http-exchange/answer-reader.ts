import { fromBinary } from "@bufbuild/protobuf";
import {
  allowedTrailers,
  automatonOf,
  HTTP_RESPONSE_DATA,
  HTTP_RESPONSE_UPGRADE_DATA,
  peekField,
  readHttpResponseHead,
  StreamAutomaton,
  unwrapBytes,
  type ValuesMap,
} from "@binnacle/grpc-wire";
import { HttpResponseSchema, type HttpResponse } from "@binnacle/proto/grpctool";
import { Fault } from "@binnacle/rpc";

import type { AnswerField } from "../agent-call/agent-call.ts";
import { announcedLength, BodyLength, type AnswerHeader } from "./body-length.ts";

const TABLE = automatonOf(HttpResponseSchema);
const HEADER = 1;
const DATA = 2;
const TRAILER = 3;
const UPGRADE_DATA = 4;
/** Tag of a trailer; its length, 0, follows. */
const EMPTY_TRAILER = (TRAILER << 3) | 2;
const MAX_HEADER_BYTES = 64 * 1024;
const MAX_INFORMATIONAL = 8;
/** Would end a header, or the header as a whole. */
// oxlint-disable-next-line no-control-regex -- controls are exactly what is looked for
const CONTROLS = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** The content of one message of the answer; undefined: nothing for the client. `continue`: the server wants the body (100). */
export type AnswerPart =
  | { readonly kind: "continue" }
  | {
      readonly kind: "header";
      readonly status: number;
      readonly header: AnswerHeader;
      /** The one length all `Content-Length` agree on. */
      readonly contentLength: number | undefined;
    }
  | { readonly kind: "data"; readonly body: Uint8Array }
  /** 102 to 199, before the header. */
  | { readonly kind: "informational"; readonly status: number; readonly header: AnswerHeader }
  /** Fields behind the body: it is whole. */
  | { readonly kind: "trailers"; readonly trailers: ValuesMap }
  /** 101 with the requested protocol: what follows belongs to the two ends. */
  | { readonly kind: "switched"; readonly header: AnswerHeader }
  | { readonly kind: "raw"; readonly bytes: Uint8Array };

/** Reads the messages of one answer, and holds an agent to the rules: order, sizes, lengths, statuses. Any agent may lie. */
export class AnswerReader {
  readonly #method: string;
  readonly #protocol: string | undefined;
  readonly #order = new StreamAutomaton(TABLE);
  #switched = false;
  #informational = 0;
  #length: BodyLength | undefined;

  /**
   * @param method of the request: the answer to a HEAD has no body
   * @param protocol that the request asks to upgrade to; absent: a 101 is an error
   */
  constructor(method: string, protocol?: string) {
    this.#method = method;
    this.#protocol = protocol;
  }

  /** @throws Fault `answer_broken`, `frame_order`, or whatever protobuf throws: the answer cannot go on */
  read(message: Uint8Array): AnswerPart | undefined {
    const field = peekField(message);
    if (field === DATA) {
      const body = unwrapBytes(HTTP_RESPONSE_DATA, message);
      if (body !== undefined) return this.#data(body);
    } else if (field === UPGRADE_DATA) {
      const bytes = unwrapBytes(HTTP_RESPONSE_UPGRADE_DATA, message);
      if (bytes !== undefined) return this.#raw(bytes);
    }
    const head = message.byteLength <= MAX_HEADER_BYTES ? readHttpResponseHead(message) : undefined;
    if (head !== undefined) return this.#header(head.statusCode, head.header);
    if (message.byteLength === 2 && message[0] === EMPTY_TRAILER && message[1] === 0) return this.#trailer();
    return this.#decoded(fromBinary(HttpResponseSchema, message), message.byteLength);
  }

  /** Bytes out of a message that is passed on as it comes. @throws Fault `answer_broken`, `frame_order` */
  piece(bytes: Uint8Array, field: AnswerField): AnswerPart | undefined {
    return field === "data" ? this.#data(bytes) : this.#raw(bytes);
  }

  /** The agent has marked the end of its answer. */
  get hasEnded(): boolean {
    return this.#order.last === TRAILER;
  }

  /** Header and body are all there: by the end that the agent marked, or by the length that it announced. */
  get isWhole(): boolean {
    return !this.#switched && (this.hasEnded || (this.#order.last !== undefined && this.#length?.isComplete === true));
  }

  /** The agent has ended its answer. @throws Fault `answer_broken`, `frame_order` when it is not whole */
  end(): void {
    if (this.#order.last !== TRAILER && this.#order.last !== UPGRADE_DATA)
      throw new Fault("frame_order", "the agent ended the answer early");
  }

  #decoded({ message }: HttpResponse, bytes: number): AnswerPart | undefined {
    switch (message.case) {
      case "header":
        if (bytes > MAX_HEADER_BYTES) throw new Fault("answer_broken", "the agent answered with a header that is too long");
        return this.#header(message.value.response?.statusCode ?? 0, message.value.response?.header ?? {});
      case "data":
        return this.#data(message.value.data);
      case "trailer":
        if (bytes > MAX_HEADER_BYTES) throw new Fault("answer_broken", "the agent answered with trailers that are too long");
        return this.#trailer(message.value.trailer);
      case "upgradeData":
        return this.#raw(message.value.data);
      default:
        throw new Fault("frame_order", "the agent sent an empty message");
    }
  }

  #header(status: number, header: AnswerHeader): AnswerPart | undefined {
    // Without a requested upgrade, 101 is as impossible as 99.
    if (status >= 100 && status < 200 && status !== 101 && this.#order.last === undefined) {
      this.#informational += 1;
      if (this.#informational > MAX_INFORMATIONAL) throw new Fault("answer_broken", "the agent sent too many informational answers");
      if (status === 100) return { kind: "continue" };
      checkControls(header);
      return { kind: "informational", status, header };
    }
    this.#order.check(HEADER);
    const isSwitch = status === 101 && this.#protocol !== undefined;
    if ((status < 200 && !isSwitch) || status > 599)
      throw new Fault("answer_broken", `the agent answered with the impossible status ${status}`);
    checkControls(header);
    if (isSwitch) return this.#switch(header);
    const contentLength = announcedLength(header);
    this.#length = new BodyLength({ method: this.#method, status, announced: contentLength });
    return { kind: "header", status, header, contentLength };
  }

  #switch(header: AnswerHeader): AnswerPart {
    const names = Object.keys(header).filter((name) => name.toLowerCase() === "upgrade");
    const [protocol, ...others] = names.flatMap((name) => header[name]?.value ?? []);
    if (protocol?.toLowerCase() !== this.#protocol?.toLowerCase() || others.length > 0)
      throw new Fault("answer_broken", "the agent answered 101 with another protocol than was requested");
    this.#switched = true;
    return { kind: "switched", header };
  }

  #raw(bytes: Uint8Array): AnswerPart | undefined {
    if (!this.#switched) throw new Fault("frame_order", "the agent sent a frame that was not requested");
    this.#order.check(UPGRADE_DATA);
    return bytes.byteLength === 0 ? undefined : { kind: "raw", bytes };
  }

  #trailer(fields: ValuesMap = {}): AnswerPart | undefined {
    this.#order.check(TRAILER);
    this.#length?.end();
    const trailers = allowedTrailers(Object.entries(fields).map(([name, { value }]) => [name, value]));
    return trailers === undefined || this.#switched ? undefined : { kind: "trailers", trailers };
  }

  #data(body: Uint8Array): AnswerPart | undefined {
    this.#order.check(DATA);
    if (this.#switched) throw new Fault("frame_order", "the agent sent a body behind a 101");
    if (body.byteLength === 0) return undefined;
    this.#length?.add(body.byteLength);
    return { kind: "data", body };
  }
}

/** @throws Fault `answer_broken` for what would end a header, or the header as a whole */
function checkControls(header: AnswerHeader): void {
  for (const name in header)
    for (const text of header[name]?.value ?? [])
      if (CONTROLS.test(text)) throw new Fault("answer_broken", "the agent answered with control characters in a header");
}
