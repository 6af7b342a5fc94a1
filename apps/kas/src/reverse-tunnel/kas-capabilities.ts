import type { Metadata } from "@binnacle/grpc-wire";

/**
 * What this kas can do beyond v14.1.1, as an agent reads it from the headers of its tunnel (which v14.1.1 does not send early). `half-close`: an
 * idle tunnel may be given back by closing its sending side; other kas take that for a broken frame order and answer somebody with 502.
 */
export const KAS_CAPABILITIES: Metadata = new Map([["kas-caps", ["half-close"]]]);
