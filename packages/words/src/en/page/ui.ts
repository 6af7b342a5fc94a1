import type { Catalogue } from "../../catalogue.ts";

/** What every page has, as soon as the page is there. */
export const PAGE_UI = {
  "message/not-known": "not known",
  "ui/about-every-min": "about every {count} min",
  "ui/ago": "{age} ago",
  "ui/all-projects": "All projects",
  "ui/breadcrumb": "Breadcrumb",
  "ui/copied": "Copied",
  "ui/copy-request": "Copy request",
  "ui/could-not-loaded": "{what} could not be loaded.",
  "ui/error": "Error",
  "ui/error-without-words": "an error without a message",
  "ui/every-s": "every {count} s",
  "ui/file-page-does":
    "A file of this page does not come: the connection broke, or Binnacle is being updated. Try again in a minute. If that does not help, ask who runs Binnacle whether all its processes have the same version.",
  "ui/file-page-gone": "A file of this page is gone, perhaps by an update. Loading the page again.",
  "ui/keyboard": "Keyboard",
  "ui/keyboard-help": "Keyboard help",
  "ui/light-or-dark": "Light or dark",
  "ui/load-page-again": "Load the page again",
  "ui/not-found": "Not found",
  "ui/nothing-in-cluster": "This changes nothing in the cluster. Try again; if it happens again, reload the page and report this message:",
  "ui/opens-in-new": "(opens in a new tab)",
  "ui/skip-to-content": "Skip to content",
  "ui/stopped-error-in": "{what} stopped: an error in Binnacle.",
  "ui/switch-between-light": "Switch between light and dark",
  "ui/try-again": "Try again",
  "ui/less": "less",
  "ui/more": "more",
} as const satisfies Catalogue;
