import { Http2ServerResponse } from "node:http2";

/** Node's types do not say that there is no error after a write that went well. */
type Written = (error: Error) => void;

/**
 * A response for Connect's handlers. A write that is under way when the client cancels fails with ECANCELED, which Connect takes for a bug and
 * prints; here it fails as every other write to a stream that is gone.
 */
export class TypedResponse extends Http2ServerResponse {
  override write(chunk: string | Uint8Array, callback?: Written): boolean;
  override write(chunk: string | Uint8Array, encoding: BufferEncoding, callback?: Written): boolean;
  override write(chunk: string | Uint8Array, encoding: BufferEncoding | Written = "binary", callback?: Written): boolean {
    const written = typeof encoding === "function" ? encoding : callback;
    return super.write(chunk, typeof encoding === "function" ? "binary" : encoding, (error) => written?.(goneOf(error)));
  }
}

function goneOf(error: Error): Error {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ECANCELED") return error;
  return Object.assign(new Error("the client cancelled", { cause: error }), { code: "ERR_STREAM_DESTROYED" });
}
