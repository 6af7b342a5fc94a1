/** The most lines that the graph goes from a resource. */
export const MAX_HOPS = 9;

/** What the graph is shown around: a selection, empty for everything, and how many lines away at most. */
export interface AroundInAddress {
  readonly centre: string;
  readonly hops: number;
}

/** Reads `UrlState.around`. A value of another form selects no center. */
export function parseAround(text: string): AroundInAddress {
  const [, hops, centre = ""] = /^([1-9]),(.+)$/s.exec(text) ?? [];
  return { centre, hops: Number(hops ?? 1) };
}

/** Writes `UrlState.around`. */
export function encodeAround({ centre, hops }: AroundInAddress): string {
  return centre === "" ? "" : `${Math.min(hops, MAX_HOPS)},${centre}`;
}
