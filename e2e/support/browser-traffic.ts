import type { CDPSession, Page } from "@playwright/test";

/** A text, and where it stood. */
export interface Part {
  readonly where: string;
  readonly text: string;
}

/** What the browser tells of one request; headers and bodies come in events of their own, in any order. */
interface Seen {
  url: string;
  readonly sent: string[];
  readonly got: string[];
  /** Pieces of the answer's body, as they came. */
  readonly body: Buffer[];
  /** Bytes of it that the page was given, decoded; counted also where they cannot be read any more. */
  arrived: number;
}

const SIGN_IN_PATH = "/session/token";
/** Answers stay readable when their page has left, up to so many bytes. */
const KEPT_BYTES = 256 * 1024 * 1024;

/**
 * Everything a page sends and gets, as its browser says: URLs, headers with Referer, bodies, also of answers that have no end, frames of
 * WebSockets, the console. Left out are the Cookie header, headers that set one, and the body of the token sign-in.
 */
export class BrowserTraffic {
  readonly #cdp: CDPSession;
  readonly #seen = new Map<string, Seen>();
  readonly #console: string[] = [];
  readonly #bodies = new Set<Promise<void>>();
  readonly #unread: Seen[] = [];

  private constructor(cdp: CDPSession, page: Page) {
    this.#cdp = cdp;
    page.on("console", (message) => this.#console.push(message.text()));
    cdp.on("Network.requestWillBeSent", ({ requestId, request, redirectResponse }) => {
      const seen = this.#of(requestId);
      seen.url = request.url;
      seen.sent.push(request.url, JSON.stringify(request.headers));
      if (!new URL(request.url).pathname.endsWith(SIGN_IN_PATH)) {
        const pieces = request.postDataEntries?.map(({ bytes }) => Buffer.from(bytes ?? "", "base64").toString("latin1"));
        seen.sent.push(...(pieces ?? []), request.postData ?? "");
      }
      if (redirectResponse) seen.got.push(headersBut("set-cookie", redirectResponse.headers));
    });
    cdp.on("Network.requestWillBeSentExtraInfo", ({ requestId, headers }) => {
      this.#of(requestId).sent.push(headersBut("cookie", headers));
    });
    cdp.on("Network.responseReceivedExtraInfo", ({ requestId, headers }) => {
      this.#of(requestId).got.push(headersBut("set-cookie", headers));
    });
    cdp.on("Network.responseReceived", ({ requestId, response }) => {
      const seen = this.#of(requestId);
      seen.url = response.url;
      seen.got.push(headersBut("set-cookie", response.headers));
      const reading = this.#readBody(requestId, seen).finally(() => this.#bodies.delete(reading));
      this.#bodies.add(reading);
    });
    cdp.on("Network.dataReceived", ({ requestId, data, dataLength }) => {
      this.#of(requestId).arrived += dataLength;
      if (data !== undefined) this.#of(requestId).body.push(Buffer.from(data, "base64"));
    });
    cdp.on("Network.webSocketCreated", ({ requestId, url }) => void (this.#of(requestId).url = url));
    cdp.on("Network.webSocketFrameSent", ({ requestId, response }) => this.#of(requestId).sent.push(response.payloadData));
    cdp.on("Network.webSocketFrameReceived", ({ requestId, response }) => this.#of(requestId).got.push(response.payloadData));
  }

  /** Records a page from now on. */
  static async record(page: Page): Promise<BrowserTraffic> {
    const cdp = await page.context().newCDPSession(page);
    const traffic = new BrowserTraffic(cdp, page);
    await cdp.send("Network.enable", { enableDurableMessages: true, maxTotalBufferSize: KEPT_BYTES, maxResourceBufferSize: KEPT_BYTES });
    return traffic;
  }

  /** All of it so far. */
  async parts(): Promise<readonly Part[]> {
    await Promise.all(this.#bodies);
    const ofRequests = [...this.#seen.values()].flatMap(({ url, sent, got, body }) => [
      { where: `request ${url}`, text: sent.join("\n") },
      { where: `answer of ${url}`, text: got.join("\n") },
      { where: `body of ${url}`, text: Buffer.concat(body).toString("latin1") },
    ]);
    return [...ofRequests, { where: "console", text: this.#console.join("\n") }];
  }

  /** URLs whose answers could not be read. A page that left before the first byte was given nothing. */
  get unread(): readonly string[] {
    return this.#unread.filter(({ arrived }) => arrived > 0).map(({ url, arrived }) => `${url} (${arrived} bytes)`);
  }

  #of(requestId: string): Seen {
    const seen = this.#seen.get(requestId) ?? { url: "", sent: [], got: [], body: [], arrived: 0 };
    this.#seen.set(requestId, seen);
    return seen;
  }

  /** What came so far; the rest follows as `dataReceived`. An answer that has ended already is requested in full. */
  async #readBody(requestId: string, seen: Seen): Promise<void> {
    try {
      const { bufferedData } = await this.#cdp.send("Network.streamResourceContent", { requestId });
      seen.body.unshift(Buffer.from(bufferedData, "base64"));
    } catch {
      try {
        const { body, base64Encoded } = await this.#cdp.send("Network.getResponseBody", { requestId });
        seen.body.push(Buffer.from(body, base64Encoded ? "base64" : "utf8"));
      } catch {
        this.#unread.push(seen);
      }
    }
  }
}

function headersBut(left: string, headers: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(headers).filter(([name]) => name.toLowerCase() !== left));
}
