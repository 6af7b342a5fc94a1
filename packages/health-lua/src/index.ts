export { LuaHealth, type LuaHealthOptions } from "./lua-health.ts";
export { parseArgoCustomizations, type ArgoCustomizations } from "./argo-customizations.ts";
