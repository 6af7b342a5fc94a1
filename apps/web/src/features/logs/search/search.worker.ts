/** Searches lines with expressions, beside the page. */
import { RequestAnswerer } from "@binnacle/pod-logs/expression-thread";

const answerer = new RequestAnswerer();

addEventListener("message", (event: MessageEvent<Parameters<typeof answerer.answer>[0]>) => {
  const { answer, moved } = answerer.answer(event.data);
  postMessage(answer, { transfer: moved });
});

postMessage("ready");
