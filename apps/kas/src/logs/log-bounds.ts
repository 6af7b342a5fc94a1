const KIB = 1024;

/** What an agent, a viewer and this kas may have of each other in one stream of logs. */
export const LOG_BOUNDS = {
  /** What describes which lines are read. */
  bodyBytes: 512 * KIB,
  /** One message of an agent: it is all that waits here for a slow reader, with the one that is coming in. */
  messageBytes: 128 * KIB,
  /** Words of an agent about why it has ended. */
  textLength: 300,
} as const;

/** The agent answers as soon as it has understood the request. */
export const FIRST_ANSWER_MS = 15_000;
