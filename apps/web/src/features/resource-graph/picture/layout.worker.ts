import { GraphEngine, type EngineRequest } from "../layout/graph-engine.ts";

const engine = new GraphEngine();

addEventListener("message", (event: MessageEvent<{ readonly seq: number; readonly request: EngineRequest }>) => {
  postMessage({ seq: event.data.seq, answer: engine.answer(event.data.request) });
});
