/** Everything of the index that lives in its address. */
export interface IndexState {
  readonly view: "environments" | "issues";
  /** Issues: what is looked for. */
  readonly q: string;
  /** Issues: words as `statusKeyOf` gives them. */
  readonly health: readonly string[];
  /** Issues: only those that began within the last hour. */
  readonly onlyNew: boolean;
  /** Issues: "newest"; anything else is worst first. */
  readonly order: string;
}

/** Reads the query. An unknown view is the environments'. */
export function parseIndexState(query: { get(name: string): string | null }): IndexState {
  const health = query.get("health") ?? "";
  return {
    view: query.get("view") === "issues" ? "issues" : "environments",
    q: query.get("q") ?? "",
    health: health === "" ? [] : health.split(","),
    onlyNew: query.get("new") === "1",
    order: query.get("order") ?? "",
  };
}

/** Writes the query, with its question mark; empty for the environments. What is at its default is left out. */
export function encodeIndexState({ view, q, health, onlyNew, order }: IndexState): string {
  const query = new URLSearchParams();
  if (view !== "issues") return "";
  query.set("view", view);
  if (q !== "") query.set("q", q);
  if (health.length > 0) query.set("health", health.join(","));
  if (onlyNew) query.set("new", "1");
  if (order !== "") query.set("order", order);
  return `?${query.toString().replaceAll("%2C", ",")}`;
}
