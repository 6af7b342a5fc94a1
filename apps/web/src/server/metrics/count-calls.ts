import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

import type { CallMetrics } from "./call-metrics.ts";

/** Counts each call and how it ended; a stream whose reader leaves ends with "canceled". Stands first: it sees codes, not causes. */
export function countCalls(metrics: CallMetrics): Interceptor {
  return (next) => async (request) => {
    const end = metrics.begin({ method: request.method.name, stream: request.stream });
    try {
      const response = await next(request);
      if (response.stream) return { ...response, message: counted(response.message, request.signal, end) };
      end(undefined);
      return response;
    } catch (error) {
      end(ConnectError.from(error).code);
      throw error;
    }
  };
}

async function* counted<T>(messages: AsyncIterable<T>, left: AbortSignal, end: (code: Code | undefined) => void): AsyncIterable<T> {
  let code: Code | undefined = Code.Canceled;
  try {
    yield* messages;
    if (!left.aborted) code = undefined;
  } catch (error) {
    ({ code } = ConnectError.from(error));
    throw error;
  } finally {
    end(code);
  }
}
