import { expect, type Browser, type BrowserContextOptions, type Locator, type Page } from "@playwright/test";

/** A card of the made-up graph, as a change names it. */
interface ChangedNode {
  readonly kind: string;
  readonly name: string;
  readonly owner?: string;
  readonly fact?: string;
  readonly superseded?: boolean;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The graph of a made-up environment, where things happen when a test says so. */
export class GraphPage {
  readonly page: Page;
  readonly #environment: string;

  private constructor(page: Page, environment: string) {
    this.page = page;
    this.#environment = environment;
  }

  /** @param environment is used by no other test: changes stay there. @param query of the address, "&sel=…" */
  static async open(
    browser: Browser,
    environment: string,
    options: BrowserContextOptions & { readonly query?: string },
  ): Promise<GraphPage> {
    const { query = "", ...context } = options;
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...context });
    await page.goto(`/p/harbor/storefront/environments/${environment}?view=graph${query}`);
    const graph = new GraphPage(page, environment);
    await expect(graph.card("Deployment checkout")).toBeVisible();
    await graph.#recordGlides();
    return graph;
  }

  /** The card of that kind and name. */
  card(name: string): Locator {
    return this.page.locator(".react-flow__node", { hasText: `${name} in shop-prod,` });
  }

  /** Lets it happen in the cluster. */
  async happens(change: { readonly nodes?: readonly ChangedNode[]; readonly gone?: readonly string[] }): Promise<void> {
    const answer = await this.page.request.post(`/api/change?environment=${this.#environment}`, { data: change });
    expect(answer.ok()).toBe(true);
  }

  /** Where every card stands in the picture, or glides to. */
  async places(): Promise<ReadonlyMap<string, Point>> {
    const cards = await this.page.locator(".react-flow__node").evaluateAll((all) =>
      all.map((card) => {
        const { e: x, f: y } = new DOMMatrix(card instanceof HTMLElement ? card.style.transform : "");
        return [card.dataset["id"] ?? "", { x: Math.round(x), y: Math.round(y) }] as const;
      }),
    );
    return new Map(cards);
  }

  /** How the picture is looked at, or how it will be after the glide. */
  async view(): Promise<Point & { readonly zoom: number }> {
    return this.page.locator(".react-flow__viewport").evaluate((element) => {
      const { a: zoom, e: x, f: y } = new DOMMatrix(element instanceof HTMLElement ? element.style.transform : "");
      return { x, y, zoom };
    });
  }

  /** How often each card has begun to glide. */
  async glides(): Promise<ReadonlyMap<string, number>> {
    const all = await this.page.evaluate(() => JSON.parse(document.body.dataset["glides"] ?? "[]") as string[]);
    const counts = new Map<string, number>();
    for (const id of all) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  }

  /** Until nothing glides any more. */
  async rests(): Promise<void> {
    await expect(this.page.locator("[data-detail]").first()).not.toHaveAttribute("data-moving");
  }

  async #recordGlides(): Promise<void> {
    await this.page.evaluate(() => {
      const glides: string[] = [];
      addEventListener("transitionrun", ({ target }) => {
        if (!(target instanceof HTMLElement) || !target.matches(".react-flow__node")) return;
        glides.push(target.dataset["id"] ?? "");
        document.body.dataset["glides"] = JSON.stringify(glides);
      });
    });
  }
}
