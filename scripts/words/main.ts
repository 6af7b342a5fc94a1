/** `node scripts/words/main.ts`: compiles the messages of packages/words/src/en. Part of `npm run gen` and `npm run check`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { compileCatalogue } from "../../packages/words/src/compile-messages.ts";
import { ENGLISH_SOURCE } from "../../packages/words/src/en/index.ts";

const messages = Object.entries(compileCatalogue(ENGLISH_SOURCE));

writeFileSync(
  join(import.meta.dirname, "..", "..", "packages", "words", "src", "english.ts"),
  `// Written by scripts/words/main.ts ("npm run gen") from the messages of en/.
import type { CompiledMessage } from "./catalogue.ts";
import type { WordsId } from "./en/index.ts";

/** All messages in English, compiled. */
export const ENGLISH: Readonly<Record<WordsId, CompiledMessage>> = {
${messages.map(([id, message]) => `  ${JSON.stringify(id)}: ${JSON.stringify(message)},`).join("\n")}
};
`,
);
