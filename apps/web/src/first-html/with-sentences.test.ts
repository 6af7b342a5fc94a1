import { SummarizeEnvironmentResponseSchema } from "@binnacle/proto/dashboard";
import { toWordsMessage } from "@binnacle/proto/words";
import { words } from "@binnacle/words";
import { renderEnglish } from "@binnacle/words/render-english";
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { withSentences } from "./with-sentences.ts";

const MESSAGE = words("network/no-ready-endpoints", { name: "web", total: 3 });

test("every text in a message gets its sentence, at any depth, and nothing else changes", () => {
  const message = create(SummarizeEnvironmentResponseSchema, {
    header: { environment: { agentId: 2n ** 60n, name: "production" } },
    health: { words: toWordsMessage(MESSAGE), issues: [{ words: toWordsMessage(MESSAGE), next: toWordsMessage(MESSAGE) }] },
  });
  const sent = withSentences(message);
  const sentence = renderEnglish(MESSAGE);
  expect(sentence).not.toBe("");
  expect(sent.health?.words).toEqual({ ...toWordsMessage(MESSAGE), sentence });
  expect(sent.health?.issues[0]).toMatchObject({ words: { sentence }, next: { sentence } });
  expect(sent.header).toEqual(message.header);
});
