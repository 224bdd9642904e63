/** Puts the examples of the guides where they are named: they are files that are compiled and tested, and never a copy. */
import * as fs from "node:fs/promises"
import * as path from "node:path"

const place = /^<!-- begin (\S+) -->\n[\s\S]*?^<!-- end -->$/gm

/** The guide as it should be, with the files that it names. */
export const included = async (root: string, guide: string): Promise<string> => {
  const text = await fs.readFile(path.join(root, guide), "utf8")
  const files = new Map<string, string>()
  for (const [, file = ""] of text.matchAll(place)) files.set(file, await fs.readFile(path.join(root, file), "utf8"))
  return text.replaceAll(
    place,
    (_, file: string) =>
      `<!-- begin ${file} -->\n\n\`\`\`${path.extname(file).slice(1)}\n${files.get(file)!.trimEnd()}\n\`\`\`\n\n<!-- end -->`
  )
}
