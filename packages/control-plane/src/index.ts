export { findAssets } from "./assets.ts";
export { startControlPlane, type ControlPlane, type ControlPlaneOptions } from "./start-control-plane.ts";
