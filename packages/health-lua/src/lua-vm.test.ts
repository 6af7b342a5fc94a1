import { beforeAll, describe, expect, test } from "vitest";

import { LuaVm } from "./lua-vm.ts";

const vm = new LuaVm();
const evaluate = async (script: string, resource: unknown = { kind: "Widget" }) => {
  await vm.renewIfWorn();
  return vm.evaluate(script, JSON.stringify(resource));
};

beforeAll(() => vm.renewIfWorn());

describe("limits inside the VM", () => {
  test.each([
    ["an endless loop", "while true do end"],
    ["an endless loop inside pcall", "while true do pcall(function() while true do end end) end"],
    ["an endless loop in a message handler", "while true do xpcall(error, function() while true do end end) end"],
    ["an endless loop behind a metamethod", "local t = setmetatable({}, { __index = function() while true do end end }) return t.status"],
    ["a result that is returned from a caught limit", "pcall(function() while true do end end) return { status = 'Healthy' }"],
  ])("%s ends at 1,000,000 instructions", async (_, script) => {
    expect((await evaluate(script)).tag).toBe("steps");
  });

  test.each([
    ["text that doubles", "local s = 'x' while true do s = s .. s end"],
    ["a table of large text", "local t = {} while true do t[#t + 1] = ('x'):rep(1000000) .. #t end"],
  ])("%s ends at 64 MiB and the next script runs", async (_, script) => {
    expect((await evaluate(script)).tag).toBe("memory");
    expect(await evaluate("return { status = 'Healthy' }")).toMatchObject({ tag: "ok", status: "Healthy" });
  });

  test.each([
    ["plain recursion", "local function f() return 1 + f() end return f()"],
    ["recursion through gsub", "local function f(s) return (s:gsub('.', f)) end return f('a')"],
    ["recursion through a metamethod", "local t = {} setmetatable(t, { __index = function(_, k) return t[k] end }) return t.x"],
    ["deeply nested source", `return ${"{".repeat(5000)}${"}".repeat(5000)}`],
  ])("%s ends without harm to the next script", async (_, script) => {
    expect((await evaluate(script)).tag).not.toBe("ok");
    expect(await evaluate("return { status = 'Healthy' }")).toMatchObject({ tag: "ok", status: "Healthy" });
  });

  test("a repetition longer than 1 MiB is refused", async () => {
    expect(await evaluate("return { status = 'Healthy', message = ('x'):rep(1048577) }")).toMatchObject({
      tag: "error",
      message: "health.lua:1: resulting string too large",
    });
  });
});

describe("one run does not reach the next", () => {
  test.each([
    "string.match = nil",
    "rawset(string, 'match', nil)",
    "table.insert(table, 1, 'x')",
    "setmetatable(os, {})",
    "os.time = function() return 0 end",
    "setmetatable({}, { __gc = function() while true do end end })",
  ])("%s is refused", async (script) => {
    expect((await evaluate(script)).tag).toBe("error");
    expect(await evaluate("return { status = ('Healthy'):match('%a+'), message = string.upper('ok') .. tostring(os.time() > 0) }")).toEqual(
      {
        tag: "ok",
        status: "Healthy",
        message: "OKtrue",
      },
    );
  });

  test("globals are gone, also base functions that were replaced", async () => {
    await evaluate("leak = 1 pairs = nil _G.tostring = nil _G._G = nil return { status = 'Healthy' }");
    expect((await evaluate("for _ in pairs({}) do end return { status = 'Healthy', message = tostring(leak) }")).message).toBe("nil");
  });

  test.each([
    "load",
    "loadstring",
    "loadfile",
    "dofile",
    "require",
    "collectgarbage",
    "getmetatable",
    "debug",
    "io",
    "coroutine",
    "package",
  ])("%s does not exist", async (name) => {
    expect((await evaluate(`return { status = 'Healthy', message = type(${name}) }`)).message).toBe("nil");
  });

  test("os has time and date only, and text cannot be dumped", async () => {
    const message = "tostring(os.execute) .. tostring(os.getenv) .. tostring(string.dump) .. os.date('!%Y', 0)";
    expect((await evaluate(`return { status = 'Healthy', message = ${message} }`)).message).toBe("nilnilnil1970");
  });
});

describe("the resource in Lua", () => {
  test("text, numbers, lists, nesting and null arrive as they are", async () => {
    const resource = {
      s: 'a\n"b"\\\u0001 é 😀',
      n: 5,
      f: 2.5,
      big: 1e21,
      yes: true,
      no: false,
      nothing: null,
      list: [1, [2], {}],
      empty: [],
    };
    const script =
      "return { status = 'Healthy', message = obj.s .. '|' .. obj.n .. '|' .. obj.f .. '|' .. tostring(obj.big == 1e21 and obj.yes and not obj.no)" +
      " .. '|' .. tostring(obj.nothing) .. '|' .. #obj.list .. obj.list[2][1] .. '|' .. #obj.empty }";
    expect((await evaluate(script, resource)).message).toBe('a\n"b"\\\u0001 é 😀|5|2.5|true|nil|32|0');
  });

  test("xpcall hands results and the error to the script", async () => {
    const script =
      "local _, a, b = xpcall(function(x) return x, 'b' end, print, 'a') local ok, e = xpcall(error, function(e) return e .. '!' end, 'no') " +
      "return { status = 'Healthy', message = a .. b .. tostring(ok) .. e }";
    expect((await evaluate(script)).message).toBe("abfalseno!");
  });

  test("functions of older Lua exist", async () => {
    const script = "local a, b = unpack({ 'x', 'y' }) return { status = 'Healthy', message = a .. b .. table.getn({ 1, 2, 3 }) }";
    expect((await evaluate(script)).message).toBe("xy3");
  });

  test("1,000 runs wear a VM and it is replaced in between", async () => {
    for (let run = 0; run < 1200; run += 1) {
      expect((await evaluate("return { status = obj.status }", { status: `S${run}` })).status).toBe(`S${run}`);
    }
  });
});
