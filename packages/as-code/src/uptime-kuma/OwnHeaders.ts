/** Headers that somebody has set in Uptime Kuma, as an object or as its text. */
import { isEmptyObject, objectIn } from "./Backup.ts"
import { look, type Said } from "./Draft.ts"

type Text = string | number | boolean

const isText = (entry: [string, unknown]): entry is [string, Text] =>
  ["string", "number", "boolean"].includes(typeof entry[1])

/** Headers of a monitor or a channel. Values that are no text are not sent as one, which a note says. */
export const ownHeaders = (
  given: unknown,
  of: "monitor" | "channel",
  notes: Array<Said>
): Readonly<Record<string, Text>> => {
  const all = Object.entries(objectIn(given))
  if (all.length === 0 && !isEmptyObject(given))
    notes.push(look(`its headers are no JSON object, and are not carried over: enter them in the ${of}`))
  const lost = all.filter((entry) => !isText(entry))
  if (lost.length > 0)
    notes.push(look(`these headers have no text, and are not carried over: ${lost.map(([name]) => name).join(", ")}`))
  return Object.fromEntries<Text>(all.filter(isText))
}
