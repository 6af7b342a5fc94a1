import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";

import { systemClock, type Clock } from "@binnacle/rpc";
import { Agent, type Dispatcher } from "undici";

import { CredentialAdmission } from "../../limits/credential-admission.ts";
import { MainApplicationClient } from "../main-application-client.ts";

/** Secret the fake shares with its client. */
export const MAIN_APPLICATION_SECRET = Buffer.alloc(32, 5);

/** A request as it came. */
interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What is answered; `body` that is no text is sent as JSON. */
interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A main application on a socket that answers as the test says. */
export interface FakeMainApplication {
  readonly address: string;
  readonly seen: SeenRequest[];
  /** Replace it to answer something else. */
  answer: (request: SeenRequest) => FakeAnswer;
  client(options?: {
    readonly clock?: Clock;
    readonly externalUrl?: string;
    readonly burst?: number;
    readonly onFailure?: (detail: string) => void;
    readonly dispatcher?: Dispatcher;
  }): MainApplicationClient;
  close(): Promise<void>;
}

/** Starts it on a free port; without a test's word it answers 404. */
export async function startMainApplication(): Promise<FakeMainApplication> {
  const directly = new Agent();
  const seen: SeenRequest[] = [];
  const server = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on("data", (part: Buffer) => parts.push(part));
    incoming.on("end", () => {
      const request = {
        method: incoming.method ?? "",
        url: incoming.url ?? "",
        headers: incoming.headers,
        body: Buffer.concat(parts).toString(),
      };
      seen.push(request);
      const { status, body, headers } = fake.answer(request);
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const address = `http://127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
  const fake: FakeMainApplication = {
    address,
    seen,
    answer: () => ({ status: 404 }),
    client: ({ clock = systemClock, externalUrl, burst = 100, onFailure, dispatcher = directly } = {}) =>
      new MainApplicationClient({
        address,
        ...(externalUrl === undefined ? {} : { externalUrl }),
        secret: MAIN_APPLICATION_SECRET,
        clock,
        admission: new CredentialAdmission({
          clock,
          rate: { perSecond: 100, burst },
          failures: { perAddress: { perMinute: 30, burst: 60 }, inAll: { perMinute: 600, burst: 600 } },
        }),
        dispatcher,
        userAgent: "kas/test",
        ...(onFailure && { onFailure }),
      }),
    async close() {
      await directly.close();
      server.close();
      server.closeAllConnections();
    },
  };
  return fake;
}
