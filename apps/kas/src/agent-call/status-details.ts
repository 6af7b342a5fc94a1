import type { GrpcStatus } from "@binnacle/grpc-wire";
import { StatusSchema, type Status } from "@binnacle/proto/rpc-status";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";

/** More than this is left out: it has to fit into headers beside everything else. */
const MAX_DETAILS_BYTES = 8 * 1024;

/** A status message of a frame; what is in it besides code and text becomes `details`. */
export function grpcStatusOf(status: Status): GrpcStatus {
  const { code, message } = status;
  if (status.details.length === 0) return { code, message };
  const details = toBinary(StatusSchema, status);
  return details.byteLength > MAX_DETAILS_BYTES ? { code, message } : { code, message, details };
}

/** Opposite of `grpcStatusOf`. Details that cannot be decoded are left out, and never change code and text. */
export function statusMessageOf({ code, message, details }: GrpcStatus): Status {
  const known = details && decodeStatus(details);
  return create(StatusSchema, { code, message, ...(known && { details: known.details }) });
}

function decodeStatus(bytes: Uint8Array): Status | undefined {
  try {
    return fromBinary(StatusSchema, bytes);
  } catch {
    return undefined;
  }
}
