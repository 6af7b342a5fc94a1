/** One page of a list in Relay's form. */
export interface ConnectionPage<T> {
  readonly nodes: readonly T[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

const MAX_NODES = 100;

/**
 * The page behind a cursor. A cursor names a position; an unknown one starts from the beginning.
 *
 * @param first at most this many nodes, never more than 100
 */
export function pageOf<T>(
  items: readonly T[],
  { first, after }: { readonly first?: number | null | undefined; readonly after?: string | null | undefined },
): ConnectionPage<T> {
  const start = positionOf(after);
  const size = Math.min(Math.max(first ?? MAX_NODES, 0), MAX_NODES);
  const nodes = items.slice(start, start + size);
  return {
    nodes,
    pageInfo: {
      hasNextPage: start + nodes.length < items.length,
      hasPreviousPage: start > 0,
      startCursor: nodes.length > 0 ? cursorOf(start + 1) : null,
      endCursor: nodes.length > 0 ? cursorOf(start + nodes.length) : null,
    },
  };
}

function cursorOf(position: number): string {
  return Buffer.from(JSON.stringify({ position })).toString("base64");
}

function positionOf(cursor: string | null | undefined): number {
  const found = /"position":(\d+)/.exec(Buffer.from(cursor ?? "", "base64").toString("utf8"));
  return found ? Number(found[1]) : 0;
}
