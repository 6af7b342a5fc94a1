import { Fault } from "@binnacle/rpc";

/** The longest line of the protocol, its four digits included; no server may send a longer one. @see gitprotocol-common(5) */
const MAX_LINE_BYTES = 65_520;
const PREFIX_BYTES = 4;

/** The default branch in an advertisement; no commit: the repository has none. */
export interface DefaultBranch {
  readonly commit: string | undefined;
}

/**
 * Reads the commit of the default branch out of the advertisement of `git-upload-pack` while it streams. It retains one unfinished line at most
 * and returns as soon as it has the commit: HEAD comes first and mostly names the branch, and refs are sorted by name, so everything behind the one
 * that is wanted need not be read.
 *
 * @see gitprotocol-pack(5), "Reference Discovery"
 */
export class DefaultBranchReader {
  /** Bytes, because refs are sorted by their bytes. */
  readonly #wanted: Buffer;
  /** HEAD decides when the main application has not named a branch, and when the one that it named is not there. */
  readonly #byHead: boolean;
  #rest: Buffer = Buffer.alloc(0);
  #head: string | undefined;
  #found: DefaultBranch | undefined;

  /** @param branch name of the default branch; empty: HEAD, else `refs/heads/master` */
  constructor(branch: string) {
    this.#byHead = branch === "";
    this.#wanted = Buffer.from(`refs/heads/${branch === "" ? "master" : branch}`);
  }

  /**
   * Takes the next bytes.
   *
   * @returns the answer as soon as it is known; then nothing more has to be read
   * @throws Fault `gitaly_unavailable` for bytes that are no advertisement, and for the server's own error line
   */
  push(bytes: Uint8Array): DefaultBranch | undefined {
    let from = 0;
    const chunk =
      this.#rest.length === 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : Buffer.concat([this.#rest, bytes]);
    while (!this.#found) {
      const length = lengthAt(chunk, from);
      if (length === undefined || (length >= PREFIX_BYTES && from + length > chunk.length)) break;
      if (length > PREFIX_BYTES) this.#line(chunk.subarray(from + PREFIX_BYTES, from + length));
      // Flush and delimiter packets have a length below four and no content.
      from += Math.max(length, PREFIX_BYTES);
    }
    // A copy, because the caller may reuse the buffer.
    this.#rest = Buffer.from(chunk.subarray(from));
    return this.#found;
  }

  /** The advertisement is over. */
  end(): DefaultBranch {
    return this.#found ?? { commit: this.#head };
  }

  #line(line: Buffer): void {
    if (line.toString("latin1", 0, 4) === "ERR ") throw new Fault("gitaly_unavailable", `git: ${line.toString("utf8", 4, 204).trimEnd()}`);
    const idBytes = [OID_SHA1, OID_SHA256].find((at) => line[at] === SPACE);
    // "# service=git-upload-pack", and what later versions of the protocol may add.
    if (idBytes === undefined) return;
    const nul = line.indexOf(NUL);
    const end = nul >= 0 ? nul : line.length - (line.at(-1) === LINE_FEED ? 1 : 0);
    this.#ref(line.subarray(idBytes + 1, end), line.toString("latin1", 0, idBytes));
    // Capabilities stand behind the first ref.
    if (nul >= 0) this.#capabilities(line.toString("utf8", nul + 1));
  }

  #ref(name: Buffer, commit: string): void {
    const order = name.compare(this.#wanted);
    if (name.equals(HEAD)) this.#head = commit;
    if (order === 0 || (this.#byHead && this.#head !== undefined)) this.#found = { commit };
    else if (order > 0) this.#found = { commit: this.#head };
  }

  /** `symref=HEAD:refs/heads/main`: HEAD's commit is that of the branch we want. */
  #capabilities(text: string): void {
    if (this.#head !== undefined && text.trimEnd().split(" ").includes(`symref=HEAD:${this.#wanted.toString()}`))
      this.#found = { commit: this.#head };
  }
}

const HEAD = Buffer.from("HEAD");
const OID_SHA1 = 40;
const OID_SHA256 = 64;
const SPACE = 0x20;
const NUL = 0;
const LINE_FEED = 0x0a;

/** Length of the line that begins here, with its four digits; undefined while those have not come. */
function lengthAt(chunk: Buffer, from: number): number | undefined {
  if (from + PREFIX_BYTES > chunk.length) return undefined;
  const digits = chunk.toString("latin1", from, from + PREFIX_BYTES);
  const length = /^[0-9a-fA-F]{4}$/.test(digits) ? Number.parseInt(digits, 16) : MAX_LINE_BYTES + 1;
  if (length > MAX_LINE_BYTES) throw new Fault("gitaly_unavailable", "the ref advertisement cannot be read");
  return length;
}
