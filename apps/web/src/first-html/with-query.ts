/** Of an address, as Next gives it to pages. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The path with this query. */
export function withQuery(path: string, query: Query): string {
  const text = new URLSearchParams(
    Object.entries(query).flatMap(([name, values = []]) => [values].flat().map((value): [string, string] => [name, value])),
  ).toString();
  return text === "" ? path : `${path}?${text}`;
}
