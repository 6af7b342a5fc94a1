import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname } from "node:path";

import { acceptedCodings } from "../base/accept-encoding.ts";
import { COMPRESSED, TYPES } from "./compress-files.ts";

/** What asks for a part of a file, or for one that must not have changed: of a compressed one, which is always whole, nobody needs that. */
const CONDITIONS = ["range", "if-range", "if-match", "if-unmodified-since"];

/**
 * Leads requests for files of a build to the smallest form that the browser takes, which stands beside the file (`compress-files.ts`). Who
 * serves files then serves that one. What there is is looked up once, at the start.
 *
 * @param folder where the files are @param address what their addresses begin with, as "/prefix/_next/static/"
 */
export function chooseSmaller(folder: string, address: string): (request: IncomingMessage, response: ServerResponse) => void {
  const known = new Set(readdirSync(folder, { recursive: true, encoding: "utf8" }));
  return (request, response) => {
    const { url = "", headers } = request;
    if (!url.startsWith(address)) return;
    const [path = ""] = url.slice(address.length).split("?", 1);
    const type = TYPES.get(extname(path));
    if (type === undefined) return;
    response.setHeader("vary", "Accept-Encoding");
    const coding = acceptedCodings(headers["accept-encoding"]).find((each) => known.has(path + COMPRESSED[each]));
    if (coding === undefined) return;
    request.url = `${address}${path}${COMPRESSED[coding]}`;
    for (const name of CONDITIONS) delete headers[name];
    response.setHeader("content-encoding", coding);
    response.setHeader("content-type", type);
  };
}
