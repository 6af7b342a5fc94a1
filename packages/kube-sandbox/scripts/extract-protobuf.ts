/**
 * Writes data/protobuf.jsonl from the Go modules of a Kubernetes version (`go mod download k8s.io/api@V …`):
 * `node scripts/extract-protobuf.ts DIR_OF_API DIR_OF_APIMACHINERY DIR_OF_APIEXTENSIONS`.
 * One message a line: its name and its fields as [number, JSON name, type, mode], mode one of value, pointer, list, map,
 * inline (its fields stand in the parent's JSON).
 * kubectl writes built-in kinds in protobuf only, so a server must be able to read it.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Field = readonly [number: number, name: string, type: string, mode: "value" | "pointer" | "list" | "map" | "inline"];

const SERVED =
  "core.v1 apps.v1 batch.v1 networking.v1 autoscaling.v1 autoscaling.v2 policy.v1 rbac.v1 storage.v1 discovery.v1 coordination.v1 scheduling.v1 authentication.v1 authorization.v1";
const ROOTS = SERVED.split(" ").map((name) => `k8s.io.api.${name}.`);
const EXTENSIONS = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.";
const META = "k8s.io.apimachinery.pkg.apis.meta.v1.";

/** What only the Go structs tell, by `Type.field`: the JSON name, and whether the field is a pointer or inlined. */
function goFieldsIn(folder: string): Map<string, { readonly json: string; readonly mode: "value" | "pointer" | "inline" }> {
  const found = new Map<string, { json: string; mode: "value" | "pointer" | "inline" }>();
  for (const file of globSync("*.go", { cwd: folder })) {
    let type = "";
    for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
      type = /^type (\w+) struct/.exec(line)?.[1] ?? type;
      const [, pointer, tags = ""] = /^\t\w*\s*(\*?)[^`]*`(.*)`/.exec(line) ?? [];
      const field = /protobuf:"[^"]*name=(\w+)/.exec(tags)?.[1];
      if (field === undefined) continue;
      const [json = "", ...options] = (/json:"([^"]*)"/.exec(tags)?.[1] ?? "").split(",");
      // Only pointers are absent on the wire when they are not set.
      found.set(`${type}.${field}`, { json, mode: options.includes("inline") ? "inline" : pointer === "*" ? "pointer" : "value" });
    }
  }
  return found;
}

const messages = new Map<string, Field[]>();
for (const module of process.argv.slice(2)) {
  for (const file of globSync("**/generated.proto", { cwd: module })) {
    const text = readFileSync(join(module, file), "utf8");
    const pack = /^package ([\w.]+);/m.exec(text)?.[1] ?? "";
    const goFields = goFieldsIn(dirname(join(module, file)));
    const resolved = (type: string): string =>
      type.startsWith(".") ? type.slice(1) : /^(string|bytes|bool|double|float|u?int(32|64))$/.test(type) ? type : `${pack}.${type}`;
    for (const [, name = "", body = ""] of text.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm)) {
      const fields: Field[] = [];
      for (const [, label, mapped, plain, field = "", number] of body.matchAll(
        /^ {2}(?:(optional|repeated|map)\s*)(?:<string, ([\w.]+)>\s+)?([\w.]+)?\s*\b(\w+) = (\d+);/gm,
      )) {
        const type = resolved(mapped ?? plain ?? "");
        const go = goFields.get(`${name}.${field}`);
        const mode = label === "map" ? "map" : label === "repeated" ? "list" : (go?.mode ?? "value");
        fields.push([Number(number), (go?.json ?? "") === "" ? field : (go?.json ?? field), type, mode]);
      }
      messages.set(`${pack}.${name}`, fields);
    }
  }
}

const kept = new Set<string>();
function keep(name: string): void {
  const fields = messages.get(name);
  if (fields === undefined || kept.has(name)) return;
  kept.add(name);
  for (const [, , type] of fields) keep(type);
}
for (const [name, fields] of messages) {
  const served = [...ROOTS, EXTENSIONS].some((root) => name.startsWith(root)) || name === `${META}DeleteOptions`;
  if (served && !name.endsWith("List") && (fields.some(([, field]) => field === "metadata") || name.endsWith("Options"))) keep(name);
}
const lines = [...kept].sort().map((message) => JSON.stringify({ message, fields: messages.get(message) }));
writeFileSync(new URL("../data/protobuf.jsonl", import.meta.url), `${lines.join("\n")}\n`);
