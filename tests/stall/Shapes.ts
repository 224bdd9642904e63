/** Texts and structures that make a careless reader work long, for requests and for answers. */

/** Text that expressions with two ways to read it, and readers of nested or quoted text, try again and again. */
export const shapes: ReadonlyArray<string> = [
  "a.",
  " ",
  "\t",
  "@",
  "(",
  "[",
  "{",
  "<!--",
  "(a|a",
  "a|",
  "1",
  "9,",
  "\\",
  '"',
  "/",
  "../",
  "%",
  "-",
  ":",
  "://",
  "=&",
  "* ",
  "é",
  "x@x ",
  ";a=",
  "a b "
]

/** What ends a text: a character that fits and one that does not, for expressions that fail late. */
export const ends = ["!", " x"]

/** Whether the text may stand in a header or a target. */
const isPlain = (shape: string): boolean => /^[\x20-\x7E\t]+$/.test(shape)

/** Those that may stand in a header. */
export const plainShapes = shapes.filter(isPlain)

/** An element of a list that goes round. */
export const nth = <A>(list: ReadonlyArray<A>, index: number): A => list[index % list.length]!

/** The shape over and over, then something that no reader expects. */
export const repeated = (shape: string, length: number, end = "!"): string =>
  `${shape.repeat(Math.max(1, Math.floor((length - end.length) / shape.length)))}${end}`.slice(0, length)

/** An object of about this length with as many names as fit. */
export const manyNames = (length: number): string => {
  const count = Math.floor(length / 12)
  return `{${Array.from({ length: count }, (_, index) => `"${index}":1`).join(",")}}`
}

/** Lists in lists. */
export const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`)
