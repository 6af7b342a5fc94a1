export { startKubeSandbox, type KubeSandbox, type KubeSandboxOptions } from "./start-kube-sandbox.ts";
