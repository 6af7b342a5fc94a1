const MIB = 1024 * 1024;

/** Limits for what an agent, a viewer and this kas may send to each other. */
export const VIEW_BOUNDS = {
  /** One spec without its health rules. */
  specBytes: 256 * 1024,
  /** Health rules that are in force together. */
  ruleSetBytes: 512 * 1024,
  /** Of all views of an agent. */
  ruleSetsPerAgent: 256,
  ruleBytesPerAgent: 8 * MIB,
  /** Of all views that one person or job looks at, of an agent. */
  ruleSetsPerCaller: 80,
  /** What describes one or several views, with the health rules that they name. */
  bodyBytes: 2 * MIB,
  /** One message of an agent. */
  messageBytes: 4 * MIB,
  keyBytes: 1024,
  /** Entries of one view; 100,000 pods of a cluster are not one view. */
  entries: 200_000,
  /** Keys and values of one view. */
  topicBytes: 32 * MIB,
  /** Bytes for topics that kas has ended already: some are on their way then. */
  strayBytes: 8 * MIB,
  topicsPerAgent: 1_000,
  /** Summaries that one person or job follows, of an agent; and as many views of other kinds, so that an index leaves room for pages. */
  subscriptionsPerCaller: 300,
  subscribersPerTopic: 10_000,
  proofsPerAgent: 5_000,
  /** Names and texts of an agent: rights, its engine, what it lacks. */
  nameBytes: 1024,
  lacking: 100,
  /** One piece of a change on its way to a viewer. */
  pieceBytes: 256 * 1024,
} as const;

/** So long a topic and a call are kept after the last who wanted them: people go back, and reload. */
export const LINGER_MS = 10_000;
