import type { ViewPosition } from "@binnacle/proto/dashboard";

import type { RawViewer } from "./raw-viewer.ts";

/** What a stream has shown. */
export interface LoadedSnapshot {
  readonly nodes: number;
  readonly edges: number;
  /** Compressed bytes until then. */
  readonly bytes: number;
  /** To take up from. */
  readonly position: ViewPosition;
}

/** Reads a stream until it has shown everything: it says so, and what is wanted is there. @throws when it says what is wrong */
export async function readPicture(viewer: RawViewer, wanted: number): Promise<LoadedSnapshot> {
  let complete = false;
  for await (const picture of picturesOf(viewer)) {
    complete ||= picture.complete;
    if (complete && picture.nodes >= wanted) return picture;
  }
  throw new Error(`the stream ended before it had shown ${wanted} resources`);
}

/** Reads a stream that takes up somewhere until its first content. @throws when that is a snapshot: nothing was taken up */
export async function readResume(viewer: RawViewer): Promise<LoadedSnapshot> {
  for await (const picture of picturesOf(viewer)) {
    if (picture.began) throw new Error("the server has forgotten what the browser had");
    return picture;
  }
  throw new Error("the stream ended before it went on");
}

/** Reads a stream that takes up somewhere until so many resources have changed. */
export async function readChanges(viewer: RawViewer, wanted: number): Promise<LoadedSnapshot> {
  for await (const picture of picturesOf(viewer)) if (picture.nodes >= wanted) return picture;
  throw new Error(`the stream ended before ${wanted} resources had changed`);
}

/** What is there after each snapshot and delta. */
async function* picturesOf(viewer: RawViewer): AsyncGenerator<LoadedSnapshot & { readonly complete: boolean; readonly began: boolean }> {
  const nodes = new Set<unknown>();
  let edges = 0;
  for await (const { message, position } of viewer.messages()) {
    if (message.case === "problem") throw new Error(`the view answers: ${message.value.words?.id}`);
    if (message.case !== "snapshot" && message.case !== "delta") continue;
    const began = message.case === "snapshot";
    for (const { id } of message.case === "snapshot" ? message.value.nodes : message.value.upsertedNodes) nodes.add(id);
    edges += message.case === "snapshot" ? message.value.edges.length : message.value.upsertedEdges.length;
    if (position === undefined) continue;
    yield { nodes: nodes.size, edges, bytes: viewer.bytes, position, complete: message.value.complete, began };
  }
}
