import { BANNER } from "./banner.ts";
import { PAGES } from "./page/index.ts";
import { STATUS } from "./status.ts";

/** What a page says by itself: it comes in its HTML, so it is a small part of the language. */
export const PAGE = { ...BANNER, ...PAGES, ...STATUS } as const;

/** What a page can say by itself. */
export type PageWordsId = keyof typeof PAGE;
