/** Part of `npm run reference`: writes docs/reference/cli.md. */
import { writeFileSync } from "node:fs";

import { REFERENCE_FILE, referencePage } from "./reference-page.ts";

writeFileSync(REFERENCE_FILE, referencePage());
