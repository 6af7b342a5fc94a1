/**
 * Keys of queries of every page. Those of later queries are `detailKeys`, which no page loads at its beginning; the first part of a key
 * is in one of the two only, so that no two questions have one answer.
 */
export const queryKeys = {
  /** `ListProjectsResponse`. */
  projects: ["projects"],
  /** `Viewer`, without an identity in a cluster. */
  viewer: ["viewer"],
  /** `SessionInfo`. */
  session: ["session"],
} as const;
