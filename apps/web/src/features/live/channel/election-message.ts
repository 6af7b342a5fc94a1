import { randomId } from "../../../ui/random-id.ts";

/** What pages say to all others to find the one that leads. `from` and `to` are ids of pages. */
export type ElectionMessage = { readonly from: string } & (
  | { readonly what: "who"; readonly visible: boolean }
  /** I lead: the answer to "who", and a heartbeat. */
  | { readonly what: "lead"; readonly term: number; readonly visible: boolean }
  /** You lead from now on, in this term. */
  | { readonly what: "hand-over"; readonly to: string; readonly term: number }
  /** I do not lead any more. */
  | { readonly what: "resign" }
  /** I listen on the line of this number between the two of us: serve me there. */
  | { readonly what: "join"; readonly to: string; readonly line: number }
);

/** Terms count up by one; no browser gets there. */
export const LAST_TERM = 2 ** 48;

const ID = /^[0-9a-f]{16}$/;

/** A new page's id. */
export function createPageId(): string {
  return randomId(8);
}

/** A message of another page; `undefined` for one that no page of this build sends. */
export function parseElectionMessage(data: unknown): ElectionMessage | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const field = (name: string): unknown => Reflect.get(data, name);
  const [from, to, what, term, line, visible] = ["from", "to", "what", "term", "line", "visible"].map(field);
  if (!isId(from)) return undefined;
  switch (what) {
    case "who":
      return typeof visible === "boolean" ? { from, what, visible } : undefined;
    case "lead":
      return isCount(term) && typeof visible === "boolean" ? { from, what, term, visible } : undefined;
    case "hand-over":
      return isId(to) && isCount(term) ? { from, what, to, term } : undefined;
    case "resign":
      return { from, what };
    case "join":
      return isId(to) && isCount(line) ? { from, what, to, line } : undefined;
    default:
      return undefined;
  }
}

function isId(value: unknown): value is string {
  return typeof value === "string" && ID.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= LAST_TERM;
}
