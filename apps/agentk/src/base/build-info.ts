/** Version of this program, as kas and the cluster see it. */
export const VERSION = "v0.1.0";

/** Short commit of the build; set by the one who builds an image. */
export const COMMIT = "source";

/** Names this program in `user-agent` and `via`. */
export const PRODUCT = `agentk/${VERSION}/${COMMIT}`;
