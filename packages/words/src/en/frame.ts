import type { Catalogue } from "../catalogue.ts";

/** Messages of the frame of all pages: titles, session, errors, menu, in the HTML of a page. */
export const PAGE_FRAME = {
  // Titles of documents, and texts that replace a page.
  "frame/environments-of": "Environments of {projectPath}",
  "frame/error": "Error",
  "frame/error-binnacle": "Error · Binnacle",
  "frame/nothing-you-may": "Nothing that you may see is called so: no project of yours, and no group with one.",
  "frame/projects-in": "Projects in {path}",
  "frame/the-dashboard": "The dashboard",
  "frame/the-sign-in": "The sign-in",
  "frame/there-no-such": "There is no such page.",
  "frame/this-page": "This page",
  "frame/this-view": "This view",
  "frame/environment": "{environment}, {project}",
  "frame/terminal-of": "Terminal of {pod} · ",
  "frame/projects": "Projects",
  "frame/sign-in": "Sign in",
  "frame/description": "What an environment deploys, live.",
  // Texts of every page.
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
  // features/session
  "session/binnacle-does-not": "Binnacle does not answer. Try again.",
  "session/groups": "Groups",
  "session/in-the-cluster": "In the cluster",
  "session/main-application-does": "The main application does not accept this token.",
  "session/needs-scopes-read": "It needs the scopes read_api and k8s_proxy.",
  "session/or": "or",
  "session/personal-access-token": "Personal access token",
  "session/sign-in": "Sign in",
  "session/sign-in-binnacle": "Sign in to Binnacle",
  "session/sign-in-with": "Sign in with {application}",
  "session/sign-in-with-token": "Sign in with a token",
  "session/signing-in-failed": "Signing in failed ({status}). Try again.",
  "session/the-main-application": "the main application",
  "session/you": "You",
  "session/you-see-what": "You see what {application} lets you see, and what the cluster lets you see.",
  // features/live
  "live/kinds-every": "{count, plural, one {{count} kind} other {{count} kinds}}{has_every, select, no {} other { {every}}}",
  "live/as-of": "as of {at}",
  "live/kinds-as-of":
    "{names}{has_more, select, no {} other { and {more} more kinds}} as of {at}{has_every, select, no {} other {, {every}}}",
  "live/kind-as-of": "as of {at}{has_every, select, no {} other {, {every}}}",
  "live/held-as-of": "paused, as of {at}",
  "live/later": "Later",
  "live/new-version-binnacle": "A new version of Binnacle is there.",
  "live/reload": "Reload",
} as const satisfies Catalogue;

/** Messages of the frame of all pages: titles, session, errors, menu, loaded with the rest of the language. */
export const VIEW_FRAME = {
  // Texts of every page.
  "ui/chosen": "{count} chosen",
  "ui/close": "Close",
  "ui/nothing-choose-from": "Nothing to choose from yet",
  "ui/show-all": "Show all",
  "ui/all": "all",
  "ui/choice": "{label}: {chosen}",
  // features/session
  "session/sign-out": "Sign out",
  "session/signing-out-failed": "Signing out failed. Try again.",
  "session/you-signed-in": "You are signed in with {what}; sign out there.",
  "session/you-signed-in-with": "You are signed in with a personal access token.",
  // features/page-tools
  "page-tools/copied": "Copied",
  "page-tools/copy-link": "Copy link",
  "page-tools/copy-link-shows": "Copy a link that shows this view",
  "page-tools/link-copied": "Link copied",
} as const satisfies Catalogue;

/** The menu of the signed-in user. Fact: the name of a zone. */
export const FRAME = {
  "menu/times": "Times",
  "menu/times/local": "{zone}, local",
} as const satisfies Catalogue;
