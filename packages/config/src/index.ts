export { ConfigError, type ConfigProblem } from "./config-error.ts";
export { duration, parseDuration } from "./duration.ts";
export { loadConfig, parseYaml, problemsOf, type ConfigSource } from "./load-config.ts";
export { readSecretFile } from "./secret-file.ts";
