import type { Metadata } from "@binnacle/grpc-wire";

/** Whether the kas that sent these response headers lets an idle tunnel be given back by half-close. @see KAS_CAPABILITIES in kas */
export function acceptsHalfClose(header: Metadata): boolean {
  return (header.get("kas-caps") ?? []).some((value) => value.split(",").some((word) => word.trim() === "half-close"));
}
