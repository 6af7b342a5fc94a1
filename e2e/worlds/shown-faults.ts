import type { Page } from "@playwright/test";

/** Something that the page says: of whom, in which words, and since when; a time that is not shown is "". */
export interface ShownFault {
  /** Names of those that it is about, in whatever sentence. */
  readonly names: string;
  readonly words: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Where a part of a page says it: each of `each` is one, `of` in it names whom it is about. */
interface Place {
  readonly each: string;
  readonly of?: string;
}

/** Issues of the summary. */
export const ISSUES: Place = { each: "[data-why]", of: "h4, details li" };
/** The notes below them. */
export const NOT_COUNTED: Place = { each: "[data-uncounted]", of: "h4, details li" };
/** Notices in the drawer. */
export const NOTICES: Place = { each: "aside [data-notice]" };
/** How the drawer says that something is. */
export const HEALTH: Place = { each: 'aside section[aria-label="Health"]' };

/** Everything that a place of the page says now, folded or not. */
export function shownIn(page: Page, { each, of = "" }: Place): Promise<readonly ShownFault[]> {
  return page.locator(each).evaluateAll(
    (found, naming) =>
      found.map((element) => ({
        names: naming === "" ? "" : Array.from(element.querySelectorAll(naming), (part) => part.textContent).join("\n"),
        words: element.textContent,
        // A change before it has a time too.
        since: Array.from(element.querySelectorAll("time")).find((time) => time.textContent.startsWith("since "))?.dateTime ?? "",
      })),
    of,
  );
}

/** Whether it is about something of this name. */
export function isAbout({ names }: ShownFault, name: string): boolean {
  return new RegExp(`(^|[\\s,])${name}([:,\\s]|$)`).test(names);
}
