import type { FromHub, ToHub } from "../hub/hub-protocol.ts";
import { servePage, type HubServerOptions } from "../hub/hub-server.ts";
import { linePort, parseToHub } from "./line-port.ts";
import type { PageChannel } from "./page-channel.ts";

/** Many more than anybody has pages open; beyond, the one that came first is let go, and comes again. */
const MOST_PAGES = 200;

interface ServedPage {
  readonly line: number;
  readonly end: () => void;
}

/** The other pages that a leading page serves, each on a line of its own. */
export class ServedPages<T, M> {
  readonly #options: HubServerOptions<T, M>;
  readonly #parseTopic: (topic: unknown) => T | undefined;
  readonly #pages = new Map<string, ServedPage>();

  constructor(options: HubServerOptions<T, M>, parseTopic: (topic: unknown) => T | undefined) {
    this.#options = options;
    this.#parseTopic = parseTopic;
  }

  get size(): number {
    return this.#pages.size;
  }

  /** Serves a page on a new line in place of its last one. Asked twice for the same line it does nothing. */
  serve(page: string, line: number, open: () => PageChannel): void {
    const before = this.#pages.get(page);
    if (before?.line === line) return;
    before?.end();
    if (this.#pages.size >= MOST_PAGES) this.#pages.values().next().value?.end();
    const channel = open();
    const port = linePort<ToHub<T>, FromHub>(channel, (data) => parseToHub(data, this.#parseTopic));
    const served: ServedPage = {
      line,
      end: () => {
        if (this.#pages.get(page) === served) this.#pages.delete(page);
        leave();
        channel.close();
      },
    };
    this.#pages.set(page, served);
    const leave = servePage({ ...this.#options, gone: () => served.end() }, port);
  }

  /** Serves nobody any more. */
  clear(): void {
    for (const { end } of this.#pages.values()) end();
  }
}
