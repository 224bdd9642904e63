/** Negotiates the coding of a response (RFC 9110 §12.5.3). Reads the header once, without expressions. */
import { upTo } from "@kanmon/domain/BoundedText"

/** The codings that responses come in, in the order in which the server prefers them. */
const codings = ["br", "gzip"] as const

export type Coding = (typeof codings)[number]

/** Longer values are read as if they were absent; RequestBounds refuses them before. */
const maxLength = 256

/** The quality that an `Accept…` header gives a value, 0 to 1; undefined when the header does not name it. */
export const qualityOf = (header: string, value: string): number | undefined => {
  for (const part of upTo(header, 1_024).split(",")) {
    const [name, ...parameters] = part.split(";").map((word) => word.trim().toLowerCase())
    if (name !== value) continue
    const quality = parameters.find((parameter) => parameter.startsWith("q="))
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0
  }
  return undefined
}

/** The first of our codings that an `Accept-Encoding` accepts; undefined when it accepts none. */
export const negotiate = (
  header: string | undefined,
  available: ReadonlyArray<Coding> = codings
): Coding | undefined => {
  if (header === undefined || header.length > maxLength) return undefined
  const any = qualityOf(header, "*") ?? 0
  return available.find((coding) => (qualityOf(header, coding) ?? any) > 0)
}
