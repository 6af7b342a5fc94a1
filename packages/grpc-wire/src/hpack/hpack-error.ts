/** A header block that breaks RFC 7541, or one of our limits. The state of the connection's table is lost: only closing it helps. */
export class HpackError extends Error {
  constructor(message: string) {
    super(`broken header block: ${message}`);
    this.name = "HpackError";
  }
}
