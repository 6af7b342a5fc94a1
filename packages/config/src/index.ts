export { ConfigError, type ConfigProblem } from "./config-error.ts";
export { duration, parseDuration } from "./duration.ts";
export { certificateFileName, keyFitsCertificate, passwordFileName, privateKeyFileName, secretFileName } from "./file-name.ts";
export { loadConfig, parseYaml, problemsOf, type ConfigSource } from "./load-config.ts";
export { referencePage, referenceRows, undescribedKeys, type ReferenceRow } from "./reference-page.ts";
export { readSecretFile } from "./secret-file.ts";
