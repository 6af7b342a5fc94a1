/**
 * The Lua side of the sandbox, run once per VM. It answers a function `(script, resource as JSON, instructions) → text` whose result is
 * a tag, a status and a message, joined by character 1. Scripts see an environment table made for the run and nothing of this chunk.
 */
export const PRELUDE = String.raw`
local load, pcall, type, rawget, rawset, setmetatable, tostring, error = load, pcall, type, rawget, rawset, setmetatable, tostring, error
local sethook, getinfo, setupvalue, collect = debug.sethook, debug.getinfo, debug.setupvalue, collectgarbage
local byte, find, sub, rep, concat, char = string.byte, string.find, string.sub, string.rep, table.concat, utf8.char
local tonumber, toint = tonumber, math.tointeger
local SEPARATOR, MAX_TEXT, MAX_CHUNKS = "\1", 1048576, 64

-- JSON as JSON.stringify writes it: no blanks, always valid. null is an absent field, as in Argo's engine.
local ESCAPES = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }
local function text(json, from)
  local to = find(json, '["\\]', from)
  if byte(json, to) == 34 then return sub(json, from, to - 1), to + 1 end
  local parts, count = {}, 0
  while true do
    count = count + 1
    parts[count] = sub(json, from, to - 1)
    if byte(json, to) == 34 then return concat(parts), to + 1 end
    local letter = sub(json, to + 1, to + 1)
    count = count + 1
    if letter == "u" then
      parts[count] = char(tonumber(sub(json, to + 2, to + 5), 16))
      from = to + 6
    else
      parts[count] = ESCAPES[letter]
      from = to + 2
    end
    to = find(json, '["\\]', from)
  end
end
local function decode(json, at)
  local first = byte(json, at)
  if first == 34 then return text(json, at + 1) end
  if first == 123 then
    local object = {}
    at = at + 1
    if byte(json, at) == 125 then return object, at + 1 end
    while true do
      local key
      key, at = text(json, at + 1)
      object[key], at = decode(json, at + 1)
      if byte(json, at) == 125 then return object, at + 1 end
      at = at + 1
    end
  end
  if first == 91 then
    local list, count = {}, 0
    at = at + 1
    if byte(json, at) == 93 then return list, at + 1 end
    while true do
      count = count + 1
      list[count], at = decode(json, at)
      if byte(json, at) == 93 then return list, at + 1 end
      at = at + 1
    end
  end
  if first == 116 then return true, at + 4 end
  if first == 102 then return false, at + 5 end
  if first == 110 then return nil, at + 4 end
  local _, to = find(json, "^[-+0-9.eE]+", at)
  local number = tonumber(sub(json, at, to))
  return toint(number) or number, to + 1
end

-- Libraries are shared by all runs, so scripts get empty tables that read through and refuse writing.
local protected = setmetatable({}, { __mode = "k" })
local function readOnly(library)
  local front = setmetatable({}, {
    __index = library,
    __newindex = function() error("the library is read-only", 2) end,
    __metatable = false,
  })
  protected[front] = true
  return front
end
local function pick(library, names)
  local picked = {}
  for _, name in ipairs(names) do picked[name] = library[name] end
  return picked
end

local strings = pick(string, { "byte", "char", "find", "format", "gmatch", "gsub", "len", "lower", "match", "reverse", "sub", "upper" })
strings.rep = function(value, count, separator)
  value, count, separator = tostring(value), tonumber(count) or 0, separator == nil and "" or tostring(separator)
  if (#value + #separator) * count > MAX_TEXT then error("resulting string too large", 2) end
  return rep(value, count, separator)
end
local tables = pick(table, { "concat", "insert", "move", "pack", "remove", "sort", "unpack" })
tables.getn = function(list) return #list end
local numbers = pick(math, {
  "abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod", "huge", "log", "max", "maxinteger", "min", "mininteger",
  "modf", "pi", "rad", "random", "sin", "sqrt", "tan", "tointeger", "type", "ult",
})
numbers.pow = function(base, exponent) return base ^ exponent end
local base = pick(_G, {
  "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawlen", "select", "tonumber", "tostring", "type",
  "_VERSION",
})
base.unpack = table.unpack
base.print = function() end
base.rawset = function(target, key, value)
  if protected[target] then error("the library is read-only", 2) end
  return rawset(target, key, value)
end
-- A message handler proper runs inside the instruction hook that raised the error, where no hook ends its loops.
local function settle(handler, ok, ...)
  if ok then return true, ... end
  local _, message = pcall(handler, ...)
  return false, message
end
base.xpcall = function(action, handler, ...) return settle(handler, pcall(action, ...)) end
-- Finalizers run without the instruction hook.
base.setmetatable = function(target, meta)
  if type(meta) == "table" and rawget(meta, "__gc") ~= nil then error("__gc is not allowed", 2) end
  return setmetatable(target, meta)
end
local LIBRARIES = { string = readOnly(strings), table = readOnly(tables), math = readOnly(numbers), os = readOnly(pick(os, { "time", "date" })) }
local ofText = getmetatable("")
ofText.__index = LIBRARIES.string
ofText.__metatable = false

local function environment(object)
  local env = {}
  for name, value in next, base do env[name] = value end
  for name, value in next, LIBRARIES do env[name] = value end
  env._G = env
  env.obj = object
  return env
end

local chunks, chunkCount = {}, 0
local function compile(script)
  local known = chunks[script]
  if known then return known end
  local chunk, problem = load(script, "=health.lua", "t", {})
  if not chunk then return nil, problem end
  if chunkCount >= MAX_CHUNKS then chunks, chunkCount = {}, 0 end
  chunks[script] = chunk
  chunkCount = chunkCount + 1
  return chunk
end

local function answer(tag, status, message)
  return tag .. SEPARATOR .. status .. SEPARATOR .. sub(message, 1, 4096)
end

local function run(script, json, instructions)
  local ready, chunk, problem = pcall(compile, script)
  if not ready then return answer("memory", "", tostring(chunk)) end
  if not chunk then return answer("error", "", problem) end
  local decoded, object = pcall(decode, json, 1)
  if not decoded then return answer("memory", "", tostring(object)) end
  setupvalue(chunk, 1, environment(object))
  object = nil

  local tripped = false
  -- Once over the limit every further instruction of the script fails, so that its own pcall cannot go on.
  local function hook()
    if getinfo(2, "f").func == run then return sethook() end
    tripped = true
    sethook(hook, "", 1)
    error("too many instructions", 0)
  end
  sethook(hook, "", instructions)
  local ok, result = pcall(chunk)
  sethook()
  setupvalue(chunk, 1, nil)

  if tripped then return answer("steps", "", "") end
  if not ok then
    if type(result) ~= "string" then return answer("error", "", "error object is a " .. type(result)) end
    if result == "not enough memory" then
      collect()
      return answer("memory", "", result)
    end
    return answer("error", "", result)
  end
  if result == nil then return answer("nil", "", "") end
  if type(result) ~= "table" then return answer("error", "", "expect table output from Lua script, not " .. type(result)) end
  local status, message = rawget(result, "status"), rawget(result, "message")
  if type(status) ~= "string" or #status > 64 then status = "" end
  if type(message) == "number" then message = tostring(message) end
  return answer("ok", status, type(message) == "string" and message or "")
end
return run
`;
