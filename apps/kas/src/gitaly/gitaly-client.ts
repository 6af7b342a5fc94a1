import { createHmac } from "node:crypto";

import { create, fromBinary, toBinary, type DescMessage, type DescMethodServerStreaming, type MessageShape } from "@bufbuild/protobuf";
import { RepositorySchema, type Repository } from "@binnacle/proto/gitaly";
import { CommitService, TreeEntryResponse_ObjectType } from "@binnacle/proto/gitaly-commit";
import { SmartHTTPService } from "@binnacle/proto/gitaly-smarthttp";
import { Fault, type Clock } from "@binnacle/rpc";
import { Client, credentials, Metadata, status, type ServiceError } from "@grpc/grpc-js";

import type { TokenBucket } from "../limits/token-bucket.ts";
import type { GitalyAccess, RepositoryName } from "../main-application/agent-info.ts";
import { DefaultBranchReader } from "./default-branch-reader.ts";
import { pullMessages, type GitalyRead } from "./pulled-call.ts";

/** What the client needs. */
export interface GitalyClientOptions {
  readonly clock: Clock;
  /** Calls to all servers. */
  readonly globalRate: TokenBucket;
  /** Calls to one server; made for each address. */
  readonly serverRate: () => TokenBucket;
}

const TIMEOUT_MS = 30_000;
/** Each of two waits; the rest of the time belongs to the call. */
const MAX_WAIT_MS = 10_000;
/** The same for a background read: after a push many agents read at once. */
const READ_WAIT_MS = 60_000;
/** An advertisement of more refs than this is not read to its end. */
const MAX_ADVERTISEMENT_BYTES = 64 * 1024 * 1024;

interface Server {
  readonly client: Client;
  readonly rate: TokenBucket;
}

/** Reads refs, files and directories of repositories through Gitaly; one kept connection per address. */
export class GitalyClient {
  readonly #options: GitalyClientOptions;
  readonly #servers = new Map<string, Server>();

  constructor(options: GitalyClientOptions) {
    this.#options = options;
  }

