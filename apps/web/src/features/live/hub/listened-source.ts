import type { TopicSource } from "./switched-source.ts";

/** A source for tests, which never says anything and knows who listens to what. */
export class ListenedSource implements TopicSource<string, string> {
  readonly topics: string[] = [];

  subscribe(topic: string): () => void {
    this.topics.push(topic);
    return () => void this.topics.splice(this.topics.indexOf(topic), 1);
  }
}
