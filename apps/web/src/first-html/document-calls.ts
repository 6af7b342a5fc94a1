import { headers } from "next/headers";
import { DOCUMENT_HEADER } from "../server/http/document-header.ts";
import { inProcessCalls, type InProcessCalls } from "../server/in-process.ts";

/**
 * Calls as the viewer of the request that is rendered; `undefined` when no document is wanted: a page that is there has a stream, and asks what
 * it needs itself.
 */
export async function documentCalls(): Promise<InProcessCalls | undefined> {
  const sent = await headers();
  return sent.get(DOCUMENT_HEADER) === "yes" ? inProcessCalls(sent) : undefined;
}
