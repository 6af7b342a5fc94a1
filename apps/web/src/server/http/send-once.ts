import type { Dispatcher } from "undici";

/**
 * For one request: says when it goes out, and holds that it goes out once unless it is safe. undici queues a request again that it
 * wrote, but saw no answer to, in some ends of a connection of its own making; what it did then nobody knows.
 *
 * @param started called when the head of the request is written
 */
export function sendOnce(options: {
  readonly isSafe: boolean;
  readonly started: (() => void) | undefined;
}): Dispatcher.DispatcherComposeInterceptor {
  let isOut = false;
  return (dispatch) => (request, handler) =>
    dispatch(request, {
      onRequestStart(controller, context) {
        if (isOut && !options.isSafe) return controller.abort(new Error("the connection ended under the request"));
        handler.onRequestStart?.(controller, context);
        // It may have been aborted while it waited for its connection.
        if (controller.aborted) return;
        isOut = true;
        options.started?.();
      },
      onRequestUpgrade: (...parts) => handler.onRequestUpgrade?.(...parts),
      onResponseStart: (...parts) => handler.onResponseStart?.(...parts),
      onResponseData: (...parts) => handler.onResponseData?.(...parts),
      onResponseEnd: (...parts) => handler.onResponseEnd?.(...parts),
      onResponseError: (...parts) => handler.onResponseError?.(...parts),
    });
}
