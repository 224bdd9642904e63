/** Reads what a person typed to say what should be watched. Pure. */
import { watched } from "../../forms/watched.ts"

/** The likeliest type that an address means, and its fields. */
export const guess = (
  text: string
): { readonly type: string; readonly fields: Readonly<Record<string, string>> } | undefined =>
  watched(text).find(({ type }) => type !== "heartbeat")
