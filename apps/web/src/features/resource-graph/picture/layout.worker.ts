import { GraphEngine, type EngineRequest } from "@binnacle/presentation/layout/graph-engine";

const engine = new GraphEngine();

addEventListener("message", (event: MessageEvent<{ readonly seq: number; readonly request: EngineRequest }>) => {
  postMessage({ seq: event.data.seq, answer: engine.answer(event.data.request) });
});
