import "server-only";
import { installedBff } from "./bff-seam.ts";

/** Answers below `/api/rpc`. */
export function answerRpc(request: Request): Promise<Response> {
  return installedBff().rpc(request);
}
