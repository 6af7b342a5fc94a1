import { ProblemKind, ProblemSchema, type Problem, type WatchResponse } from "@binnacle/proto/dashboard";
import { Backoff, Fault, sleep, type Clock } from "@binnacle/rpc";
import { words, type Words } from "@binnacle/words";
import type { Logger } from "@binnacle/telemetry";
import { create } from "@bufbuild/protobuf";

import { wordsOfFault } from "../base/message-fault.ts";
import { toSentWords } from "../base/sent-words.ts";
import { topicMessage, UnsendableMessageError, type TopicAnswer } from "../wire/topic-message.ts";

/** A topic that has gone well for so long begins anew with a short wait. */
const WELL_MS = 30_000;

/** One topic of a stream. */
export interface TopicStream {
  readonly id: number;
  /** The caller takes messages in binary form. */
  readonly isBinary: boolean;
  /** Begins it. @param again it has failed: the browser may have something of it that is not so */
  readonly open: (again: boolean, signal: AbortSignal) => AsyncIterable<TopicAnswer>;
  /** A problem, as a message of this topic. */
  readonly toMessage: (problem: Problem) => TopicAnswer;
  readonly clock: Clock;
  readonly log: Logger;
  /** 0 ≤ random() < 1, for backoff. */
  readonly random?: () => number;
}

/**
 * The messages of one topic. When it fails, or makes a message that cannot be sent, its page gets the problem and it restarts by itself,
 * after 1 s and ever later up to 15 s: its neighbours in the stream notice nothing. Only what holds for the whole session ends the stream.
 *
 * @throws Fault `session_ended`
 */
export async function* topicStream(topic: TopicStream, signal: AbortSignal): AsyncGenerator<WatchResponse> {
  const { id, isBinary, open, toMessage, clock, log, random } = topic;
  const backoff = new Backoff({ initialMs: 1_000, maxMs: 15_000, ...(random === undefined ? {} : { random }) });
  for (let again = false; !signal.aborted; again = true) {
    const beganMs = clock.now();
    try {
      for await (const answer of open(again, signal)) yield topicMessage(id, answer, isBinary);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Fault && error.reason === "session_ended") throw error;
      log.error({ error, topic: id }, "a topic failed");
      if (clock.now() - beganMs >= WELL_MS) backoff.reset();
      yield topicMessage(id, toMessage(problemOf(error)), isBinary);
    }
    await sleep(clock, backoff.nextMs(), signal);
  }
}

function problemOf(error: unknown): Problem {
  return create(ProblemSchema, { kind: ProblemKind.UNAVAILABLE, words: toSentWords(wordsOf(error)) });
}

function wordsOf(error: unknown): Words {
  if (error instanceof Fault) return wordsOfFault(error);
  if (error instanceof UnsendableMessageError) return words("problem/topic-unsendable", { reason: error.message });
  return words("problem/topic-failed");
}
