import { Fault, FAULTS, type FaultReason } from "@binnacle/rpc";
import { z } from "zod";

/** Path of the one stream over which a kas announces the waits of its callers to another. */
export const TUNNEL_WAITS_PATH = "/kas.routing.TunnelWaits/Wait";

/** A wait is a small message; longer ones are nonsense. */
export const MAX_WAIT_MESSAGE_BYTES = 4 * 1024;

const waitId = z.number().int().nonnegative();

const requestSchema = z.discriminatedUnion("kind", [
  /** A caller waits. `context`: `encodeCallContext` of its call. */
  z.object({ kind: z.literal("wait"), id: waitId, context: z.string() }),
  /** It does not wait any more. */
  z.object({ kind: z.literal("leave"), id: waitId }),
  /** A tunnel that no caller needs any more. */
  z.object({ kind: z.literal("return"), ticket: z.string() }),
]);

const answerSchema = z.discriminatedUnion("kind", [
  /** It is the turn of this caller: a tunnel is kept for a call that names the ticket. */
  z.object({ kind: z.literal("ready"), id: waitId, ticket: z.string() }),
  /** It will get none. */
  z.object({
    kind: z.literal("refused"),
    id: waitId,
    reason: z.string(),
    message: z.string(),
    retryAfterSeconds: z.number().positive().optional(),
  }),
]);

/** A message of the waiting kas. */
export type WaitRequest = z.infer<typeof requestSchema>;

/** A message of the kas with the tunnels. */
export type WaitAnswer = z.infer<typeof answerSchema>;

/** One message, ready to be sent. */
export function encodeWait(message: WaitRequest | WaitAnswer): Uint8Array {
  return Buffer.from(JSON.stringify(message));
}

/** @throws Fault `frame_order` for bytes that are no WaitRequest */
export function decodeWaitRequest(bytes: Uint8Array): WaitRequest {
  return decode(requestSchema, bytes);
}

/** @throws Fault `frame_order` for bytes that are no WaitAnswer */
export function decodeWaitAnswer(bytes: Uint8Array): WaitAnswer {
  return decode(answerSchema, bytes);
}

/** A refusal that another kas sent; one with a reason we do not know is a full queue. */
export function refusalFault(refusal: {
  readonly reason: string;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}): Fault {
  const { reason, message, retryAfterSeconds } = refusal;
  return new Fault(isReason(reason) ? reason : "queue_full", message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}

function decode<S extends z.ZodType>(schema: S, bytes: Uint8Array): z.infer<S> {
  try {
    return schema.parse(JSON.parse(Buffer.from(bytes).toString()));
  } catch (error) {
    throw new Fault("frame_order", "a kas sent something that is no message about waiting", { cause: error });
  }
}

function isReason(text: string): text is FaultReason {
  return Object.hasOwn(FAULTS, text);
}
