export { parseArgoCustomizations } from "./argo-customizations.ts";
export { carriedRuleSet, isRuleOrigin, type CarriedRule } from "./rule-set.ts";
export { type Clock } from "./clock.ts";
export { parseFluxHealthChecks } from "./flux-health-checks.ts";
export { RuleEngine } from "./rule-engine.ts";
export { parseRules, parseRulesFile } from "./rules-file.ts";
export { type RuleOrigin, type RuleSet, type UserRule } from "./user-rule.ts";
export { UserRules, type RuleLookup, type UserRulesOptions } from "./user-rules.ts";
