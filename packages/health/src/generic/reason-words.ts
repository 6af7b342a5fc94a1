/** Words of a reason or message that tell a failure from something that takes time; no product is named here. */

const ERROR =
  /fail|error|invalid|denied|forbidden|unauthori[sz]ed|crash|time(?:d)?[ _-]?out|conflict|missing|not ?found|backoff|exceeded|unsupported|misconfig|unhealthy|reject|refused|unable|cannot|could not/i;

const WAITING =
  /pending|waiting|not\w*yet|not yet|in[ _-]?progress|progressing|unknown|dependenc(?:y|ies)notready|requeued?|retry(?!.*fail)|queued|scheduled|started/i;

/** A CamelCase or plain word that ends in "ing", such as Creating, IssuingCertificate, provisioning. */
const DOING = /[A-Za-z][a-z]+ing(?![a-z])/g;

const NOT_DOING = /(?:miss|noth|warn|fail|exist|conflict|str|someth|anyth|everyth|err|th|k|br|spr)ing$/i;

const PAUSED = /paus|suspend|hibernat/i;

/** Whether the words name a failure. */
export function isErrorWord(text: string): boolean {
  return ERROR.test(text);
}

/** Whether a reason says that it takes time, and names no failure. */
export function isProgressWord(reason: string): boolean {
  if (reason === "" || isErrorWord(reason)) return false;
  if (WAITING.test(reason)) return true;
  for (const [word] of reason.matchAll(DOING)) if (!NOT_DOING.test(word)) return true;
  return false;
}

/** Whether a reason says that somebody paused it, not that it was resumed. */
export function isPausedWord(reason: string): boolean {
  return PAUSED.test(reason) && !/^(?:not|un|no(?=[A-Z_-]))|resum|fail|error/i.test(reason);
}

/** Whether a reason only repeats that it is not ready, so that others must say why. */
export function saysNothing(reason: string): boolean {
  return /^(?:|not[ _-]?ready|unready|false)$/i.test(reason);
}
