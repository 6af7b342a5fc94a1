import type { IncomingMessage } from "node:http";

import { words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";

/** Whether a browser loads the answer into a frame of another document. */
export function isForFrame(request: IncomingMessage): boolean {
  const destination = request.headers["sec-fetch-dest"];
  return destination === "iframe" || destination === "frame";
}

/**
 * What a frame shows without a session. Browsers send the session to a frame only within the same site, and the sign-in of the main
 * application forbids to be framed: a new tab has neither limit.
 *
 * @param target path of the requested page, with the prefix
 */
export function framePage(target: string): string {
  const text = escaped(renderEnglish(words("problem/frame")));
  const link = escaped(renderEnglish(words("problem/frame/link")));
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8"><title>Binnacle</title></head><body>',
    `<p>${text}</p>`,
    `<p><a href="${escaped(target)}" target="_blank" rel="noopener">${link}</a></p>`,
    "</body></html>\n",
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
