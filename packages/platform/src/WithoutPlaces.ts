/** Texts for everyone, from texts for the operator. */
import { mask } from "./LogMask.ts"

const absolutePath = /(?<![\w:/.])(?:file:\/\/)?(?:[A-Za-z]:)?(?:[/\\][^\s/\\'"`:,;()]+)+[/\\]([^\s/\\'"`:,;()]+)/g

/** The maximum length of a plugin's error message. */
const maxMessage = 10_000

/** Masks secrets and shortens paths to their last segment. */
export const withoutPlaces = (text: string): string => mask(text.slice(0, maxMessage).replaceAll(absolutePath, "…/$1"))
