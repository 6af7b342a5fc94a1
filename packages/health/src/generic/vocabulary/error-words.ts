import { wordList, wordPairs } from "./word-list.ts";

/** Words of a reason, a message or a name that tell a failure, wherever they stand. No product is named here. */
export const ERROR_WORDS = wordList(`
  fail fails failed failing failure failures
  error errors errored erroring exception exceptions throwable
  invalid denied deny forbidden unauthorized unauthorised unauthenticated
  crash crashes crashed crashing crashloop timeout timeouts oom oomkilled
  conflict conflicts conflicted conflicting mismatch
  backoff exceeded exhausted unsupported misconfigured misconfiguration
  unhealthy degraded reject rejects rejected refused unable cannot cant couldnt unresolvable unresolved
  abort aborted aborts panic panicked fatal corrupt corrupted violation violations violated noncompliant
  broken unreachable disconnected expired malformed illegal stalled terminalerror insufficient unexpected unexpectedly
`);

/** Words of the same that only say that something is not there: it may still come. */
export const ABSENT_WORDS = wordList("missing notfound absent");

/** Two words that only say that something is not there. */
export const ABSENT_PAIRS = wordPairs("not+found not+exist doesnt+exist no+such no+matching");

/** Two words that tell a failure only together. */
export const ERROR_PAIRS = wordPairs(`
  timed+out time+out could+not can+not nothing+could not+allowed not+permitted not+supported non+compliant not+compliant
`);

/** Ends of words that are written as one, such as imagepullbackoff and terminal-errored. */
export const ERROR_ENDS: readonly string[] = ["error", "failed", "failure", "backoff", "exception"];

/** Words that name a failure and nothing else. */
export const ERROR_NOUNS = wordList("error errors failed failure failures exception");

/** Words that turn the next one or two into their opposite: no errors, without any failure, 0 failed. */
export const NEGATIONS = wordList("no not non without zero 0 never none isnt");
