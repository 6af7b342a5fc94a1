import type { Page } from "@playwright/test";

/** One row of the index as it is read. */
export interface ShownRow {
  readonly name: string;
  readonly health: string;
  readonly knowledge: string;
  /** Health, workloads, agent and access, as they are written. */
  readonly text: string;
}

/** What the index claims in a frame. */
export interface IndexFrame {
  /** By the browser's clock. */
  readonly atMs: number;
  /** Under the heading: how many, and how many need attention; of issues: how many. */
  readonly summary: string;
  readonly rows: readonly ShownRow[];
  /** "Degraded 1", the pills of the filter. */
  readonly counts: readonly string[];
  readonly issues: readonly { readonly key: string; readonly text: string }[];
  /** Below the table: how new all is. */
  readonly foot: string;
  readonly isLive: boolean;
  /** The HTML of the page has not come as a whole: rows may lack that are counted. */
  readonly isArriving: boolean;
  readonly title: string;
  readonly icon: string;
}

/** What a page of the index has shown since its first HTML, each claim once for as long as it stood. */
export class IndexFrames {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Follows a page that has not been opened yet. */
  static async follow(page: Page): Promise<IndexFrames> {
    await page.addInitScript(record);
    return new IndexFrames(page);
  }

  /** All since the page was loaded. */
  async all(): Promise<readonly IndexFrame[]> {
    return this.page.evaluate(() => (Reflect.get(globalThis, "indexFrames") ?? []) as IndexFrame[]);
  }

  /** Begins anew, with what is shown now. */
  async forget(): Promise<void> {
    await this.page.evaluate(() => (Reflect.get(globalThis, "forgetIndexFrames") as () => void)());
  }
}

/** Runs in the page, before its first HTML: looks at every frame. */
function record(): void {
  const frames: object[] = [];
  const textOf = (element: Element | null): string => (element?.textContent ?? "").replaceAll(/\s+/g, " ").trim();
  const all = (selector: string): Element[] => [...document.querySelectorAll(selector)];
  const read = () => ({
    summary: textOf(document.querySelector("main h1 + p") ?? document.querySelector("main output")),
    rows: all("tr[data-environment]").map((row) => ({
      name: row.getAttribute("data-environment"),
      health: row.getAttribute("data-health"),
      knowledge: row.getAttribute("data-knowledge"),
      text: [...row.children].slice(1).map(textOf).join(" | "),
    })),
    counts: all("main search button.chip").map(textOf),
    issues: all("[data-issue]").map((line) => ({ key: line.getAttribute("data-issue"), text: textOf(line) })),
    foot: textOf(document.querySelector("main > p:last-of-type > span")),
    isLive: document.querySelector("main .live") !== null,
    isArriving: document.readyState === "loading",
    title: document.title,
    icon: document.querySelector('link[rel="icon"]')?.getAttribute("href") ?? "",
  });
  let before = "";
  const look = (): void => {
    requestAnimationFrame(look);
    if (document.querySelector("main") === null) return;
    const frame = read();
    const text = JSON.stringify(frame);
    if (text !== before) frames.push({ atMs: Date.now(), ...frame });
    before = text;
  };
  const forget = (): void => {
    frames.length = 0;
    before = "";
  };
  Object.assign(globalThis, { indexFrames: frames, forgetIndexFrames: forget });
  requestAnimationFrame(look);
}
