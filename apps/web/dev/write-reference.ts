/** Part of `npm run reference`: writes docs/reference/web-config.md. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

import { webReferenceFile, webReferencePage } from "../src/server/config-reference.ts";

mkdirSync(dirname(webReferenceFile), { recursive: true });
writeFileSync(webReferenceFile, webReferencePage());
