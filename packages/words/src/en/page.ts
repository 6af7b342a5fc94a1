import { BANNER } from "./banner.ts";
import { STATUS } from "./status.ts";

/** What a page says by itself: it comes with its first scripts, so it is a small part of the language. */
export const PAGE = { ...BANNER, ...STATUS } as const;

/** What a page can say by itself. */
export type PageWordsId = keyof typeof PAGE;
