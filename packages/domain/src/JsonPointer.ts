/** Addresses of values in a JSON document (RFC 6901). Pure; a pointer finds only what the document itself has. */
import { Schema } from "effect"
import { filteredText } from "./BoundedText.ts"

const longest = 256

/** The parts of a pointer; undefined when it is none. The empty pointer is the whole document. */
const partsOf = (pointer: string): ReadonlyArray<string> | undefined => {
  if (pointer.length > longest || !pointer.isWellFormed()) return undefined
  if (pointer === "") return []
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return undefined
  return pointer
    .slice(1)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
}

/** A pointer such as `/alerts/0/labels/severity`. */
export const JsonPointer = filteredText(
  longest,
  (text) => (partsOf(text) === undefined ? "Expected a JSON Pointer such as /alert/title" : undefined),
  { message: `Expected a JSON Pointer of at most ${longest} characters` }
)

/** The value at a pointer; undefined where there is none. */
export const valueAt = (document: unknown, pointer: string): unknown => {
  let value: unknown = document
  for (const part of partsOf(pointer) ?? [""]) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined
    if (Array.isArray(value) && !/^(?:0|[1-9]\d{0,8})$/.test(part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value
}

/** Whether a text is a pointer. */
export const isPointer = Schema.is(JsonPointer)
