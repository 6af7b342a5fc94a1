import type { Catalogue } from "../catalogue.ts";

/** What the main application gives instead of data. Facts: seconds, status. */
export const MAIN_APPLICATION = {
  "main-application/no-agents":
    "This version of the main application does not report which agent an environment has; GitLab does since 16.1.",
  "main-application/no-scope": "This token may not read GraphQL: it needs the scope read_api. Sign in with another one.",
  "main-application/not-readable": "the answer of the main application broke off, or is no JSON",
  "main-application/page": "the main application answered with a web page instead of data",
  "main-application/rate-limited": "the main application accepts no more requests for now; the next one is sent in {seconds} s",
  "main-application/redirect":
    "the main application redirects the request elsewhere: its address in web.yaml, or that of the project, is another one",
  "main-application/server-error": "the main application has an error of its own (status {status})",
  "main-application/too-complex": "the main application rejects the query as too complex",
  "main-application/too-large": "the answer of the main application is larger than is read",
} as const satisfies Catalogue;