  /**
   * Commit the default branch points at. Reads no more of the refs than it must.
   *
   * @param branch default branch by name; empty: HEAD decides
   * @returns undefined for a repository without commits
   * @throws Fault `gitaly_unavailable`, `not_found`
   */
  async headCommit(access: GitalyAccess, repository: RepositoryName, branch: string): Promise<string | undefined> {
    const reader = new DefaultBranchReader(branch);
    let bytes = 0;
    const request = create(SmartHTTPService.method.infoRefsUploadPack.input, { repository: gitalyRepository(repository) });
    await this.#stream(access, { method: SmartHTTPService.method.infoRefsUploadPack, request }, ({ data }) => {
      bytes += data.length;
      if (bytes > MAX_ADVERTISEMENT_BYTES) throw new Fault("gitaly_unavailable", "the ref advertisement is too large");
      return reader.push(data) === undefined ? "more" : "enough";
    });
    return reader.end().commit;
  }

  /**
   * Content of a file at a commit.
   *
   * @returns undefined when there is none
   * @throws Fault `configuration_invalid` (too large, or no regular file), `gitaly_unavailable`
   */
  async file(
    access: GitalyAccess,
    repository: RepositoryName,
    at: { readonly commit: string; readonly path: string; readonly maxBytes: number },
  ): Promise<Buffer | undefined> {
    const parts: Uint8Array[] = [];
    let found = false;
    const text = new TextEncoder();
    const request = create(CommitService.method.treeEntry.input, {
      repository: gitalyRepository(repository),
      revision: text.encode(at.commit),
      path: text.encode(at.path),
      maxSize: BigInt(at.maxBytes),
    });
    try {
      await this.#stream(access, { method: CommitService.method.treeEntry, request }, (entry) => {
        // All but the data stand in the first message only.
        if (!found && entry.type !== TreeEntryResponse_ObjectType.BLOB)
          throw new Fault("configuration_invalid", `${at.path} is no regular file`);
        found = true;
        parts.push(entry.data);
      });
    } catch (error) {
      if (error instanceof Fault && error.reason === "not_found") return undefined;
      if (error instanceof Fault && error.reason === "configuration_invalid" && error.cause !== undefined)
        throw new Fault("configuration_invalid", `${at.path} is larger than ${at.maxBytes} bytes`);
      throw error;
    }
    return found ? Buffer.concat(parts) : undefined;
  }

  /** Paths of all files below a directory at HEAD. @throws Fault `gitaly_unavailable` */
  async filesBelow(
    access: GitalyAccess,
    repository: RepositoryName,
    at: { readonly revision: string; readonly path: string },
  ): Promise<readonly string[]> {
    const paths: string[] = [];
    const text = new TextEncoder();
    const decoder = new TextDecoder();
    const request = create(CommitService.method.getTreeEntries.input, {
      repository: gitalyRepository(repository),
      revision: text.encode(at.revision),
      path: text.encode(at.path),
      recursive: true,
    });
    try {
      await this.#stream(access, { method: CommitService.method.getTreeEntries, request }, ({ entries }) => {
        for (const entry of entries) if (entry.type === 0) paths.push(decoder.decode(entry.path));
      });
    } catch (error) {
      if (error instanceof Fault && error.reason === "not_found") return [];
      throw error;
    }
    return paths;
  }

  /**
   * The messages of a call, each read only when it is requested.
   *
   * @throws Fault `not_found`, `gitaly_unavailable`, `cancelled`
   */
  async *read<I extends DescMessage, O extends DescMessage>(
    access: GitalyAccess,
    read: GitalyRead<I, O>,
  ): AsyncGenerator<MessageShape<O>, void> {
    const { client, rate } = this.#serverOf(access);
    await this.#turn(rate, { signal: read.signal, maxWaitMs: READ_WAIT_MS, flow: read.flow });
    yield* pullMessages(read, { client, metadata: this.#metadataOf(access), clock: this.#options.clock });
  }

  close(): void {
    for (const { client } of this.#servers.values()) client.close();
    this.#servers.clear();
  }

  /** @param onMessage "enough" ends the call: what is still to come is not wanted */
  async #stream<I extends DescMessage, O extends DescMessage>(
    access: GitalyAccess,
    call: { readonly method: DescMethodServerStreaming<I, O>; readonly request: MessageShape<I> },
    onMessage: (message: MessageShape<O>) => "more" | "enough" | undefined | void,
  ): Promise<void> {
    const { client, rate } = this.#serverOf(access);
    await this.#turn(rate, { signal: AbortSignal.timeout(TIMEOUT_MS), maxWaitMs: MAX_WAIT_MS, flow: "" });
    const { method, request } = call;
    await new Promise<void>((resolve, reject) => {
      let settled = false;
      const stream = client.makeServerStreamRequest(
        `/${method.parent.typeName}/${method.name}`,
        (message: MessageShape<I>) => Buffer.from(toBinary(method.input, message)),
        (bytes: Buffer) => fromBinary(method.output, bytes),
        request,
        this.#metadataOf(access),
        { deadline: Date.now() + TIMEOUT_MS },
      );
      stream.on("data", (message: MessageShape<O>) => {
        if (settled) return;
        try {
          if (onMessage(message) !== "enough") return;
          resolve();
        } catch (error) {
          reject(error);
        }
        // The promise is settled before the error that follows.
        settled = true;
        stream.cancel();
      });
      stream.on("error", (error: ServiceError) => reject(faultOf(error)));
      stream.on("end", resolve);
    });
  }

  /** The narrow limit first: a call that waits for a busy server takes nothing from the others. */
  async #turn(
    rate: TokenBucket,
    { signal, maxWaitMs, flow }: { readonly signal: AbortSignal; readonly maxWaitMs: number; readonly flow: string },
  ): Promise<void> {
    await rate.take(signal, maxWaitMs, flow);
    await this.#options.globalRate.take(signal, maxWaitMs, flow).catch((error: unknown) => {
      rate.giveBack();
      throw error;
    });
  }

  #serverOf(access: GitalyAccess): Server {
    const known = this.#servers.get(access.address);
    if (known) return known;
    const { target, secure } = targetOf(access.address);
    const server = {
      // grpc-js would take proxies of the environment: Gitaly is inside.
      client: new Client(target, secure ? credentials.createSsl() : credentials.createInsecure(), { "grpc.enable_http_proxy": 0 }),
      rate: this.#options.serverRate(),
    };
    this.#servers.set(access.address, server);
    return server;
  }

  /** Gitaly's token, second version: an HMAC of the time, good for 30 s. */
  #metadataOf(access: GitalyAccess): Metadata {
    const metadata = new Metadata();
    if (access.token !== "") {
      const seconds = String(Math.floor(this.#options.clock.now() / 1_000));
      const hmac = createHmac("sha256", access.token).update(seconds).digest("hex");
      metadata.set("authorization", `Bearer v2.${hmac}.${seconds}`);
    }
    for (const [key, value] of Object.entries(access.features)) metadata.set(key, value);
    return metadata;
  }
}

/** As Gitaly wants it. */
export function gitalyRepository(name: RepositoryName): Repository {
  return create(RepositorySchema, { ...name });
}

/** Gitaly's `tcp://`, `tls://` and `unix:` addresses as grpc-js writes them. */
function targetOf(address: string): { readonly target: string; readonly secure: boolean } {
  const match = /^(tcp|tls):\/\/(.+)$/.exec(address);
  if (match?.[2] !== undefined) return { target: match[2], secure: match[1] === "tls" };
  if (address.startsWith("unix:")) return { target: address, secure: false };
  throw new Fault("gitaly_unavailable", `the Gitaly address "${address}" begins with none of tcp://, tls:// and unix:`);
}

function faultOf(error: ServiceError): Fault {
  switch (error.code) {
    case status.NOT_FOUND:
      return new Fault("not_found", error.details, { cause: error });
    case status.FAILED_PRECONDITION:
      return new Fault("configuration_invalid", error.details, { cause: error });
    default:
      return new Fault("gitaly_unavailable", `Gitaly: ${error.details}`, { cause: error });
  }
}
