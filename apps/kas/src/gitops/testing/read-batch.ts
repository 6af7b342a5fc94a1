import type { ObjectsToSynchronizeResponse } from "@binnacle/proto/gitops";

/** A batch as an agent puts it together. */
export interface ReadBatch {
  readonly commit: string;
  readonly projectId: bigint;
  /** In the order in which they came. */
  readonly files: ReadonlyMap<string, string>;
  /** The trailer was there. */
  readonly complete: boolean;
}

const MAX_CHUNK_BYTES = 128 * 1024;

/**
 * Reads as a Go agent does: header, objects, trailer, end; pieces of one source follow each other.
 *
 * @throws Error for anything else; what the stream ends with
 */
export async function readBatch(messages: AsyncIterable<ObjectsToSynchronizeResponse>): Promise<ReadBatch> {
  const files = new Map<string, string>();
  let header: { readonly commitId: string; readonly projectId: bigint } | undefined;
  let complete = false;
  let last = "";
  for await (const { message } of messages) {
    if (complete || (message.case === "header") === (header !== undefined)) throw new Error(`${message.case} is out of order`);
    if (message.case === "header") header = message.value;
    else if (message.case === "trailer") complete = true;
    else if (message.case === "object") {
      const { source, data } = message.value;
      if (source === "" || data.length > MAX_CHUNK_BYTES) throw new Error(`${source} has a piece of ${data.length} bytes`);
      if (files.has(source) && last !== source) throw new Error(`${source} is in pieces that are apart`);
      last = source;
      files.set(source, (files.get(source) ?? "") + Buffer.from(data).toString("latin1"));
    }
  }
  return { commit: header?.commitId ?? "", projectId: header?.projectId ?? 0n, files, complete };
}
