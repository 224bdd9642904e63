/** Reads PEM (RFC 7468) strictly: ambiguous input is refused. */

export interface Block {
  readonly label: string
  /** The lines before the body (RFC 1421), such as how the body is encrypted. */
  readonly headers: ReadonlyArray<string>
  readonly bytes: Buffer
}

const border = /^-----(BEGIN|END) ([A-Z0-9 ]{1,40})-----$/
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The blocks of a text that has nothing but blocks; undefined when it has anything else. */
export const blocks = (text: string): ReadonlyArray<Block> | undefined => {
  const found: Array<Block> = []
  let open: { readonly label: string; readonly headers: Array<string>; readonly body: Array<string> } | undefined
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    const [, turn, label] = border.exec(line) ?? []
    if (turn === "BEGIN" && label !== undefined) {
      if (open !== undefined) return undefined
      open = { label, headers: [], body: [] }
    } else if (turn === "END") {
      const bytes = open?.label === label ? bytesOf(open!.body.join("")) : undefined
      if (bytes === undefined) return undefined
      found.push({ label: open!.label, headers: open!.headers, bytes })
      open = undefined
    } else if (open === undefined) {
      if (line !== "") return undefined
    } else if (line.includes(":") && open.body.length === 0) open.headers.push(line)
    else if (line !== "") open.body.push(line)
  }
  return open === undefined && found.length > 0 ? found : undefined
}

const bytesOf = (text: string): Buffer | undefined =>
  text !== "" && text.length % 4 === 0 && base64.test(text) ? Buffer.from(text, "base64") : undefined

/** The block as text, in the one form that it has. */
export const write = ({ bytes, headers, label }: Block): string =>
  [
    `-----BEGIN ${label}-----`,
    ...(headers.length === 0 ? [] : [...headers, ""]),
    ...(bytes.toString("base64").match(/.{1,64}/g) ?? []),
    `-----END ${label}-----`,
    ""
  ].join("\n")
