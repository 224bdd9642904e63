/**
 * The header `Cookie`, before anything reads it. Browsers compare the prefix `__Host-` with the first bytes of a name (RFC 6265bis,
 * section 5.6), and parsers remove blanks in front of one. A no-break space is a blank to parsers alone: with it another host of
 * the domain plants a cookie that browsers do not protect and a parser takes for ours.
 */
import { upTo } from "@kanmon/domain/BoundedText"
import { limitOf } from "./RequestBounds.ts"

/** A name of RFC 6265, section 4.1.1, between the blanks of HTTP. */
const named = /^[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=/

/** The cookies with a name that browsers and parsers read alike. */
export const plain = (header: string): string => {
  const pairs = upTo(header, limitOf("cookie")).split(";")
  return pairs.filter((pair) => named.test(pair)).join(";")
}
