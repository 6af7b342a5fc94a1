import type { Browser, CDPSession } from "playwright-core";

const EXPRESSION = `performance.getEntriesByType("resource").reduce((sum, { name, encodedBodySize }) =>
  sum + (new URL(name).pathname.endsWith(".js") ? encodedBodySize : 0), 0)`;
/** The id of the one request to a worker. */
const ID = 1;

/**
 * Bytes of the scripts that the shared workers of a browser have loaded, as they were sent, without headers; but for the few lines that
 * each begins with. Devtools of a page do not see them.
 */
export async function workerScriptBytes(browser: Browser): Promise<number> {
  const devtools = await browser.newBrowserCDPSession();
  try {
    const { targetInfos } = await devtools.send("Target.getTargets");
    const workers = targetInfos.filter(({ type }) => type === "shared_worker");
    let bytes = 0;
    for (const { targetId } of workers) bytes += await evaluateIn(devtools, targetId);
    return bytes;
  } finally {
    await devtools.detach();
  }
}

/** Without `flatten` its messages travel in those of the browser: playwright knows no sessions of workers. */
async function evaluateIn(devtools: CDPSession, targetId: string): Promise<number> {
  const { sessionId } = await devtools.send("Target.attachToTarget", { targetId, flatten: false });
  const reply = new Promise<unknown>((resolve) => {
    devtools.on("Target.receivedMessageFromTarget", ({ sessionId: from, message }) => {
      if (from !== sessionId) return;
      const heard: unknown = JSON.parse(message);
      // A worker that is looked at also tells of itself; answers have the id of their question.
      if (Reflect.get(Object(heard), "id") === ID) resolve(heard);
    });
  });
  const message = JSON.stringify({ id: ID, method: "Runtime.evaluate", params: { expression: EXPRESSION, returnByValue: true } });
  await devtools.send("Target.sendMessageToTarget", { sessionId, message });
  const answer = await reply;
  const bytes = ["result", "result", "value"].reduce<unknown>((value, name) => Reflect.get(Object(value), name), answer);
  if (typeof bytes !== "number") throw new Error(`a worker does not say what it has loaded: ${JSON.stringify(answer)}`);
  return bytes;
}
