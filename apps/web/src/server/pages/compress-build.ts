/**
 * `node src/server/pages/compress-build.ts`, after `next build`: files of the pages are compressed once, not for everybody who asks. They
 * are compressed as they are served at the root of a host; below a path, who starts the server compresses those anew that bear it.
 */
import { fileURLToPath } from "node:url";

import { compressFolder } from "./compress-files.ts";
import { PATH_PLACEHOLDER } from "./path-placeholder.ts";

const STATIC = fileURLToPath(new URL("../../../.next/static", import.meta.url));

await compressFolder(STATIC, (text) => text.replaceAll(PATH_PLACEHOLDER, ""));
