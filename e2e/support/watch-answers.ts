import { WatchResponseSchema } from "@binnacle/proto/dashboard";
import { fromBinary } from "@bufbuild/protobuf";

import type { BrowserTraffic } from "./browser-traffic.ts";

/** The messages of each stream of a page about environments so far, oldest first: "header", "snapshot", "delta" … */
export async function watchAnswers(traffic: BrowserTraffic): Promise<readonly (readonly string[])[]> {
  const parts = await traffic.parts();
  return parts.filter(({ where }) => /^body of .*\/Watch$/.test(where)).map(({ text }) => casesOf(Buffer.from(text, "latin1")));
}

/** Each message has a byte of flags and its length in front; 2 marks the end of a stream (Connect's protocol, "Streaming RPCs"). */
function casesOf(body: Buffer): string[] {
  const cases: string[] = [];
  for (let at = 0; at + 5 <= body.length;) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    if (end > body.length) break;
    if (body[at] === 0) {
      const { message } = fromBinary(WatchResponseSchema, body.subarray(at + 5, end));
      cases.push(message.case === "environment" ? (message.value.message.case ?? "nothing") : (message.case ?? "nothing"));
    }
    at = end;
  }
  return cases;
}
